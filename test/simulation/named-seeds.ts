import type { ScenarioFixed } from './scenario.ts';

/** A hard case that was met once; what makes it hard is laid down, so that it stays hard when the drawing changes. */
export interface NamedSeed {
  readonly name: string;
  /** The one that showed it; its neighbours are as hard. */
  readonly seed: number;
  readonly fixed: ScenarioFixed;
}

const DAY = 86_400;

/** Hard cases by name. */
export const NAMED_SEEDS: readonly NamedSeed[] = [
  {
    // The clock that was believed last must not decide whether anything is asked.
    name: 'goes on after a `Date` that was once years in the past',
    seed: 14,
    fixed: { platform: { dateOffMs: 636 }, rates: { 'platform Date wrong': 0.05 } },
  },
  {
    // 20 s of waiting for an answer do not fit into 15 s: the deadline must teach what a time-out teaches.
    name: 'gets on where a window takes longer than an invocation',
    seed: 5,
    fixed: { invocationMs: 15_000, platform: { longestWindowSeconds: 8_695, dateOffMs: 0 } },
  },
  {
    // Parking a neighbour takes a write of its own, which may fail after the bus has accepted the others.
    name: 'remembers what a batch got through though one of it could not be parked',
    seed: 141,
    fixed: { poisonShare: 0.1, rates: { 'table write failed': 0.15 } },
  },
  {
    // The same page again proves nothing about the length of pages.
    name: 'keeps its page length where `page` is ignored and `total` counts everything',
    seed: 140,
    fixed: {
      platform: { ignoresPage: true, ignoresFilters: false, total: 'unfiltered', limit: 'clamped', pageRows: 19 },
    },
  },
  {
    // More rows in a second than any page shows: what is missing must be a gap.
    name: 'notes a gap where a second holds more than a page and there is only one page',
    seed: 248,
    fixed: {
      burstShare: 0.9,
      rows: 164,
      platform: { ignoresPage: true, ignoresFilters: false, total: 'exact', limit: 'clamped', pageRows: 35 },
    },
  },
  {
    // A read that ends in a gap has a `Date`, too.
    name: 'stays behind a `Date` that is behind where seconds are too full',
    seed: 178,
    fixed: {
      burstShare: 0.5,
      platform: { ignoresFilters: true, total: 'capped', limit: 'clamped', pageRows: 10, dateOffMs: -60_820 },
    },
  },
  {
    // Reading the same rows again must not make twins of them.
    name: 'counts no twins on pages that are all the first',
    seed: 331,
    fixed: {
      twinShare: 0.03,
      platform: { id: 'none', ignoresPage: true, ignoresFilters: false, total: 'page', limit: 'clamped', pageRows: 20 },
    },
  },
  {
    // What one rung learned about its window was once used to cut the other's, in turns, for ever.
    name: 'catches up on two rungs whose windows are both too full',
    seed: 445,
    fixed: {
      agesSeconds: [0, 46, 173, 529, 7_200],
      rows: 345,
      platform: { ignoresPage: true, ignoresFilters: false, total: 'exact', limit: 'clamped', pageRows: 12 },
    },
  },
  {
    // Everything that may be in the way of two processes at once.
    name: 'hands over between processes that crash, freeze and overlap',
    seed: 1,
    fixed: {
      lateShare: 0.3,
      rates: {
        'process crashes': 0.6,
        'process freezes': 0.4,
        'two invocations at once': 0.5,
        'cold start': 0.5,
        'table answer lost': 0.1,
      },
    },
  },
  {
    // Older than the ledger keeps ids, counted from the event.
    name: 'publishes a past of 40 days once',
    seed: 2,
    fixed: { startBackSeconds: 40 * DAY, pastShare: 0.5, pastSeconds: 40 * DAY, rates: { 'process crashes': 0.3 } },
  },
  {
    // At an open end, newest first, everything that arrives pushes a row on to the next page: in each of three reads.
    name: 'takes no row for a twin that arrivals move from page to page',
    seed: 30_034_824,
    fixed: {
      pollEverySeconds: 24,
      platform: { id: 'none', order: 'descending', total: 'exact', limit: 'refused', pageRows: 40 },
    },
  },
];
