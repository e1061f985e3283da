import { expect, test, vi } from 'vitest';
import { startRelay } from '../poller/relay-fixture.ts';

// A virtual day of polls takes half a real minute, and the fixture allows for one.
vi.setConfig({ testTimeout: 600_000 });

const HOUR = 3_600;
const MINUTES_A_DAY = 1_440;

test('publishes what is shown two hours late by the rung of that age, within one and a half times that age', async () => {
  const relay = await startRelay();
  await relay.poll();
  const eventMs = relay.now() + 30_000;
  const [row] = relay.platform.add(1, { time: eventMs, lateMs: 2 * HOUR * 1000 });
  const secondsSince = () => (relay.now() - eventMs) / 1000;
  const before = { cursors: await relay.cursors(), published: 0 };
  while (before.published === 0 && secondsSince() < 24 * HOUR) {
    before.cursors = await relay.cursors();
    relay.advance(60);
    before.published = (await relay.poll()).published;
  }

  expect(secondsSince()).toBeGreaterThanOrEqual(2 * HOUR);
  expect(secondsSince()).toBeLessThanOrEqual(3 * HOUR);
  const [event, ...more] = relay.relayed();
  expect(more).toEqual([]);
  expect(event?.detail).toMatchObject({ id: row?.id, lateby: secondsSince() });
  // Half an hour's rung had been there long before, the two hours' one came by only now.
  const eventSeconds = eventMs / 1000;
  expect(before.cursors['1800']).toBeGreaterThan(eventSeconds);
  expect(before.cursors['7200']).toBeLessThan(eventSeconds);
  expect((await relay.cursors())['7200']).toBeGreaterThanOrEqual(eventSeconds);
});

test('re-checks a quiet tenant for less than half a request a minute', async () => {
  const relay = await startRelay({ env: { RELAY_START: 'P2D' } });
  await relay.poll();
  relay.platform.requests.reset();
  for (let minute = 0; minute < MINUTES_A_DAY; minute++) {
    relay.advance(60);
    await relay.poll();
  }
  const beyondTheHead = relay.platform.requests.events - MINUTES_A_DAY;
  console.log(`${beyondTheHead} re-checks in ${MINUTES_A_DAY} polls of a minute each`);
  expect(beyondTheHead).toBeGreaterThan(0);
  expect(beyondTheHead).toBeLessThan(MINUTES_A_DAY / 2);
  const nowSeconds = relay.now() / 1000;
  for (const [age, seconds] of Object.entries(await relay.cursors())) {
    expect(nowSeconds - seconds, `rung ${age}`).toBeLessThanOrEqual(1.5 * Number(age) + 62);
  }
});
