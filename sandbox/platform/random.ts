/** A seeded source of chance: the same seed gives the same run of values. */
export interface Random {
  /** Gives a number from 0 up to, but never, 1. */
  next(): number;
  /** Gives a whole number from `0` to `count - 1`. */
  below(count: number): number;
  /** Gives one member of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** Gives another source of chance that draws independently of this one. */
  fork(): Random;
  /** Gives true in about `share` of the calls. */
  chance(share: number): boolean;
}

/** Creates a source of chance for a seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // Mulberry32: one addition and two multiplications a draw, good enough for a stand-in.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    next,
    below,
    pick: (list) => list[below(list.length)]!,
    chance: (share) => next() < share,
    fork: () => createRandom(below(2 ** 32)),
  };
}

/** Creates a picker that gives each index of `weights` as often as its weight says. */
export function createWeightedPicker(weights: readonly number[], random: Random): () => number {
  let sum = 0;
  const sums = weights.map((weight) => {
    sum += weight;
    return sum;
  });
  return () => {
    const drawn = random.next() * sum;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle]! > drawn) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/** Makes ids of 24 hex digits: creation time in epoch seconds (8), a fixed part (10), a counter (6). */
export type MakeObjectId = (timeMs: number) => string;

/** Creates a maker of object ids that never gives one twice within 16 million. */
export function createObjectIds(random: Random): MakeObjectId {
  const fixed = randomHex(10, random);
  let counter = random.below(2 ** 24);
  return (timeMs) => {
    counter = (counter + 1) % 2 ** 24;
    return hex(Math.floor(timeMs / 1000), 8) + fixed + hex(counter, 6);
  };
}

/** Gives `length` random hex digits. */
export function randomHex(length: number, random: Random): string {
  return Array.from({ length }, () => random.below(16).toString(16)).join('');
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
