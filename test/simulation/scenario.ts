import { createDice, type Dice } from './dice.ts';
import { FAULTS, type Fault } from './faults.ts';

/** How the platform behaves; each choice is one that the specification leaves open. */
export interface PlatformManners {
  readonly id: '_id' | 'id' | 'eventId' | '$oid' | 'none';
  readonly time: 'iso' | 'iso seconds' | 'offset' | 'epoch seconds' | 'epoch ms' | 'none';
  readonly afterIncluded: boolean;
  readonly beforeIncluded: boolean;
  /** Times are compared in whole seconds. */
  readonly truncated: boolean;
  readonly order: 'ascending' | 'descending';
  /** How often, per page, rows of the same time change places. */
  readonly shuffle: number;
  readonly total: 'exact' | 'stale' | 'capped' | 'missing' | 'page' | 'unfiltered';
  readonly staleSeconds: number;
  readonly capTotal: number;
  /** What becomes of a `limit` above `pageRows`. */
  readonly limit: 'honoured' | 'clamped' | 'refused' | 'ignored';
  readonly pageRows: number;
  readonly ignoresPage: boolean;
  /** No row past these can be paged to. */
  readonly deepestRow: number;
  readonly tooDeep: 'empty' | 'refused';
  readonly ignoresFilters: boolean;
  readonly types: 'listed' | 'half listed' | 'absent';
  /** Windows longer than this time out. */
  readonly longestWindowSeconds: number;
  /** The `Date` of answers less the true time; undefined where they have none. */
  readonly dateOffMs: number | undefined;
}

/** Everything a simulation is made of, but its chances. */
export interface Scenario {
  readonly agesSeconds: readonly number[];
  readonly overlapSeconds: number;
  readonly eventTypes: readonly string[] | undefined;
  readonly startBackSeconds: number;
  readonly polls: number;
  readonly pollEverySeconds: number;
  readonly invocationMs: number;
  /** Polls after which nothing runs for a while. */
  readonly outages: readonly { readonly afterPoll: number; readonly seconds: number }[];
  readonly rows: number;
  /** Share of the rows that is older than the first poll, and how far back they go. */
  readonly pastShare: number;
  readonly pastSeconds: number;
  /** Rows that share their second with the row before. */
  readonly burstShare: number;
  /** Rows that are shown later than a second after their time. */
  readonly lateShare: number;
  readonly deletedShare: number;
  readonly twinShare: number;
  readonly oddShare: number;
  readonly poisonShare: number;
  readonly platform: PlatformManners;
  readonly rates: Readonly<Record<Fault, number>>;
  /** Windows that are replayed meanwhile. */
  readonly replays: number;
}

/** What may be laid down beforehand. */
export type ScenarioFixed = Partial<Omit<Scenario, 'platform' | 'rates'>> & {
  readonly platform?: Partial<PlatformManners>;
  readonly rates?: Partial<Record<Fault, number>>;
};

export const EVENT_TYPES = ['profile_updated', 'task_closed', 'user_login', 'connection_made'];
const HOUR = 3_600;
const DAY = 86_400;

