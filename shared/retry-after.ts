/** Longer waits are cut: a server that asks for more is asked again all the same, once an hour. */
const LONGEST_WAIT_MS = 3_600_000;

/** Reads a `Retry-After` header, in seconds or as a date, as a wait in ms. */
export function parseRetryAfterMs(header: string | string[] | undefined, nowMs: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (text === undefined || text === '') return undefined;
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(0, waitMs), LONGEST_WAIT_MS);
}
