import { createClockwork } from './clockwork.ts';
import { createDice, type Dice } from './dice.ts';
import { createFaults, type Faults } from './faults.ts';
import { createHost, type Host } from './host.ts';
import { createPlatform } from './platform.ts';
import { drawRows, type Row } from './rows.ts';
import { drawScenario, quietSeconds, type Scenario, type ScenarioFixed } from './scenario.ts';
import { createTable } from './table.ts';
import { createWatch, type Violation } from './watch.ts';
import { MOST_AHEAD_MS } from './watch-cursors.ts';

/** How a simulation came out. */
export interface Outcome {
  readonly seed: number;
  /** The first promise that was broken. */
  readonly violation?: Violation;
  /** How often each thing happened. */
  readonly counts: ReadonlyMap<string, number>;
}

const ORIGIN_MS = Date.UTC(2026, 10, 2);
const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;
/** A clock further off than this is set right when the faults stop. */
const FAR_OFF_MS = HOUR_MS / 2;
/** Polls after the faults have stopped in which the relay has to come to the end. */
const MOST_QUIET_POLLS = 150;
/** A world takes some thousand steps. */
const MOST_STEPS = 200_000;
const MOST_HOSTS = 5;

/** Plays the relay against a world that is drawn from the seed; the same seed plays the same. */
export async function simulate(
  seed: number,
  options: { fixed?: ScenarioFixed; trace?: (line: string) => void } = {},
): Promise<Outcome> {
  const scenario = drawScenario(seed, options.fixed);
  const dice = createDice(seed, 'processes');
  const faults = createFaults({ dice: createDice(seed, 'faults'), rates: scenario.rates });
  const tickMs = planTicks(scenario);
  const clockwork = createClockwork(ORIGIN_MS);
  const trace =
    options.trace &&
    ((line: string): void => options.trace?.(`${((clockwork.nowMs - ORIGIN_MS) / 1000).toFixed(3)}\t${line}`));
  const rows = drawRows({ dice: createDice(seed, 'rows'), scenario, tickMs, marginMs: MOST_AHEAD_MS });
  const shared = { scenario, faults, clockwork, trace };
  const watch = createWatch({ ...shared, rows });
  const platform = createPlatform({ ...shared, rows, dice: createDice(seed, 'platform'), watch });
  const table = createTable({ ...shared, dice: createDice(seed, 'table'), watch });
  const hosts: Host[] = [];
  if (trace) traceWorld(trace, scenario, rows);

  function pickHost(): Host {
    const idle = hosts.filter(({ process, busy }) => process.alive && !busy && !process.frozen);
    const warm = idle.at(-1);
    if (warm !== undefined && !faults.happens('cold start')) return warm;
    while (hosts.length > MOST_HOSTS) hosts.shift();
    // A start that lies years back leaves years of an empty trail to read, which proves nothing.
    const first = Object.keys(table.cursors).length === 0;
    const skewMs = drawSkewMs({ scenario, faults, dice, first });
    const host = createHost({ ...shared, name: `process-${started++}`, skewMs, platform, table, dice, watch });
    hosts.push(host);
    return host;
  }
  let started = 0;

  for (const timeMs of tickMs) {
    clockwork.at(timeMs, () => {
      pickHost().invoke();
      if (faults.happens('two invocations at once')) pickHost().invoke();
    });
  }
  const replayDice = createDice(seed, 'replays');
  for (let replay = 0; replay < scenario.replays; replay++) {
    // Polls that begin meanwhile are what may go wrong.
    const timeMs = replayDice.pick(tickMs) - replayDice.int(0, 5_000);
    clockwork.at(Math.max(ORIGIN_MS, timeMs), () => pickHost().replay(drawWindow(replayDice, rows, timeMs)));
  }
  let quietPolls = 0;
  let over = false;
  const lastSecond = Math.floor((rows.at(-1)?.timeMs ?? 0) / 1000);
  const quietEveryMs = quietSeconds(scenario) * 1000;

  function pollQuietly(): void {
    over = scenario.agesSeconds.every((age) => (table.cursors[age] ?? 0) >= lastSecond);
    if (over) {
      watch.finish();
      return;
    }
    if (quietPolls === MOST_QUIET_POLLS) {
      watch.report('comes to the end', `${JSON.stringify(table.cursors)} is not at ${lastSecond}`);
      return;
    }
    // A clock that was years ahead may have left a lease that ends years ahead.
    const waitMs = table.leaseEndMs + 1_000 - clockwork.nowMs;
    if (waitMs > HOUR_MS) {
      clockwork.at(clockwork.nowMs + waitMs, pollQuietly);
      return;
    }
    quietPolls += 1;
    pickHost().invoke();
    clockwork.at(clockwork.nowMs + quietEveryMs, pollQuietly);
  }

  clockwork.at((tickMs.at(-1) ?? 0) + 1, () => {
    trace?.('the faults stop');
    faults.stop();
    for (const { process } of hosts) if (Math.abs(process.skewMs) > FAR_OFF_MS) process.kill();
    clockwork.at(clockwork.nowMs + quietEveryMs, pollQuietly);
  });
  await clockwork.run(() => over || watch.violation !== undefined || clockwork.steps > MOST_STEPS);
  if (clockwork.steps > MOST_STEPS) watch.report('comes to the end', `${MOST_STEPS} steps were not enough`);
  faults.count(`total ${scenario.platform.total}`);
  return { seed, counts: faults.counts, ...(watch.violation && { violation: watch.violation }) };
}

