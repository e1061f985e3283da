import type { Dice } from './dice.ts';

/** What may go wrong, each at a rate of its own for every occasion. */
export const FAULTS = [
  'platform slow',
  'platform time-out',
  'platform 503',
  'platform protocol error',
  'platform refuses key',
  'platform Date wrong',
  'bus throttles entries',
  'bus internal failure of entries',
  'bus internal failure after accepting',
  'bus request failed',
  'bus answer lost',
  'bus answer too short',
  'bus refuses entry for ever',
  'bus stops',
  'bus slow',
  'table write failed',
  'table answer lost',
  'table write repeated',
  'table write cut in half',
  'table read failed',
  'table slow',
  'process crashes',
  'process freezes',
  'cold start',
  'two invocations at once',
  'clock seconds off',
  'clock hours off',
  'clock years off',
] as const;
export type Fault = (typeof FAULTS)[number];

/** Decides what goes wrong, and counts it. */
export interface Faults {
  /** True where it goes wrong this time. */
  happens(fault: Fault): boolean;
  /** The same without counting it: it may yet come to nothing. */
  threatens(fault: Fault): boolean;
  /** Counts something that is not drawn here. */
  count(what: string): void;
  /** Nothing goes wrong any more. */
  stop(): void;
  readonly counts: ReadonlyMap<string, number>;
}

/** Makes the faults of a simulation. */
export function createFaults(parts: { dice: Dice; rates: Readonly<Record<Fault, number>> }): Faults {
  const { dice, rates } = parts;
  const counts = new Map<string, number>();
  let stopped = false;
  function count(what: string): void {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const threatens = (fault: Fault): boolean => !stopped && dice.chance(rates[fault]);
  return {
    counts,
    count,
    threatens,
    happens(fault) {
      const bad = threatens(fault);
      if (bad) count(fault);
      return bad;
    },
    stop() {
      stopped = true;
    },
  };
}
