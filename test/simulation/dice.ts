/** A seeded source of chance; the same seed and label give the same draws on every machine. */
export interface Dice {
  /** A number in [0, 1). */
  next(): number;
  chance(probability: number): boolean;
  /** A whole number, both ends included. */
  int(from: number, to: number): number;
  /** A number between two positive ones, every order of magnitude as likely as the next. */
  spread(from: number, to: number): number;
  /** One of the items, of which there must be some. */
  pick<T>(items: readonly T[]): T;
}

/** Makes dice; a label gives each part of a simulation draws of its own, so that one part's do not move another's. */
export function createDice(seed: number, label: string): Dice {
  let state = seed | 0;
  for (const letter of label) state = Math.imul(state ^ letter.charCodeAt(0), 0x01000193);
  state = mix(state ^ Math.floor(seed / 2 ** 32));

  /** Mulberry32. @see https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    return mix(state) / 2 ** 32;
  };
  return {
    next,
    chance: (probability) => probability > 0 && next() < probability,
    int: (from, to) => from + Math.floor(next() * (to - from + 1)),
    spread: (from, to) => from * (to / from) ** next(),
    pick: <T>(items: readonly T[]) => items[Math.floor(next() * items.length)] as T,
  };
}

function mix(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}
