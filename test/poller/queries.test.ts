import { expect, test } from 'vitest';
import { expectAllOnce } from './expect-relayed.ts';
import { FIRST_MS, START_MS, startRelay } from './relay-fixture.ts';

/** No re-check near and no more overlap than the second that still fills at a poll, so that a row lost at a bound stays lost. */
const BARE = { RELAY_OVERLAP_SECONDS: '1', RELAY_RECHECK_SECONDS: '2592000' };
const SIDES = ['exclusive', 'inclusive'] as const;
const CUTS = ['none', 'bounds', 'times'] as const;

test.each(
  SIDES.flatMap((after) => SIDES.flatMap((before) => CUTS.map((cutToSecond) => ({ after, before, cutToSecond })))),
)('loses nothing at the bounds: after $after, before $before, $cutToSecond cut', async (bounds) => {
  const relay = await startRelay({ env: BARE });
  // Short pages make many windows, and a row stands at either end of every second.
  Object.assign(relay.platform.faults, { ...bounds, refuseMilliseconds: true, limitClamp: 10 });
  const firstMs = START_MS - 150_000;
  relay.platform.add(300, { time: (index) => firstMs + Math.floor(index / 2) * 1000 + (index % 2) * 999 });
  await relay.poll();
  expectAllOnce(relay);
  for (const step of [1, 1, 2, 7]) {
    relay.platform.add(4, { time: (index) => relay.now() + [0, 1, 500, 999][index]! });
    relay.advance(step);
    relay.platform.add(1, { time: relay.now() });
    await relay.poll();
  }
  expectAllOnce(relay);
});

test('asks in whole seconds, a second wider at both ends, and for the head without an end', async () => {
  const relay = await startRelay();
  await relay.poll();
  const [first, last] = [0, -1].map(
    (index) => relay.platform.requests.last.filter(({ route }) => route === 'events').at(index)?.query,
  );
  expect(first).toEqual({ after: '2026-01-15T10:59:59Z', before: '2026-01-15T11:59:59Z', limit: '1000', page: '0' });
  expect(last).toEqual({ after: '2026-01-15T11:59:58Z', limit: '1000', page: '0' });
});

test.each(['descending', 'ascending', 'shuffled-ties', 'shuffled'] as const)(
  'publishes a page in %s order',
  async (order) => {
    const relay = await startRelay();
    relay.platform.faults.order = order;
    relay.add(120);
    await relay.poll();
    relay.advance(60);
    relay.add(30, 55);
    await relay.poll();
    expectAllOnce(relay);
  },
);

test.each(['descending', 'ascending'] as const)('publishes many pages in %s order', async (order) => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { order, limitClamp: 20 });
  relay.add(330);
  await relay.poll();
  expectAllOnce(relay);
});

test.each(['shuffled-ties', 'shuffled'] as const)('finds in the end what many pages in %s order hid', async (order) => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { order, limitClamp: 20 });
  relay.platform.add(60, { time: START_MS - 60_000 });
  await relay.poll();
  for (const hours of [1, 3, 10, 20, 30]) {
    relay.advance(hours * 3600);
    await relay.poll();
  }
  expectAllOnce(relay);
});

test('publishes what was shown late among known events', async () => {
  const relay = await startRelay();
  relay.add(50, 100);
  await relay.poll();
  relay.advance(20);
  relay.platform.add(3, { time: (index) => START_MS - 1000 - index * 20_000 });
  expect(await relay.poll()).toMatchObject({ published: 3 });
  expectAllOnce(relay);
});

const FILTERS = ['after', 'before', 'eventType', 'forUserId'] as const;

test.each([[['after']], [['before']], [['eventType']], [['after', 'before']], [[...FILTERS]]] as const)(
  'relays rows outside the window where %j is ignored',
  async (ignoredFilters) => {
    const relay = await startRelay();
    relay.platform.faults.ignoredFilters = [...ignoredFilters];
    relay.platform.add(20, { time: (index) => FIRST_MS - 1 - index * 60_000 });
    relay.add(60);
    await relay.poll();
    expectAllOnce(relay);
    relay.advance(7200);
    relay.add(60, 7000);
    await relay.poll();
    relay.restart();
    await relay.poll();
    expectAllOnce(relay);
  },
);

const FEW_OR_MANY = [101, 110, 400].flatMap((count) =>
  [['after'], ['before'], ['after', 'before']].map((ignored) => ({ count, ignored })),
);

test.each(FEW_OR_MANY)(
  'keeps up with $count rows on many pages where $ignored is ignored',
  async ({ count, ignored }) => {
    const relay = await startRelay();
    // 110 rows and the 30 older ones fill whole pages; 400 are more than ten pages.
    Object.assign(relay.platform.faults, { ignoredFilters: ignored, limitClamp: 20, latencyMs: 100 });
    relay.platform.add(30, { time: (index) => FIRST_MS - 1 - index * 60_000 });
    relay.add(count);
    for (let minute = 0; minute < 4; minute++) {
      await relay.poll({ runMs: 30_000 });
      relay.advance(30);
    }
    relay.add(20, 15);
    const { backlogSeconds } = await relay.poll({ runMs: 30_000 });
    expectAllOnce(relay);
    expect(backlogSeconds).toBeLessThan(60);
  },
);
