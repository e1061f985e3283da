import type { BusEntry, Gap, Mark, PageQuery, ParkedRecord, SeenItem } from '../../shared/relay/ports.ts';
import type { Clockwork } from './clockwork.ts';
import type { Faults } from './faults.ts';
import type { Process } from './process.ts';
import type { Row } from './rows.ts';
import type { Scenario } from './scenario.ts';
import { createCursorWatch } from './watch-cursors.ts';
import { createDeliveryWatch } from './watch-deliveries.ts';

/** What the relay promises, each in a few words. */
export type Check =
  | 'nothing lost'
  | 'cursor passes only what is published'
  | 'cursor never goes back'
  | 'cursor never passes a clock'
  | 'no repeat without cause'
  | 'one page at risk'
  | 'ids are stable'
  | 'start is kept'
  | 'filter is kept'
  | 'gap only where paging ends'
  | 'lease is kept'
  | 'replays are flagged'
  | 'ledger is complete'
  | 'fails only as it may'
  | 'comes to the end';

/** A promise that was broken. */
export interface Violation {
  readonly check: Check;
  readonly message: string;
}

/** One reading of a window, from its first page on. */
export interface Read {
  readonly query: PageQuery;
  readonly atMs: number;
  readonly salt: number;
  /** The rows of the window changed between two pages. */
  drifted: boolean;
  /** The platform refused to page further, or gave the first page again. */
  cut: boolean;
}

/** What one lease, or one replay, was used for. */
export interface Run {
  readonly epoch: number;
  /** A replay holds no lease, repeats what was published, and is promised nothing but that what it writes stays. */
  readonly replay: boolean;
  /** Hashes that a replay wrote to the ledger. */
  readonly written: string[];
  readonly startSeconds: number;
  readonly begunMs: number;
  /** On the clock of the process. */
  readonly leaseEndMs: number;
  readonly cursors: Readonly<Record<string, number>>;
  readonly reads: Read[];
  /** Put on the bus and not in the ledger yet. */
  readonly atRisk: Set<string>;
  /** Rows of the longest page. */
  mostRows: number;
  /** The latest `Date` of an answer; undefined once an answer had none. */
  latestDateMs: number | undefined;
}

/** What both halves of the watch share. */
export interface WatchContext {
  readonly rows: readonly Row[];
  readonly scenario: Scenario;
  readonly clockwork: Clockwork;
  readonly faults: Faults;
  readonly report: (check: Check, message: string) => void;
  readonly trace: ((line: string) => void) | undefined;
  readonly runOf: (process: Process) => Run;
  /** The epoch that the mark has now. */
  readonly epoch: () => number;
  /** Nothing older is promised; infinite where no lease was ever given. */
  readonly startSeconds: () => number;
  /** Promised and not published yet. */
  readonly missing: Set<Row>;
  readonly gaps: Gap[];
}

type Cursors = Readonly<Record<string, number>>;

/** Sees everything that happens outside the relay, and checks what was promised. */
export interface Watch {
  readonly violation: Violation | undefined;
  readonly report: (check: Check, message: string) => void;
  /** A lease was given. */
  began(process: Process, mark: Mark, leaseEndMs: number): void;
  /** A replay begins. */
  replays(process: Process): void;
  /** A replay is done: from now on pollers know what it wrote. */
  replayed(process: Process): void;
  pageAsked(process: Process, query: PageQuery, salt: number): Read;
  pageHeard(process: Process, page: { rows: readonly unknown[]; serverTimeMs?: number }): void;
  pageGivenUp(process: Process, query: PageQuery): void;
  putAsked(process: Process, entries: readonly BusEntry[]): void;
  accepted(process: Process, entry: BusEntry): void;
  putHeard(process: Process, results: readonly { entry: BusEntry; accepted: boolean }[]): void;
  parked(process: Process, record: ParkedRecord): void;
  recorded(process: Process, item: SeenItem): void;
  saved(process: Process, before: Cursors, after: Cursors): void;
  gapNoted(process: Process, gap: Gap): void;
  /** Checks what must hold when all is over. */
  finish(): void;
}

/** Makes the watch of a simulation; only the first violation is kept. */
export function createWatch(parts: {
  rows: readonly Row[];
  scenario: Scenario;
  clockwork: Clockwork;
  faults: Faults;
  trace: ((line: string) => void) | undefined;
}): Watch {
  const { rows, scenario, faults, clockwork, trace } = parts;
  let violation: Violation | undefined;
  let epoch = 0;
  let startSeconds = Number.POSITIVE_INFINITY;
  const runs = new Map<Process, Run>();
  const context: WatchContext = {
    ...parts,
    report(check, message) {
      trace?.(`VIOLATION ${check}: ${message}`);
      violation ??= { check, message };
    },
    runOf(process) {
      const run = runs.get(process);
      if (run === undefined) throw new Error(`${process.name} acts without ever having had a lease`);
      return run;
    },
    epoch: () => epoch,
    startSeconds: () => startSeconds,
    missing: new Set(rows.filter((row) => isWanted(row, scenario) && row.deletedAtMs === Number.POSITIVE_INFINITY)),
    gaps: [],
  };
  const newRun = (process: Process): Run => ({
    epoch: 0,
    replay: false,
    written: [],
    startSeconds: 0,
    begunMs: clockwork.nowMs,
    leaseEndMs: Number.POSITIVE_INFINITY,
    cursors: {},
    reads: [],
    atRisk: new Set(),
    mostRows: runs.get(process)?.mostRows ?? 0,
    latestDateMs: Number.NEGATIVE_INFINITY,
  });
  const cursors = createCursorWatch(context);
  const deliveries = createDeliveryWatch(context);

  return {
    get violation() {
      return violation;
    },
    report: context.report,
    ...cursors,
    ...deliveries,

    replays: (process) => void runs.set(process, { ...newRun(process), replay: true }),

    pageGivenUp: (process, query) => trace?.(`${process.name} waits in vain for ${JSON.stringify(query)}`),

    began(process, mark, leaseEndMs) {
      trace?.(
        `${process.name} leads epoch ${mark.epoch} ${JSON.stringify(mark.cursors)} ${JSON.stringify(mark.learned)}`,
      );
      const before = runs.get(process);
      ({ epoch, startSeconds } = mark);
      runs.set(process, { ...newRun(process), ...mark, leaseEndMs });
      if (before === undefined) faults.count('process takes its first lease');
    },

    finish() {
      cursors.finish();
      deliveries.finish();
    },
  };
}

/** A filter lets what has no type pass. */
export const isWanted = (row: Row, { eventTypes }: Scenario): boolean =>
  eventTypes === undefined || typeof row.record === 'string' || eventTypes.includes(row.type);
