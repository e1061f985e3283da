import type { TransportError } from '../errors.ts';
import type { Clock, Learned } from './ports.ts';
import type { Reader } from './read.ts';
import type { Counts, Relay, Relayed, Run } from './relay.ts';

/** Relays stretches of a trail and learns how long a window may be. */
export interface Stride {
  readonly learned: Learned;
  /** Seconds that fill one page. */
  readonly secondsAPage: number;
  /** The last answer that did not come in time, if nothing was read whole since. */
  readonly slow: TransportError | undefined;
  /**
   * Relays `fromSeconds` to `toSeconds`, or without an end; undefined where it did not fit and has to be tried smaller.
   * @throws what relaying throws; {TransportError} where even one second is too slow
   */
  pass(
    window: { fromSeconds: number; toSeconds?: number },
    run: Run,
    counts: Counts,
  ): Promise<Extract<Relayed, { kind: 'whole' }> | undefined>;
  /** Tells that a run ended before even one window was read. */
  halve(): void;
}

/** Window to begin with where nothing is known of how dense a trail is. */
const FIRST_WINDOW_SECONDS = 3_600;
const LONGEST_WINDOW_SECONDS = 90 * 86_400;
/** How much of the pages it may have a window aims to fill: what is over is read twice, what is short is asked for in vain. */
const FILL = 0.9;
/** How much longer than the last a window may become. */
const MOST_GROWTH = 8;
/** How fast a length that was too slow is forgotten. */
const EASE = 1.15;

/** Makes a stride that goes on from what an earlier run learned. */
export function createStride(parts: {
  relay: Relay;
  reader: Reader;
  clock: Clock;
  learned?: Learned | undefined;
}): Stride {
  const { relay, reader, clock } = parts;
  let learned: Learned = parts.learned ?? { windowSeconds: FIRST_WINDOW_SECONDS };
  let slow: TransportError | undefined;

  return {
    get learned() {
      return learned;
    },
    get secondsAPage() {
      return Math.floor(learned.windowSeconds / reader.mostPages);
    },
    get slow() {
      return slow;
    },

    async pass({ fromSeconds, toSeconds }, run, counts) {
      const length = Math.max(1, (toSeconds ?? Math.floor(clock() / 1000)) - fromSeconds + 1);
      const relayed =
        toSeconds === fromSeconds
          ? await relay.relayToTheEnd({ fromSeconds, toSeconds }, run, counts)
          : await relay.relay({ fromSeconds, ...(toSeconds !== undefined && { toSeconds }) }, run, counts);
      if (relayed.kind === 'whole') {
        slow = undefined;
        learned = lengthen(
          learned,
          length,
          Math.floor(reader.mostPages * reader.limit * FILL) / Math.max(1, relayed.rows),
        );
        return relayed;
      }
      if (relayed.kind === 'too-slow') {
        slow = relayed.failure;
        if (length === 1) throw slow;
        learned = { windowSeconds: half(length), slowSeconds: length };
      } else {
        const { total } = relayed;
        const share = total === undefined ? 0.5 : Math.min(0.9, (reader.mostPages * reader.limit * FILL) / total);
        learned = { ...learned, windowSeconds: Math.max(1, Math.floor(length * share)) };
      }
      return undefined;
    },

    halve() {
      learned = { ...learned, windowSeconds: half(learned.windowSeconds) };
    },
  };
}

const half = (seconds: number): number => Math.max(1, Math.floor(seconds / 2));

/** After a whole read that could have held `room` times its rows; a length that was too slow comes back bit by bit. */
function lengthen({ windowSeconds, slowSeconds }: Learned, length: number, room: number): Learned {
  const fitting = Math.floor(length * Math.min(MOST_GROWTH, room));
  // A short stretch that was all there is may lengthen the next window, never shorten it.
  const wanted = room >= 1 && length < windowSeconds ? Math.max(windowSeconds, fitting) : fitting;
  const eased = slowSeconds === undefined ? Number.POSITIVE_INFINITY : Math.ceil(slowSeconds * EASE) + 1;
  return {
    windowSeconds: Math.max(1, Math.min(wanted, LONGEST_WINDOW_SECONDS, half(eased))),
    ...(eased < LONGEST_WINDOW_SECONDS && { slowSeconds: eased }),
  };
}
