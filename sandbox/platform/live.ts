import type { Random } from './random.ts';

/** Activity that goes on at a rate. It needs no timer: whoever looks catches up first. */
export interface Live {
  /** Lets everything happen that was due by now. */
  catchUp(): void;
  /** Goes on at another rate from now on; 0 stops. */
  setRate(eventsPerMinute: number): void;
}

/** Creates activity at rest; `happen` is called with the time of each event, in order, at exponentially spread gaps. */
export function createLive(from: { random: Random; clock: () => number; happen: (timeMs: number) => void }): Live {
  const { random, clock, happen } = from;
  let meanGapMs = Number.POSITIVE_INFINITY;
  let nextMs = Number.POSITIVE_INFINITY;
  const gapMs = () => -Math.log(1 - random.next()) * meanGapMs;
  const catchUp = () => {
    const nowMs = clock();
    for (; nextMs <= nowMs; nextMs += gapMs()) happen(Math.floor(nextMs));
  };
  return {
    catchUp,
    setRate(eventsPerMinute) {
      catchUp();
      meanGapMs = 60_000 / eventsPerMinute;
      nextMs = eventsPerMinute > 0 ? clock() + gapMs() : Number.POSITIVE_INFINITY;
    },
  };
}
