import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRetryAfterMs } from '../../shared/retry-after.ts';

const NOW_MS = Date.UTC(2026, 0, 15, 12);

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['1.5', 1_500],
  ['86400', 3_600_000],
  [['5', '9'], 5_000],
  ['Thu, 15 Jan 2026 12:00:30 GMT', 30_000],
  ['Thu, 15 Jan 2026 11:00:00 GMT', 0],
  ['Fri, 16 Jan 2026 12:00:00 GMT', 3_600_000],
  [undefined, undefined],
  ['', undefined],
  ['soon', undefined],
  [[], undefined],
])('reads %j as %j ms', (header, waitMs) => {
  expect(parseRetryAfterMs(header, NOW_MS)).toBe(waitMs);
});

test('gives a wait between nothing and an hour or none, whatever it is given', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 0, max: 4e12 }), (header, nowMs) => {
      const waitMs = parseRetryAfterMs(header, nowMs);
      if (waitMs !== undefined) expect(waitMs >= 0 && waitMs <= 3_600_000).toBe(true);
    }),
  );
});
