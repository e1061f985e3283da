import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect, test, vi } from 'vitest';
import { FunctionError } from '../../sandbox/aws/function-host.ts';
import { PATHS } from '../../sandbox/platform/paths.ts';
import { createRandom, type Random } from '../../sandbox/platform/random.ts';
import type { PollResult } from '../../shared/relay/poller.ts';
import { countDeliveries } from './count-deliveries.ts';
import { type Poller, type Stage, setStage } from './stage.ts';
import type { Step } from './tap.ts';

const SEED = 7;
const CRASHES = 100;
/** Small, so that a run takes many steps. */
const ROWS_A_PAGE = 50;
/** Events are shown up to so long after their time; less than the oldest rung waits. */
const MOST_LATE_MS = 3_500;
const RECHECK_SECONDS = '2,6';

/** Where a process dies: at the how-manieth step of a kind, before its effect or after it without an answer. */
interface Death extends Step {
  readonly count: number;
}

/** A run that is let live, so that marks move and a warm process meets what it left. */
const UNDISTURBED = 'undisturbed';
/** What a process can be at, with how many such steps a run may come to. A process between two steps changes nothing. */
const PHASES = [
  { phase: 'reading', name: PATHS.events, most: 6 },
  { phase: 'publishing', name: 'PutEvents', most: 16 },
  { phase: 'asking the ledger', name: 'Query', most: 2 },
  { phase: 'writing the ledger', name: 'BatchWriteItem', most: 4 },
  { phase: 'writing the mark', name: 'UpdateItem', most: 2 },
  { phase: UNDISTURBED, name: 'none', most: 1 },
];

const drawDeath = (random: Random, { name, most }: (typeof PHASES)[number]): Death => ({
  name,
  count: 1 + random.below(most),
  moment: random.pick(['asked', 'answered']),
});

/** Polls once in a process that dies there, if it comes that far; tells whether it did. */
async function pollUntil(death: Death, { stage, poller }: { stage: Stage; poller: Poller }): Promise<'died' | 'lived'> {
  let count = 0;
  const onStep = async ({ name, moment }: Step) => {
    if (name !== death.name || moment !== death.moment || ++count !== death.count) return;
    await poller.signal('SIGKILL');
    throw new Error('Nobody is left to answer');
  };
  stage.onPlatformStep = onStep;
  poller.onStep = onStep;
  const outcome = await poller.poll().catch((error: unknown) => error);
  stage.onPlatformStep = () => undefined;
  poller.onStep = () => undefined;
  if (outcome instanceof FunctionError && outcome.message.includes('SIGKILL')) return 'died';
  expect(outcome).toMatchObject({ parked: 0 });
  expect(outcome).not.toHaveProperty('skipped');
  return 'lived';
}

const readCursors = (mark: Readonly<Record<string, AttributeValue>>): [age: string, seconds: number][] =>
  Object.entries(mark.cursors?.M ?? {}).map(([age, { N }]) => [age, Number(N)]);

test(`loses nothing in ${CRASHES} crashes, repeats at most a page in each, and never moves the mark back`, async () => {
  const random = createRandom(SEED);
  const stage = await setStage({
    env: { RELAY_RECHECK_SECONDS: RECHECK_SECONDS },
    platform: { seed: SEED, history: { events: 1_000, days: 2, bursts: true }, eventsPerMinute: 120 },
  });
  const { platform, arrivals } = stage;
  platform.faults.limitClamp = ROWS_A_PAGE;
  const poller = await stage.startPoller();

  const runs: { end: 'died' | 'lived'; phase: string; beganMs: number; repeated: number }[] = [];
  const cursors = new Map<string, number>();
  let moves = 0;
  async function watchMark(): Promise<void> {
    for (const [age, seconds] of readCursors(await stage.readMark())) {
      const before = cursors.get(age) ?? 0;
      expect(seconds, `rung ${age}`).toBeGreaterThanOrEqual(before);
      if (seconds > before) moves += 1;
      cursors.set(age, seconds);
    }
  }
  const died = () => runs.filter(({ end }) => end === 'died');
  while (died().length < CRASHES) {
    platform.add(random.below(200), { time: () => Date.now() - random.below(MOST_LATE_MS) });
    const phase = random.pick(PHASES);
    const beganMs = Date.now();
    const end = await pollUntil(drawDeath(random, phase), { stage, poller });
    runs.push({ end, phase: phase.phase, beganMs, repeated: 0 });
    await watchMark();
    if (end === 'died') await stage.endLease();
  }

  platform.setRate(0);
  runs.push({ end: 'lived', phase: UNDISTURBED, beganMs: Date.now(), repeated: 0 });
  const lastMs = Math.max(...[...platform.trail].map(({ time }) => time));
  await vi.waitFor(
    async () => {
      const { checkedThrough } = (await poller.poll()) as PollResult;
      await watchMark();
      expect(Date.parse(String(checkedThrough))).toBeGreaterThan(lastMs);
    },
    { timeout: 300_000, interval: 200 },
  );

  const { repeated, ...others } = countDeliveries(platform.trail, arrivals);
  expect(others).toEqual({ lost: [], strange: [] });
  const last = new Map(arrivals.map(({ id }, index) => [id, index]));
  for (const [index, { id, observedat }] of arrivals.entries()) {
    if (last.get(id) === index) continue;
    // By when it was read: what a process had sent may arrive when it is dead.
    const run = runs.findLast(({ beganMs }) => beganMs <= Date.parse(observedat));
    if (run) run.repeated += 1;
  }
  for (const { end, repeated: again } of runs) {
    // A page's ids enter the ledger once all of its batches are accepted, and before the next page is published: a crash
    // forgets at most one page, and nothing but a crash forgets.
    expect(again).toBeLessThanOrEqual(end === 'died' ? ROWS_A_PAGE : 0);
  }
  const surplus = arrivals.length - platform.trail.size;
  expect(runs.reduce((sum, run) => sum + run.repeated, 0)).toBe(surplus);
  const deaths = PHASES.slice(0, -1).map(
    ({ phase }) => `${died().filter((run) => run.phase === phase).length} ${phase}`,
  );
  console.log(
    `${runs.length} runs, ${died().length} died: ${deaths.join(', ')}; ${platform.trail.size} events, ` +
      `${repeated.length} of them repeated by ${surplus} arrivals too many, at most ${Math.max(...runs.map((run) => run.repeated))} a crash; the mark and its rungs moved ${moves} times`,
  );
  expect(moves).toBeGreaterThan(CRASHES / 5);
  for (const { phase } of PHASES.slice(0, -1)) expect(died().map((run) => run.phase)).toContain(phase);
});

test('leaves a crashed run’s stream alone until its lease ends', async () => {
  const stage = await setStage({});
  const { platform, arrivals } = stage;
  const poller = await stage.startPoller();
  await poller.poll();
  platform.add(30);
  expect(await pollUntil({ name: 'PutEvents', count: 1, moment: 'asked' }, { stage, poller })).toBe('died');
  expect(await poller.poll()).toMatchObject({ skipped: 'lease', published: 0, mark: null });
  expect(countDeliveries(platform.trail, arrivals).lost.length).toBeGreaterThan(0);
  await stage.endLease();
  await poller.poll();
  const { repeated, ...others } = countDeliveries(platform.trail, arrivals);
  expect(others).toEqual({ lost: [], strange: [] });
  expect(repeated.length).toBeLessThan(30);
  expect(await poller.poll()).toMatchObject({ published: 0 });
});
