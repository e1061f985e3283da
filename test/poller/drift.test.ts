import { expect, test } from 'vitest';
import type { TrailRow } from '../../sandbox/platform/trail.ts';
import { expectAllOnce } from './expect-relayed.ts';
import { type RelayFixture, START_MS, startRelay } from './relay-fixture.ts';

/** Does something before page 1 is answered, the first so many times that it is asked for. */
function betweenPages({ platform }: RelayFixture, times: number, act: () => void): void {
  let left = times;
  platform.faults.beforeEvents = ({ page }) => {
    if (page === 1 && left-- > 0) act();
  };
}

/** Makes every rung come by. */
async function climb(relay: RelayFixture): Promise<void> {
  relay.platform.faults.beforeEvents = null;
  for (const seconds of [600, 3000]) {
    relay.advance(seconds);
    await relay.poll();
  }
}

const ORDERS = ['descending', 'ascending'] as const;
const IDS = ['_id', 'none'] as const;
const CASES = ORDERS.flatMap((order) => IDS.map((id) => ({ order, id })));

test.each(CASES)('reads again when rows are inserted between pages: $order, id $id', async (faults) => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { ...faults, limitClamp: 20 });
  relay.add(70);
  betweenPages(relay, 2, () => relay.platform.add(3, { time: (index) => START_MS - 10_000 - index * 1_000_000 }));
  await relay.poll();
  expectAllOnce(relay);
  await climb(relay);
  expectAllOnce(relay);
});

test.each(CASES)('reads again when rows are deleted between pages: $order, id $id', async ({ order, id }) => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { order, id, limitClamp: 20 });
  const rows = relay.add(70);
  const shown = order === 'ascending' ? rows.slice(3, 6) : rows.slice(-6, -3);
  // The first reading of page 1 is the one that finds the limit clamped.
  let asked = 0;
  betweenPages(relay, 2, () => {
    if (++asked === 2) relay.platform.trail.remove(shown.map((row) => row.id));
  });
  await relay.poll();
  expect(asked).toBe(2);
  expectAllOnce(relay, { gone: shown });
});

test.each([
  ['deleted where no total tells', 'missing' as const, () => []],
  [
    'deleted and inserted together',
    'number' as const,
    (relay: RelayFixture) => relay.platform.add(1, { time: START_MS + 10_000 }),
  ],
])('finds at the first rung what drift hid: rows %s', async (_, total, insert) => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { total, limitClamp: 20 });
  relay.add(70, 2_000);
  await relay.poll();
  relay.advance(200);
  const fresh = relay.add(70, 150);
  const gone: TrailRow[] = [];
  betweenPages(relay, 1, () => {
    gone.push(fresh.at(-5) as TrailRow);
    relay.platform.trail.remove(gone.map(({ id }) => id));
    insert(relay);
  });
  await relay.poll();
  await climb(relay);
  expectAllOnce(relay, { gone });
});

test('publishes what was shown once, on the page that shows that the limit is cut', async () => {
  const relay = await startRelay();
  relay.platform.faults.limitClamp = 20;
  const shown = relay.add(70).slice(-1);
  betweenPages(relay, 1, () => relay.platform.trail.remove(shown.map(({ id }) => id)));
  await relay.poll();
  expectAllOnce(relay, { gone: shown });
});

test.each(IDS)('gives up after a few reads when pages never stop drifting: id %s', async (id) => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { id, limitClamp: 20 });
  relay.add(50);
  await relay.poll();
  relay.platform.requests.reset();
  relay.advance(60);
  relay.add(50, 55);
  relay.platform.faults.beforeEvents = () => void relay.platform.add(1);
  await relay.poll();
  // Three reads of four pages, and a look or two at how pages are cut.
  expect(relay.platform.requests.events).toBeLessThan(20);
  await climb(relay);
  expectAllOnce(relay);
});

test.each(['number', 'missing'] as const)('reads identical twins on drifting pages, total %s', async (total) => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { limitClamp: 20, total });
  const twins = () => Array.from({ length: 50 }, (_, index) => ({ eventType: `type_${index % 29}` }));
  relay.platform.add(twins(), { time: START_MS - 60_000 });
  let added = 0;
  relay.platform.faults.beforeEvents = () => {
    if (added++ < 2) relay.platform.add([{ eventType: 'drifts' }], { time: START_MS - 30_000 });
  };
  await relay.poll();
  expect(relay.platform.requests.events).toBeLessThan(20);
  await climb(relay);
  expectAllOnce(relay);
});