/** A stretch that begins at some row. */
function drawWindow(dice: Dice, rows: readonly Row[], nowMs: number): { fromSeconds: number; toSeconds: number } {
  const fromSeconds = Math.floor(dice.pick(rows).timeMs / 1000) - dice.int(0, 100);
  const toSeconds = Math.min(Math.floor(nowMs / 1000), fromSeconds + Math.round(dice.spread(1, 40 * 86_400)));
  return { fromSeconds, toSeconds };
}

/** When the polls are due. */
function planTicks({ polls, pollEverySeconds, outages }: Scenario): number[] {
  const ticks: number[] = [];
  let timeMs = ORIGIN_MS;
  for (let poll = 0; poll <= polls; poll++) {
    ticks.push(timeMs);
    timeMs += pollEverySeconds * 1000;
    for (const { afterPoll, seconds } of outages) if (afterPoll === poll) timeMs += seconds * 1000;
  }
  return ticks;
}

/** A local clock ahead of the truth does no harm where the `Date` of answers is right, else only a little is bearable. */
function drawSkewMs(parts: { scenario: Scenario; faults: Faults; dice: Dice; first: boolean }): number {
  const { scenario, faults, dice, first } = parts;
  const { dateOffMs } = scenario.platform;
  const guarded = dateOffMs !== undefined && dateOffMs <= 0 && scenario.rates['platform Date wrong'] === 0;
  // The start of the whole relay is read off the first clock.
  const most =
    !first && faults.happens('clock years off')
      ? 3 * YEAR_MS
      : !first && faults.happens('clock hours off')
        ? 9 * HOUR_MS
        : faults.happens('clock seconds off')
          ? 60_000
          : 0;
  const skewMs = Math.round((2 * dice.next() - 1) * most);
  return guarded ? skewMs : Math.min(skewMs, MOST_AHEAD_MS - 1_000);
}

function traceWorld(
  trace: (line: string) => void,
  scenario: Scenario,
  rows: readonly { timeMs: number; shownAtMs: number }[],
): void {
  trace(JSON.stringify(scenario));
  for (const { timeMs, shownAtMs, ...row } of rows) {
    trace(`row at ${(timeMs - ORIGIN_MS) / 1000} shown at ${(shownAtMs - ORIGIN_MS) / 1000}: ${JSON.stringify(row)}`);
  }
}
