const ISO = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|[+-]\d{2}:?\d{2})?$/i;
const EPOCH = /^\d{9,16}(?:\.\d+)?$/;
/** The last moment that four digits of a year can say. */
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Whole seconds since the Unix epoch, rounded down. */
export const toSeconds = (timeMs: number): number => Math.floor(timeMs / 1000);

/** ISO 8601 in UTC without milliseconds, which some servers refuse. */
export const isoSeconds = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

/** Reads a time as platforms write it: ISO 8601 (UTC where no offset is given), or an epoch in seconds, milliseconds or microseconds. */
export function parseTimeMs(value: unknown): number | undefined {
  const timeMs =
    typeof value === 'number' ? fromEpoch(value) : typeof value === 'string' ? fromText(value.trim()) : undefined;
  return timeMs !== undefined && timeMs > 0 && timeMs <= LATEST_MS ? timeMs : undefined;
}

function fromText(text: string): number | undefined {
  if (EPOCH.test(text)) return fromEpoch(Number(text));
  const match = ISO.exec(text);
  const timeMs = match === null ? Date.parse(text) : Date.parse(`${match[1]}T${match[2]}${offset(match[3])}`);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

const offset = (text = 'Z'): string =>
  text.length === 5 ? `${text.slice(0, 3)}:${text.slice(3)}` : text.toUpperCase();

/** Seconds until the year 5138, milliseconds from 1973 on: the two ranges do not meet. */
const fromEpoch = (value: number): number =>
  Math.floor(value < 1e11 ? value * 1000 : value < 1e14 ? value : value / 1000);
