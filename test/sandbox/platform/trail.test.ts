import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTrail, type TrailRow } from '../../../sandbox/platform/trail.ts';

const moment = fc.integer({ min: 0, max: 50 });
const batches = fc.array(fc.array(fc.record({ time: moment, visibleAt: moment }), { maxLength: 8 }), { maxLength: 12 });

test('shows what a plain filter of the truth shows, whatever was added when', () => {
  fc.assert(
    fc.property(batches, moment, moment, (added, from, to) => {
      let nowMs = 0;
      let count = 0;
      const trail = createTrail({ clock: () => nowMs });
      const truth: TrailRow[] = [];
      for (const batch of added) {
        const rows = batch.map((row) => ({ ...row, id: `${count++}`, record: null, verbatim: false }));
        truth.push(...rows);
        trail.add(rows);
        nowMs += 3;
        const shown = trail.between(from, to);
        const expected = truth.filter(({ time, visibleAt }) => visibleAt <= nowMs && time >= from && time < to);
        expect(new Set(shown)).toEqual(new Set(expected));
        expect(shown).toHaveLength(expected.length);
        expect(shown.map(({ time }) => time)).toEqual(expected.map(({ time }) => time).sort((a, b) => a - b));
      }
      expect(new Set(trail)).toEqual(new Set(truth));
      expect(trail.size).toBe(truth.length);
    }),
  );
});

test('keeps rows of the same time in the order in which they came', () => {
  const trail = createTrail({ clock: () => 10 });
  const row = (id: string, time: number) => ({ id, time, visibleAt: 0, record: null, verbatim: false });
  trail.add([row('a', 5), row('b', 5)]);
  trail.add([row('c', 5), row('d', 4)]);
  expect(trail.between(0, 10).map(({ id }) => id)).toEqual(['d', 'a', 'b', 'c']);
});

test('forgets removed rows, shown or not', () => {
  const trail = createTrail({ clock: () => 10 });
  trail.add([
    { id: 'shown', time: 1, visibleAt: 1, record: null, verbatim: false },
    { id: 'pending', time: 2, visibleAt: 99, record: null, verbatim: false },
    { id: 'kept', time: 3, visibleAt: 3, record: null, verbatim: false },
  ]);
  trail.remove(['shown', 'pending']);
  expect([...trail].map(({ id }) => id)).toEqual(['kept']);
});
