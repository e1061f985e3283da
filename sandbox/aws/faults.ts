/** Why a request is refused as a whole, e.g. `{ status: 400, code: 'ThrottlingException' }`. */
export interface RequestFault {
  /** HTTP status. */
  readonly status: number;
  readonly code: string;
  /** @default 'Injected fault.' */
  readonly message?: string;
}

/** What goes wrong from now on; change the properties at run time. */
export interface Faults {
  /** True: every connection is reset at once, as where nothing answers any more. */
  down: boolean;
  /** Refuses a request of an operation (e.g. `PutEvents`) before it has an effect. */
  refuse: (operation: string) => RequestFault | undefined;
  /** How long an answer is held back after the effect, in ms. */
  latencyMs: number;
  /** True: the connection is reset after the effect, before the answer. */
  cut: (operation: string) => boolean;
}

/** Starts without a fault. */
export const noFaults = (): Faults => ({ down: false, refuse: () => undefined, latencyMs: 0, cut: () => false });

/** Rolls dice that fall the same way for the same seed: each call is true with the probability `rate` (0 to 1). */
export function createChance({ rate, seed }: { rate: number; seed: number }): () => boolean {
  let state = seed >>> 0;
  return () => {
    // Mulberry32: good enough for dice, and small.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32 < rate;
  };
}
