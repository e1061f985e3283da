import { DeadlineError, type TransportError } from '../errors.ts';
import type { Clock, Learned } from './ports.ts';
import type { ReadEnd, Reader } from './read.ts';
import type { Counts, Relay, Run } from './relay.ts';

/** Relays stretches of a trail and learns how long a window may be. */
export interface Stride {
  /** What the next run should start with. */
  readonly learned: Learned;
  /** Seconds that fill one page. */
  readonly secondsAPage: number;
  /** The last answer that did not come in time, if nothing was read whole since. */
  readonly slow: TransportError | undefined;
  /** False where what is left of a run of `runMs` is not worth a further window, as far as this run has told. */
  fits(leftMs: number, runMs: number): boolean;
  /** Gives the end of a window from `fromSeconds` on that should fit into its pages, and into `leftMs` of time. */
  reach(fromSeconds: number, leftMs: number): number;
  /**
   * Relays `fromSeconds` to `toSeconds`, or without an end; undefined where it did not fit and has to be tried smaller.
   * @param window.uncut relays it whatever it takes, because it cannot be cut
   * @throws what relaying throws; {TransportError} where even one second is too slow
   */
  pass(
    window: { fromSeconds: number; toSeconds?: number; uncut?: boolean },
    run: Run,
    counts: Counts,
  ): Promise<Extract<ReadEnd, { kind: 'whole' }> | undefined>;
  /** Tells that a run of `runMs` ended in the middle of the last window. */
  cut(runMs: number): void;
}

/** Window to begin with where nothing is known of how dense a trail is. */
const FIRST_WINDOW_SECONDS = 3_600;
const LONGEST_WINDOW_SECONDS = 90 * 86_400;
/** How much of the pages it may have a window aims to fill: what is over is asked for in vain, what is short leaves a page half empty. */
const FILL = 0.9;
/** How much of the time left a window aims to take: one that is cut is read again by the next run. */
const IN_TIME = 0.8;
/** A window that was given so much of a run and did not fit is too long; less than what the rungs have. */
const FAIR_SHARE = 0.15;
/** Of a run: in its last moments ever smaller windows would be tried, of half a page each. */
const LAST_SHARE = 0.07;
/** How much longer than the last a window may become. */
const MOST_GROWTH = 8;
/** How fast a length that was too slow is forgotten. */
const EASE = 1.15;

/** A stretch that was too full, and how many rows the platform says it has. */
interface Ahead {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly rows: number;
}

