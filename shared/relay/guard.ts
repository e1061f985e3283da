import type { Normaliser, Places, Sighting } from './normalise.ts';

/** Watches whether records keep their shape; it counts and tells, and never stops anything. */
export interface Guard {
  /** Looks at records that are seen for the first time. */
  look(sightings: readonly Sighting[]): void;
  /**
   * Compares what was seen with what is remembered, once enough was seen.
   * @returns undefined where too little was seen; the places to remember, and the names of what moved
   */
  conclude(remembered: Partial<Places> | undefined): { places: Places; moved: readonly (keyof Places)[] } | undefined;
}

/** Fewer records say nothing of the rest: types of events differ in shape. */
const LEAST = 20;
/** Enough to judge by; looking at all would cost more than it tells. */
const MOST = 200;
const NAMES = ['id', 'time', 'type', 'actor'] as const;

/** Makes a guard; it goes on over runs until it has seen enough. */
export function createGuard({ normaliser }: { normaliser: Normaliser }): Guard {
  let seen: Places[] = [];

  return {
    look(sightings) {
      for (const { record } of sightings.slice(0, MOST - seen.length)) seen.push(normaliser.placesOf(record));
    },

    conclude(remembered) {
      if (seen.length < LEAST) return undefined;
      const places = Object.fromEntries(NAMES.map((name) => [name, mostly(seen.map((place) => place[name]))]));
      seen = [];
      const known = remembered ?? {};
      const moved = NAMES.filter((name) => known[name] !== undefined && known[name] !== places[name]);
      return { places: places as unknown as Places, moved };
    },
  };
}

function mostly(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((most, pair) => (pair[1] > most[1] ? pair : most))[0];
}
