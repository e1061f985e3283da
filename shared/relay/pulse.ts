import type { Clock } from './ports.ts';

/** What a source did since it was asked last. */
export interface PulseCounts {
  published: number;
  parked: number;
  /** Requests for messages or lists. */
  polls: number;
  failures: number;
}

/**
 * How a source is: `fine`, also while it waits for its turn; `failing`, though it tries; `off`, because the platform does
 * not serve it; `stuck`, though it should have moved by now.
 */
export type Health = 'fine' | 'failing' | 'off' | 'stuck';

/** The pulse of a source; it tells a quiet one from one that stands still. */
export interface Pulse {
  readonly stream: string;
  readonly counts: PulseCounts;
  /** Says that the source moves now, and will again within `ms`. */
  expectWithin(ms: number): void;
  /** Says that something went well. */
  worked(): void;
  failed(error: unknown): void;
  /** Says that the platform does not serve this source, until something goes well. */
  switchOff(): void;
  /** True from `switchOff` to `worked`. */
  readonly off: boolean;
  /** What it has failed with since something last went well. */
  readonly failure: unknown;
  health(): Health;
  /** Gives the counts and begins at zero. */
  takeCounts(): PulseCounts;
}

/** A machine may be busy, and clients retry on their own for a while. */
const GRACE_MS = 90_000;
/** One fault is no illness. */
const FAILING_AFTER_MS = 60_000;

/** Makes the pulse of a stream's source. */
export function createPulse({ stream, clock }: { stream: string; clock: Clock }): Pulse {
  let dueMs = clock();
  let failingSinceMs: number | undefined;
  let failure: unknown;
  let off = false;
  let counts = noCounts();

  return {
    stream,
    get counts() {
      return counts;
    },
    expectWithin(ms) {
      dueMs = clock() + ms;
    },
    worked() {
      failingSinceMs = undefined;
      failure = undefined;
      off = false;
    },
    failed(error) {
      counts.failures += 1;
      failingSinceMs ??= clock();
      failure = error;
    },
    switchOff() {
      off = true;
    },
    get off() {
      return off;
    },
    get failure() {
      return failure;
    },
    health() {
      const nowMs = clock();
      if (nowMs > dueMs + GRACE_MS) return 'stuck';
      if (off) return 'off';
      return failingSinceMs !== undefined && nowMs - failingSinceMs >= FAILING_AFTER_MS ? 'failing' : 'fine';
    },
    takeCounts() {
      const taken = counts;
      counts = noCounts();
      return taken;
    },
  };
}

const noCounts = (): PulseCounts => ({ published: 0, parked: 0, polls: 0, failures: 0 });
