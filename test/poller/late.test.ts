import { expect, test } from 'vitest';
import { expectAllOnce } from './expect-relayed.ts';
import { START_MS, startRelay } from './relay-fixture.ts';

test('publishes at the next poll what was shown two seconds late', async () => {
  const relay = await startRelay();
  relay.platform.add(5, { time: START_MS - 1000, lateMs: 2000 });
  expect(await relay.poll()).toMatchObject({ published: 0 });
  relay.advance(10);
  expect(await relay.poll()).toMatchObject({ published: 5 });
  expectAllOnce(relay);
});

const MINUTE = 60;
const HOUR = 3600;
/** What is shown so late is published by the rung of this age, if not by an earlier look. */
const DELAYS = [
  { late: 4 * MINUTE, age: 5 * MINUTE },
  { late: 20 * MINUTE, age: 30 * MINUTE },
  { late: 100 * MINUTE, age: 2 * HOUR },
  { late: 7 * HOUR, age: 8 * HOUR },
  { late: 23 * HOUR, age: 24 * HOUR },
];

test.each(DELAYS)('publishes what was shown $late seconds late by the rung of age $age', async ({ late, age }) => {
  const relay = await startRelay();
  await relay.poll();
  const stepSeconds = age / 10;
  const [row] = relay.platform.add(1, { time: START_MS + 30_000, lateMs: late * 1000 });
  const find = () => relay.relayed().find(({ detail }) => detail.id === row?.id)?.detail;
  for (let step = 0; step < 18 && find() === undefined; step++) {
    relay.advance(stepSeconds);
    relay.add(2, stepSeconds / 2);
    await relay.poll();
    relay.restart();
  }
  expectAllOnce(relay);
  expect(find()?.lateby).toBeGreaterThanOrEqual(late - stepSeconds);
  expect(find()?.lateby).toBeLessThanOrEqual(1.5 * age + 2 * stepSeconds);
});

test('finds what was shown late in the middle of an outage of the relay', async () => {
  const relay = await startRelay();
  await relay.poll();
  relay.platform.add(100, { time: (index) => START_MS + index * HOUR * 500, lateMs: 20 * HOUR * 1000 });
  relay.advance(50 * HOUR);
  await relay.poll();
  expect(relay.relayed()).toHaveLength(61);
  for (let step = 0; step < 20; step++) {
    relay.advance(2 * HOUR);
    await relay.poll();
  }
  expectAllOnce(relay);
});

test('says how far the trail was re-checked', async () => {
  const relay = await startRelay();
  expect(await relay.poll()).toMatchObject({ checkedThrough: null });
  relay.advance(26 * HOUR);
  const { mark, checkedThrough } = await relay.poll();
  const [behindSeconds, uncheckedSeconds] = [mark, checkedThrough].map(
    (at) => (relay.now() - Date.parse(String(at))) / 1000,
  );
  expect(behindSeconds).toBeLessThanOrEqual(1);
  expect(uncheckedSeconds).toBeGreaterThanOrEqual(24 * HOUR);
  expect(uncheckedSeconds).toBeLessThanOrEqual(24 * HOUR + 1);
});
