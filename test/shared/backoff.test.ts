import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fullJitterMs } from '../../shared/backoff.ts';

const BACKOFF = { baseMs: 250, capMs: 10_000 };

test('waits between nothing and a bound that doubles up to the cap', () => {
  fc.assert(
    fc.property(fc.nat(10_000), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (attempt, random) => {
      const waitMs = fullJitterMs(attempt, BACKOFF, () => random);
      expect(Number.isInteger(waitMs)).toBe(true);
      expect(waitMs).toBeGreaterThanOrEqual(0);
      expect(waitMs).toBeLessThanOrEqual(Math.min(10_000, 250 * 2 ** attempt));
    }),
  );
});

test('uses the whole range', () => {
  const bounds = [0, 1, 2, 3, 4, 5, 6, 50].map((attempt) => fullJitterMs(attempt, BACKOFF, () => 0.999_999));
  expect(bounds).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  expect(fullJitterMs(9, BACKOFF, () => 0)).toBe(0);
});