/** Draws a scenario; what is fixed is not drawn. */
export function drawScenario(seed: number, fixed: ScenarioFixed = {}): Scenario {
  const dice = createDice(seed, 'scenario');
  const lastAge = dice.pick([600, 1_800, 2 * HOUR, DAY]);
  const between = Array.from({ length: dice.int(0, 3) }, () => Math.round(dice.spread(30, lastAge)));
  const agesSeconds = [...new Set([0, ...between, lastAge])].sort((one, other) => one - other);
  const polls = dice.int(15, 45);
  const pollEverySeconds = Math.max(20, Math.round((lastAge * dice.spread(0.5, 3)) / polls));
  const drawnPlatform = drawPlatform(dice);
  const honest = dice.chance(0.15);
  const some = (probability: number, from: number, to: number): number =>
    !honest && dice.chance(probability) ? dice.spread(from, to) : 0;
  const drawn: Scenario = {
    agesSeconds,
    overlapSeconds: dice.pick([0, 20, 120]),
    eventTypes: dice.chance(0.1) ? EVENT_TYPES.slice(0, 2) : undefined,
    startBackSeconds: dice.pick([0, 0, HOUR, 2 * DAY, 40 * DAY]),
    polls,
    pollEverySeconds,
    invocationMs: dice.pick([15_000, 55_000, 55_000, 300_000]),
    outages: Array.from({ length: dice.chance(0.25) ? dice.int(1, 2) : 0 }, () => ({
      afterPoll: dice.int(1, polls - 1),
      seconds: Math.round(dice.spread(HOUR, 5 * DAY)),
    })),
    rows: Math.round(dice.spread(20, 400)),
    pastShare: dice.pick([0, 0.1, 0.5]),
    pastSeconds: Math.round(dice.spread(HOUR, 40 * DAY)),
    burstShare: dice.pick([0, 0.1, 0.5, 0.9]),
    lateShare: some(0.5, 0.02, 0.5),
    deletedShare: some(0.2, 0.01, 0.05),
    twinShare: dice.chance(0.5) ? dice.spread(0.02, 0.3) : 0,
    oddShare: some(0.1, 0.01, 0.1),
    poisonShare: some(0.2, 0.01, 0.1),
    platform: drawnPlatform,
    rates: drawRates(dice, honest),
    replays: dice.chance(0.3) ? dice.int(1, 3) : 0,
  };
  return tame({
    ...drawn,
    ...fixed,
    platform: { ...drawn.platform, ...fixed.platform },
    rates: { ...drawn.rates, ...fixed.rates },
  });
}

function drawPlatform(dice: Dice): PlatformManners {
  const limit = dice.pick(['honoured', 'clamped', 'clamped', 'clamped', 'refused', 'ignored'] as const);
  const pageRows = limit === 'honoured' ? 1_000 : dice.int(dice.chance(0.2) ? 3 : 10, 50);
  return {
    id: dice.pick(['_id', '_id', 'id', 'eventId', '$oid', 'none', 'none']),
    time: dice.pick(['iso', 'iso', 'iso seconds', 'offset', 'epoch seconds', 'epoch ms', 'none']),
    afterIncluded: dice.chance(0.5),
    beforeIncluded: dice.chance(0.5),
    truncated: dice.chance(0.3),
    order: dice.pick(['ascending', 'descending']),
    shuffle: dice.chance(0.2) ? 0.05 : 0,
    total: dice.pick(['exact', 'exact', 'exact', 'stale', 'capped', 'missing', 'missing', 'page', 'unfiltered']),
    staleSeconds: dice.int(5, 300),
    capTotal: dice.int(5, 100),
    limit,
    pageRows,
    ignoresPage: dice.chance(0.08),
    deepestRow: dice.chance(0.15) ? pageRows * dice.int(2, 9) + dice.int(0, 9) : Number.POSITIVE_INFINITY,
    tooDeep: dice.pick(['empty', 'refused']),
    ignoresFilters: dice.chance(0.05),
    types: dice.pick(['listed', 'listed', 'half listed', 'absent']),
    longestWindowSeconds: dice.chance(0.15) ? Math.round(dice.spread(30, DAY)) : Number.POSITIVE_INFINITY,
    dateOffMs: dice.chance(0.2)
      ? undefined
      : dice.chance(0.3)
        ? Math.round(dice.pick([-1, 1]) * dice.spread(500, 600_000))
        : dice.chance(0.1)
          ? 2 * 365 * DAY * 1000
          : 0,
  };
}

