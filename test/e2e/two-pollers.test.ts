import { expect, test } from 'vitest';
import { PATHS } from '../../sandbox/platform/paths.ts';
import type { PollResult } from '../../shared/relay/poller.ts';
import { countDeliveries, EACH_ONCE } from './count-deliveries.ts';
import { type Poller, type Stage, setStage } from './stage.ts';

const ROUNDS = 40;

async function setTwo(stage: Stage): Promise<[Poller, Poller]> {
  const pollers = [await stage.startPoller(), await stage.startPoller()] as const;
  for (const { poll } of pollers) await poll();
  return [...pollers];
}

/** Invokes both at once and lets none read the trail before one of them has come to its end; gives what that one said. */
async function race(stage: Stage, pollers: readonly Poller[]): Promise<unknown> {
  const released = Promise.withResolvers<void>();
  const bothLead = Promise.withResolvers<'both lead'>();
  let asking = 0;
  stage.onPlatformStep = ({ name, moment }) => {
    if (name !== PATHS.events || moment !== 'asked') return undefined;
    // Whoever waits for its first page asks for no second one.
    if (++asking === 2) bothLead.resolve('both lead');
    return released.promise;
  };
  const polls = pollers.map(({ poll }) => poll());
  const first = await Promise.race([bothLead.promise, ...polls]);
  released.resolve();
  await Promise.all(polls);
  stage.onPlatformStep = () => undefined;
  return first;
}

test('lets only one of two processes lead, over and over: nothing lost, nothing repeated', async () => {
  const stage = await setStage({ platform: { history: { events: 500, days: 2 }, eventsPerMinute: 600 } });
  const { platform, arrivals } = stage;
  const pollers = await setTwo(stage);
  const led = new Set<Poller | undefined>();
  for (let round = 0; round < ROUNDS; round++) {
    platform.add(25);
    expect(await race(stage, pollers)).toMatchObject({ skipped: 'lease', published: 0 });
    // Left to themselves they may also lead one after the other, each with a ledger in memory that the other outdated.
    platform.add(25);
    const results = (await Promise.all(pollers.map(({ poll }) => poll()))) as PollResult[];
    for (const [index, { skipped }] of results.entries()) if (skipped === undefined) led.add(pollers[index]);
    pollers.reverse();
  }
  platform.setRate(0);
  await pollers[0].poll();
  expect(led.size).toBe(2);
  expect(arrivals.length).toBeGreaterThan(ROUNDS * 50);
  expect(countDeliveries(platform.trail, arrivals)).toEqual(EACH_ONCE);
});

const ROWS_A_PAGE = 100;
/** Wider than a bucket of the ledger, so that pages have no bucket in common. */
const APART_MS = 600_000;

test('loses nothing when the lease is taken from a frozen process, and repeats at most the page it was at', async () => {
  const stage = await setStage({});
  const { platform, arrivals, readMark } = stage;
  platform.faults.limitClamp = ROWS_A_PAGE;
  const nowMs = Date.now();
  platform.add(6 * ROWS_A_PAGE, { time: (index) => nowMs - (index + 1) * APART_MS });
  const frozen = await stage.startPoller();
  const other = await stage.startPoller();

  const stopped = Promise.withResolvers<void>();
  let puts = 0;
  frozen.onStep = ({ name, moment }) => {
    if (name !== 'PutEvents' || moment !== 'asked' || ++puts !== ROWS_A_PAGE / 10 + 4) return;
    void frozen.signal('SIGSTOP');
    stopped.resolve();
  };
  const failure = frozen.poll().catch((error: unknown) => error);
  await stopped.promise;
  expect(await other.poll()).toMatchObject({ skipped: 'lease' });
  await stage.endLease();
  expect(await other.poll()).not.toHaveProperty('skipped');
  expect(countDeliveries(platform.trail, arrivals).lost).toEqual([]);

  const mark = await readMark();
  void frozen.signal('SIGCONT');
  expect(await failure).toMatchObject({ errorType: 'LostLeaseError' });
  expect(await readMark()).toEqual(mark);

  // Its page was judged fresh before it froze; what it judges from then on it finds in the other's ledger.
  const { repeated, ...others } = countDeliveries(platform.trail, arrivals);
  expect(others).toEqual({ lost: [], strange: [] });
  expect(repeated.length).toBeGreaterThan(0);
  expect(repeated.length).toBeLessThanOrEqual(ROWS_A_PAGE);
  expect(arrivals.length).toBe(platform.trail.size + repeated.length);
  console.log(`${repeated.length} of ${platform.trail.size} events repeated by the process that lost its lease`);
  for (const { poll } of [frozen, other]) expect(await poll()).toMatchObject({ published: 0 });
});
