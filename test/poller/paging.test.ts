import { expect, test } from 'vitest';
import { caughtUp, expectAllOnce } from './expect-relayed.ts';
import { START_MS, startRelay } from './relay-fixture.ts';

const TOTALS = [
  { total: 'number' },
  { total: 'string' },
  { total: 'missing' },
  { totalLagSeconds: 86_400 },
  { totalCap: 30 },
  { totalCap: 0 },
  { envelope: 'array' },
];

test.each(TOTALS)('reads to the end with %j', async (total) => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, total);
  relay.add(1_150);
  relay.platform.faults.limitMax = 100;
  await relay.poll();
  expectAllOnce(relay);
  relay.advance(60);
  relay.add(170, 55);
  await relay.poll();
  expectAllOnce(relay);
});

test.each(TOTALS)('reads to the end with a limit that is cut and %j', async (total) => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { ...total, limitClamp: 30 });
  relay.add(100);
  await relay.poll();
  expectAllOnce(relay);
  relay.advance(60);
  relay.add(65, 55);
  await relay.poll();
  expectAllOnce(relay);
});

test('reads pages of a thousand rows to the end behind a capped total', async () => {
  const relay = await startRelay();
  relay.platform.faults.totalCap = 1_000;
  relay.add(2_300);
  await relay.poll();
  expectAllOnce(relay);
});

test.each(
  [100, 50, 12].flatMap((limit) =>
    (['limitClamp', 'limitMax'] as const).flatMap((how) =>
      (['number', 'missing'] as const).map((total) => ({ how, limit, total })),
    ),
  ),
)('takes $how $limit with total $total', async ({ how, limit, total }) => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { [how]: limit, total });
  relay.add(limit * 3 + 1);
  await relay.poll();
  expectAllOnce(relay);
  relay.advance(60);
  relay.add(limit * 2 + 1, 55);
  await relay.poll();
  expectAllOnce(relay);
  relay.platform.requests.reset();
  relay.advance(60);
  expect(await relay.poll()).toMatchObject({ published: 0 });
  // What was shown twice is learned and not asked again.
  const asked = relay.platform.requests.last
    .filter(({ route }) => route === 'events')
    .map(({ query }) => Number(query.limit));
  expect(Math.max(...asked)).toBeLessThanOrEqual(limit);
});

test.each(['number', 'missing'] as const)('notices a limit that is cut from some day on, total %s', async (total) => {
  const relay = await startRelay();
  relay.platform.faults.total = total;
  relay.add(300);
  await relay.poll();
  relay.platform.faults.limitClamp = 100;
  relay.advance(100);
  relay.add(250, 95);
  await relay.poll();
  expectAllOnce(relay);
});

test('takes pages of a few rows where a total tells that there are more', async () => {
  const relay = await startRelay();
  relay.platform.faults.limitClamp = 3;
  relay.add(25);
  await relay.poll();
  expectAllOnce(relay);
});

test('takes smaller windows from a server that ignores the page', async () => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { pageIgnored: true, limitClamp: 50 });
  relay.add(330);
  await relay.poll();
  expectAllOnce(relay);
  expect(await relay.items('gap#')).toEqual([]);
});

const DEEP = (['empty', 'refuse'] as const).flatMap((deepAnswer) =>
  (['number', 'missing'] as const).map((total) => ({ deepAnswer, total })),
);

test.each(DEEP)('takes smaller windows where pages end early: $deepAnswer, total $total', async (faults) => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { ...faults, deepRows: 100, limitClamp: 20 });
  relay.add(500);
  await relay.poll();
  expectAllOnce(relay);
  expect(await relay.items('gap#')).toEqual([]);
});

test.each(DEEP)('splits a second that is too full by type: $deepAnswer, total $total', async (faults) => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { ...faults, deepRows: 60, limitClamp: 20 });
  relay.platform.add(100, { time: START_MS - 600_000 });
  await relay.poll();
  expectAllOnce(relay);
});

test.each(['missing', 'strings'] as const)('notes a gap where types cannot split a second: types %s', async (types) => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { types, deepRows: 60, limitClamp: 20 });
  const records = Array.from({ length: 100 }, (_, index) => ({ id: `crowd-${index}`, eventType: 'profile_updated' }));
  relay.platform.add(records, { time: START_MS - 593_000 });
  relay.add(20);
  expect(await relay.poll()).toMatchObject({ backlogSeconds: caughtUp });
  expect((await relay.items('gap#')).map(({ sk, rows }) => [sk?.S, rows?.N])).toEqual([
    ['gap#2026-01-15T11:50:07.000Z', '60'],
  ]);
  expect(relay.relayed()).toHaveLength(80);
});