/** Makes a stride that goes on from what an earlier run learned. */
export function createStride(parts: {
  relay: Relay;
  reader: Reader;
  clock: Clock;
  learned?: Learned | undefined;
}): Stride {
  const { relay, reader, clock } = parts;
  let windowSeconds = parts.learned?.windowSeconds ?? FIRST_WINDOW_SECONDS;
  let slowSeconds = parts.learned?.slowSeconds;
  let resume = parts.learned?.resume;
  let slow: TransportError | undefined;
  let lastLength = 1;
  let begunMs = clock();
  /** False once a window of this run was cut: the quiet ones after it say nothing of that one. */
  let easing = true;
  /** Of this run's last window; nothing is known before the first. */
  let msPerRow = 0;
  /** True where the platform shows rows from outside a window: cutting it would not help. */
  let unbounded = false;
  /** Good for choosing the next windows, never for more. */
  let ahead: Ahead | undefined;

  const mostRows = (): number => Math.max(1, Math.floor(reader.mostPages * reader.limit * FILL));

  /** Rows that can be relayed in `leftMs`, as far as this run has told. */
  const rowsIn = (leftMs: number): number => (msPerRow === 0 ? Number.POSITIVE_INFINITY : leftMs / msPerRow);

  /** One second may take more than a run: the next one goes on at the page where this one was cut. */
  async function passSecond(second: number, run: Run, counts: Counts): Promise<ReadEnd> {
    const from = resume?.fromSeconds === second ? resume : undefined;
    let reached = from;
    try {
      const relayed = await relay.relayToTheEnd({ fromSeconds: second, toSeconds: second }, run, counts, {
        from,
        onProgress: (progress) => {
          reached = { fromSeconds: second, ...progress };
        },
      });
      resume = undefined;
      return relayed;
    } catch (error) {
      if (error instanceof DeadlineError) resume = reached;
      throw error;
    }
  }

  /** After a whole read that could have held `room` times its rows; a length that was too slow comes back bit by bit. */
  function lengthen(length: number, room: number): void {
    // Only a window of about that length says something about it.
    if (easing && slowSeconds !== undefined && length >= half(slowSeconds)) {
      slowSeconds = Math.ceil(slowSeconds * EASE) + 1;
      if (slowSeconds >= LONGEST_WINDOW_SECONDS) slowSeconds = undefined;
    }
    const fitting = (room > 1 ? Math.ceil : Math.floor)(length * Math.min(MOST_GROWTH, room));
    // A short stretch that was all there is may lengthen the next window, never shorten it.
    const wanted = room >= 1 && length < windowSeconds ? Math.max(windowSeconds, fitting) : fitting;
    const most = slowSeconds === undefined ? LONGEST_WINDOW_SECONDS : half(slowSeconds);
    windowSeconds = Math.max(1, Math.min(wanted, most));
  }

  /** Where a platform shows rows from outside a window, a longer one costs no more. */
  function unbind(): void {
    windowSeconds = LONGEST_WINDOW_SECONDS;
    slowSeconds = undefined;
  }

  function tooLong(length: number): void {
    ahead = undefined;
    windowSeconds = half(length);
    slowSeconds = length;
  }

  return {
    get learned() {
      return { windowSeconds, ...(slowSeconds !== undefined && { slowSeconds }), ...(resume && { resume }) };
    },
    get secondsAPage() {
      return Math.floor(windowSeconds / reader.mostPages);
    },
    get slow() {
      return slow;
    },

    fits: (leftMs, runMs) => rowsIn(leftMs) >= reader.limit && leftMs >= runMs * LAST_SHARE,

    reach(fromSeconds, leftMs) {
      const inTime = rowsIn(leftMs) * IN_TIME;
      if (ahead === undefined || fromSeconds < ahead.fromSeconds || fromSeconds > ahead.toSeconds) {
        return fromSeconds + Math.floor(windowSeconds * Math.min(1, inTime / mostRows())) - 1;
      }
      if (ahead.rows <= Math.min(inTime, reader.mostPages * reader.limit)) return ahead.toSeconds;
      const parts = Math.ceil(ahead.rows / Math.max(1, Math.min(inTime, mostRows())));
      return fromSeconds + Math.floor((ahead.toSeconds - fromSeconds) / parts);
    },

    async pass({ fromSeconds, toSeconds, uncut = false }, run, counts) {
      const length = Math.max(1, (toSeconds ?? Math.floor(clock() / 1000)) - fromSeconds + 1);
      lastLength = length;
      begunMs = clock();
      const rowsInTime = toSeconds === undefined ? Number.POSITIVE_INFINITY : rowsIn(run.deadlineMs - begunMs);
      const window = { fromSeconds, ...(toSeconds !== undefined && { toSeconds }) };
      const relayed =
        toSeconds === fromSeconds
          ? await passSecond(fromSeconds, run, counts)
          : uncut || unbounded
            ? await relay.relayToTheEnd(window, run, counts)
            : await relay.relay(window, run, counts, rowsInTime);

      if (relayed.kind === 'whole') {
        slow = undefined;
        if (relayed.rows >= reader.limit) msPerRow = (clock() - begunMs) / relayed.rows;
        ahead = rest(ahead, toSeconds, relayed.rows);
        if (relayed.outside) unbind();
        else lengthen(length, mostRows() / Math.max(1, relayed.rows));
        unbounded = false;
        return relayed;
      }
      if (relayed.kind === 'too-slow') {
        slow = relayed.failure;
        tooLong(length);
        return undefined;
      }
      const { total, outside } = relayed;
      unbounded = outside;
      if (outside) {
        unbind();
        return undefined;
      }
      // A total that would have fitted does not say why the window did not.
      const most = Math.min(rowsInTime, reader.mostPages * reader.limit);
      const told = total !== undefined && total > most ? total : undefined;
      ahead = told === undefined || toSeconds === undefined ? undefined : { fromSeconds, toSeconds, rows: told };
      const parts = Math.max(2, Math.ceil((told ?? 0) / mostRows()));
      // That little time is left says nothing of the next run's windows.
      if (told === undefined || told > mostRows()) windowSeconds = Math.max(1, Math.floor(length / parts));
      return undefined;
    },

    cut(runMs) {
      // What had little time says nothing; but no window may be too long for every run.
      if (clock() - begunMs < runMs * FAIR_SHARE) return;
      tooLong(lastLength);
      easing = false;
    },
  };
}

/** What is left of a stretch once it was read up to `toSeconds`. */
function rest(ahead: Ahead | undefined, toSeconds: number | undefined, rows: number): Ahead | undefined {
  if (ahead === undefined || toSeconds === undefined || toSeconds >= ahead.toSeconds) return undefined;
  return { ...ahead, fromSeconds: toSeconds + 1, rows: Math.max(0, ahead.rows - rows) };
}

const half = (seconds: number): number => Math.max(1, Math.floor(seconds / 2));