/** Highest rate of each fault, per occasion. */
const HIGHEST: Readonly<Record<Fault, number>> = {
  'platform slow': 0.3,
  'platform time-out': 0.2,
  'platform 503': 0.2,
  'platform protocol error': 0.05,
  'platform refuses key': 0.02,
  'platform Date wrong': 0.3,
  'bus throttles entries': 0.5,
  'bus internal failure of entries': 0.3,
  'bus internal failure after accepting': 0.1,
  'bus request failed': 0.3,
  'bus answer lost': 0.2,
  'bus answer too short': 0.05,
  'bus refuses entry for ever': 0.02,
  'bus stops': 0.05,
  'bus slow': 0.2,
  'table write failed': 0.2,
  'table answer lost': 0.2,
  'table write repeated': 0.3,
  'table write cut in half': 0.1,
  'table read failed': 0.1,
  'table slow': 0.2,
  'process crashes': 0.6,
  'process freezes': 0.4,
  'cold start': 0.5,
  'two invocations at once': 0.5,
  'clock seconds off': 1,
  'clock hours off': 0.2,
  'clock years off': 0.1,
};

function drawRates(dice: Dice, honest: boolean): Record<Fault, number> {
  const rates = {} as Record<Fault, number>;
  for (const fault of FAULTS) {
    const share = fault.includes('years') ? 0.1 : 0.3;
    rates[fault] = !honest && dice.chance(share) ? dice.spread(HIGHEST[fault] / 30, HIGHEST[fault]) : 0;
  }
  return rates;
}

/** Takes out what nobody could see through. */
function tame(scenario: Scenario): Scenario {
  const { platform } = scenario;
  // Where bounds are ignored and the whole trail cannot be paged through either, nothing shows the rest.
  const helpless = platform.ignoresFilters;
  // A page shorter than ten rows passes for the last one unless a true `total` says that there are more.
  const shortest = platform.total === 'exact' && platform.limit !== 'refused' ? 3 : 10;
  const pageRows = helpless && platform.limit === 'refused' ? 20 : Math.max(shortest, platform.pageRows);
  // A second page that is empty looks like the end; nobody pages no further than one.
  const deepestRow = Math.max(platform.deepestRow, pageRows * 2);
  // Full pages and nothing after them look like the end of what can be paged to, in every window.
  const fewRows = Math.min(scenario.rows, pageRows * 8);
  const rows = fewRows % pageRows === 0 ? fewRows - 1 : fewRows;
  const outageSeconds = scenario.outages.reduce((sum, { seconds }) => sum + seconds, 0);
  const spanSeconds = scenario.startBackSeconds + outageSeconds + scenario.polls * scenario.pollEverySeconds;
  const longestPauseSeconds = Math.max(scenario.pollEverySeconds, quietSeconds(scenario));
  return {
    ...scenario,
    ...(helpless && { rows, deletedShare: 0 }),
    twinShare: platform.id === 'none' ? scenario.twinShare : 0,
    platform: {
      ...platform,
      pageRows,
      // A paging cap and a `total` that is wrong in just the same place cover for each other.
      ...(deepestRow < Number.POSITIVE_INFINITY && {
        total: platform.total === 'stale' || platform.total === 'page' ? 'missing' : platform.total,
        capTotal: Math.max(platform.capTotal, deepestRow + 1),
      }),
      // Rows without ids that change places between pages look like twins.
      shuffle: platform.id === 'none' || scenario.oddShare > 0 ? 0 : platform.shuffle,
      deepestRow,
      // Where neither a true `total` nor a whole list of types tells, what lies past the last page cannot be missed.
      types: platform.total === 'exact' || platform.types === 'absent' ? platform.types : 'listed',
      // A platform that manages less than what comes between two polls can never be caught up with.
      longestWindowSeconds: Math.max(platform.longestWindowSeconds, spanSeconds / 30, longestPauseSeconds * 3),
      ...(helpless && {
        // Only the times of rows show that they are from elsewhere.
        time: platform.time === 'none' ? 'iso' : platform.time,
        ignoresPage: false,
        deepestRow: Number.POSITIVE_INFINITY,
        longestWindowSeconds: Number.POSITIVE_INFINITY,
      }),
    },
  };
}

/** Seconds between polls once nothing goes wrong any more: every rung gets its turn soon. */
export const quietSeconds = ({ pollEverySeconds, agesSeconds, invocationMs }: Scenario): number =>
  Math.max(pollEverySeconds, (agesSeconds.at(-1) ?? 0) / 6, invocationMs / 1000 + 1);
