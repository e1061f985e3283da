import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoSeconds, parseTimeMs, toSeconds } from '../../shared/relay/time.ts';

const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const anyTimeMs = fc.integer({ min: 1, max: LATEST_MS });
/** From 1973 on milliseconds have more digits than seconds until 5138. */
const epochMs = fc.integer({ min: 1e11, max: 1e14 - 1 });

test('reads every ISO time back that was written, whatever its offset', () => {
  const offsets = fc.integer({ min: -14 * 60, max: 14 * 60 });
  fc.assert(
    fc.property(anyTimeMs, offsets, fc.boolean(), (timeMs, minutes, colon) => {
      const local = new Date(timeMs + minutes * 60_000);
      fc.pre(local.getUTCFullYear() <= 9999);
      const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
        String(part).padStart(2, '0'),
      );
      const offset = `${minutes < 0 ? '-' : '+'}${hours}${colon ? ':' : ''}${rest}`;
      expect(parseTimeMs(local.toISOString().replace('Z', offset))).toBe(timeMs);
    }),
  );
});

test('reads an epoch in seconds, milliseconds and microseconds, as a number and as a text', () => {
  fc.assert(
    fc.property(epochMs, (timeMs) => {
      const seconds = toSeconds(timeMs);
      for (const [value, expected] of [
        [timeMs, timeMs],
        [seconds, seconds * 1000],
        [timeMs * 1000, timeMs],
      ] as const) {
        fc.pre(value <= Number.MAX_SAFE_INTEGER && seconds < 1e11);
        expect([parseTimeMs(value), parseTimeMs(String(value))]).toEqual([expected, expected]);
      }
    }),
  );
});

test('gives a time between 1970 and 9999 or none, whatever it is given', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.string(), fc.double()), (value) => {
      const timeMs = parseTimeMs(value);
      if (timeMs === undefined) return;
      expect(Number.isInteger(timeMs)).toBe(true);
      expect(timeMs > 0 && timeMs <= LATEST_MS).toBe(true);
    }),
  );
});

test.each([
  ['2026-01-15T12:00:00Z', Date.UTC(2026, 0, 15, 12)],
  ['2026-01-15T12:00:00', Date.UTC(2026, 0, 15, 12)],
  ['2026-01-15 12:00', Date.UTC(2026, 0, 15, 12)],
  ['2026-01-15t12:00:00.5z', Date.UTC(2026, 0, 15, 12, 0, 0, 500)],
  ['2026-01-15T12:00:00.123456789+01:00', Date.UTC(2026, 0, 15, 11, 0, 0, 123)],
  [' 2026-01-15T12:00:00Z ', Date.UTC(2026, 0, 15, 12)],
  ['2026-01-15', Date.UTC(2026, 0, 15)],
  ['Thu, 15 Jan 2026 12:00:00 GMT', Date.UTC(2026, 0, 15, 12)],
])('reads %j', (text, timeMs) => {
  expect(parseTimeMs(text)).toBe(timeMs);
});

test.each([
  [''],
  ['   '],
  ['2026-13-01T00:00:00Z'],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [0],
  [-1],
  [null],
  [undefined],
  [{}],
  [[]],
  [true],
])('finds no time in %j', (value) => {
  expect(parseTimeMs(value)).toBeUndefined();
});

test('writes whole seconds without milliseconds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: toSeconds(LATEST_MS) }), (seconds) => {
      expect(isoSeconds(seconds)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(Date.parse(isoSeconds(seconds))).toBe(seconds * 1000);
    }),
  );
});
