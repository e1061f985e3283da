/** How long to wait before trying again. */
export interface Backoff {
  /** Upper bound of the first wait. */
  readonly baseMs: number;
  /** Upper bound of any wait. */
  readonly capMs: number;
}

/**
 * Draws the wait before retry number `attempt` (from 0) from zero to an exponentially growing bound.
 * @see https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/
 */
export const fullJitterMs = (attempt: number, { baseMs, capMs }: Backoff, random: () => number): number =>
  Math.round(random() * Math.min(capMs, baseMs * 2 ** Math.min(attempt, 30)));
