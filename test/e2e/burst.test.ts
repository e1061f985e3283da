import { expect, test, vi } from 'vitest';
import { createRandom } from '../../sandbox/platform/random.ts';
import { caughtUp } from '../poller/expect-relayed.ts';
import { type RelayFixture, START_MS, startRelay } from '../poller/relay-fixture.ts';
import { countDeliveries, EACH_ONCE } from './count-deliveries.ts';

// Tens of thousands of events pass through real HTTP, and the fixture allows for a minute.
vi.setConfig({ testTimeout: 600_000 });

/** Not one of those that `relay.add` fills. */
const SECOND_MS = START_MS - 603_000;
const random = createRandom(1);

const count = ({ platform, relayed }: RelayFixture) =>
  countDeliveries(
    platform.trail,
    relayed().map(({ detail }) => detail),
  );

/** Lets so many events happen within one second. */
const crowd = ({ platform }: RelayFixture, events: number) =>
  platform.add(events, { time: (index) => SECOND_MS + Math.floor((index * 1000) / events) });

test.each(['number', 'missing'] as const)('relays 50,000 events of one second once, total %s', async (total) => {
  const relay = await startRelay();
  relay.platform.faults.total = total;
  relay.add(500);
  crowd(relay, 50_000);
  expect(await relay.poll()).toMatchObject({ published: 50_500, backlogSeconds: caughtUp });
  expect(count(relay)).toEqual(EACH_ONCE);
  expect(await relay.items('gap#')).toEqual([]);
  relay.restart();
  relay.advance(60);
  expect(await relay.poll()).toMatchObject({ published: 0 });
});

/** A window that outlasts a run is halved for the next one. */
const MOST_RUNS_AT_REST = 3;

test.each([
  ['exactly 1,000 a second', (index: number) => index],
  ['spread at random', () => random.below(60_000)],
])('gets on through 60,000 events of a minute, %s, where a page takes seconds and a run is short', async (_, at) => {
  const relay = await startRelay();
  await relay.poll();
  // Shown as they happen, so that the first runs read while more comes.
  const beginMs = relay.now();
  relay.platform.add(60_000, { time: (index) => beginMs + at(index), lateMs: 0 });
  relay.platform.faults.latencyMs = 2_000;
  const endSeconds = beginMs / 1000 + 60;
  let mark = 0;
  for (let runsAtRest = 0; mark < endSeconds; ) {
    relay.advance(1);
    await relay.poll({ runMs: 15_000 });
    relay.restart();
    const before = mark;
    mark = (await relay.cursors())['0'] as number;
    runsAtRest = mark > before ? 0 : runsAtRest + 1;
    expect(runsAtRest, `runs at ${mark - endSeconds} s from the end`).toBeLessThanOrEqual(MOST_RUNS_AT_REST);
  }
  expect(count(relay)).toEqual(EACH_ONCE);
});

const DEEP = 10_000;

test('relays a second of 25,000 events whole where only 10,000 can be paged to, type by type', async () => {
  const relay = await startRelay();
  relay.platform.faults.deepRows = DEEP;
  relay.add(500);
  crowd(relay, 25_000);
  expect(await relay.poll()).toMatchObject({ published: 25_500, backlogSeconds: caughtUp });
  expect(count(relay)).toEqual(EACH_ONCE);
  expect(await relay.items('gap#')).toEqual([]);
});

test('notes a gap where 25,000 events of one second cannot be split, and relays all else', async () => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { deepRows: DEEP, types: 'missing', ignoredFilters: ['eventType'] });
  const around = relay.add(500);
  crowd(relay, 25_000);
  expect(await relay.poll()).toMatchObject({ backlogSeconds: caughtUp });
  const { lost, ...others } = count(relay);
  expect(others).toEqual({ repeated: [], strange: [] });
  expect(lost.filter((id) => around.some((row) => row.id === id))).toEqual([]);
  expect(lost.length).toBeLessThanOrEqual(25_000 - DEEP);
  const gaps = await relay.items('gap#');
  // Bounds are asked a second wider, so that the crowd also hides whether its neighbours were read whole.
  const about = [-1, 0, 1].map((seconds) => `gap#${new Date(SECOND_MS + seconds * 1000).toISOString()}`);
  expect(gaps.map(({ sk }) => sk?.S)).toContain(about[1]);
  expect(about).toEqual(expect.arrayContaining(gaps.map(({ sk }) => sk?.S)));
});
