import type { Clockwork } from './clockwork.ts';
import type { Dice } from './dice.ts';

/** Something a process asks the outside world to do. */
export interface Errand<T> {
  readonly tookMs: number;
  /** Done out there at some moment before the answer; what it throws is the answer. */
  readonly effect: () => T;
  /** Turns what was done into what the process hears; may throw though it was done. */
  readonly answer?: (done: T) => T;
}

/** A process that runs the relay: with a clock of its own, and mortal. */
export interface Process {
  readonly name: string;
  /** Its clock less the true time. */
  readonly skewMs: number;
  readonly alive: boolean;
  clock(): number;
  /** Sends an errand; the promise stays open for ever if the process dies meanwhile. */
  send<T>(errand: Errand<T>): Promise<T>;
  /** Ends it at once; what it has sent may still be done, or not, or later. */
  kill(): void;
  /** Nothing reaches it until then. */
  freeze(untilMs: number): void;
  readonly frozen: boolean;
}

/** Makes a process; `heard` is called before every answer that it gets. */
export function createProcess(parts: {
  name: string;
  skewMs: number;
  clockwork: Clockwork;
  dice: Dice;
  heard: () => void;
}): Process {
  const { name, skewMs, clockwork, dice, heard } = parts;
  let alive = true;
  let frozenUntilMs = 0;

  function deliver(settle: () => void): void {
    if (!isFrozen()) {
      if (alive) heard();
      if (!alive) return;
      // Hearing may just have frozen it.
      if (!isFrozen()) {
        settle();
        clockwork.wake();
        return;
      }
    }
    clockwork.at(frozenUntilMs, () => deliver(settle));
  }

  const isFrozen = (): boolean => clockwork.nowMs < frozenUntilMs;

  /** What a dead process had sent gets through, gets lost, or comes late. */
  function getThrough(act: () => void): void {
    if (alive) act();
    else if (dice.chance(0.5)) clockwork.at(clockwork.nowMs + (dice.chance(0.5) ? 0 : dice.spread(10, 120_000)), act);
  }

  return {
    name,
    skewMs,
    get alive() {
      return alive;
    },
    get frozen() {
      return isFrozen();
    },
    clock: () => Math.floor(clockwork.nowMs + skewMs),

    send({ tookMs, effect, answer = (done) => done }) {
      return new Promise((resolve, reject) => {
        const answerMs = clockwork.nowMs + tookMs;
        const act = (): void => {
          try {
            const heardOf = answer(effect());
            clockwork.at(answerMs, () => deliver(() => resolve(heardOf)));
          } catch (error) {
            clockwork.at(answerMs, () => deliver(() => reject(error)));
          }
        };
        clockwork.at(clockwork.nowMs + tookMs * dice.next(), () => getThrough(act));
      });
    },

    kill() {
      alive = false;
    },

    freeze(untilMs) {
      frozenUntilMs = untilMs;
    },
  };
}
