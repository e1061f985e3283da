import { expect, test } from 'vitest';
import { expectAllOnce } from './expect-relayed.ts';
import { startRelay } from './relay-fixture.ts';

const HOUR = 3600;
const YEARS = 3 * 365 * 24 * HOUR;

const SKEWS = [
  { date: 'right', dateSkewMs: 0, dateMissing: false },
  { date: 'years ahead', dateSkewMs: YEARS * 1000, dateMissing: false },
  { date: 'years behind', dateSkewMs: -YEARS * 1000, dateMissing: false },
  { date: 'an hour behind', dateSkewMs: -HOUR * 1000, dateMissing: false },
  { date: 'missing', dateSkewMs: 0, dateMissing: true },
].flatMap((server) => [-5 * HOUR, 0, 5 * HOUR].map((localSkewSeconds) => ({ ...server, localSkewSeconds })));

test.each(SKEWS)(
  'keeps the mark behind both clocks: Date $date, own clock $localSkewSeconds s off',
  async ({ dateSkewMs, dateMissing, localSkewSeconds }) => {
    // The start lies before either clock's now, save where the server's is years behind.
    const relay = await startRelay({ env: { RELAY_START: '2026-01-15T06:00:00Z' } });
    Object.assign(relay.platform.faults, { dateSkewMs, dateMissing });
    relay.localSkewMs = localSkewSeconds * 1000;
    const trustedSkewMs = Math.min(relay.localSkewMs, dateMissing ? Number.POSITIVE_INFINITY : dateSkewMs);
    relay.add(40);
    await relay.poll();
    expectAllOnce(relay);
    for (let minute = 0; minute < 5; minute++) {
      relay.advance(60);
      relay.add(5, 55);
      const { mark } = await relay.poll();
      if (mark !== null) expect(Date.parse(mark)).toBeLessThanOrEqual(relay.now() + trustedSkewMs);
      if (minute === 2) relay.restart();
    }
    // With neither clock right the mark runs ahead, and the re-checks find what came behind it.
    for (let hour = 0; hour < 14 && trustedSkewMs > 0; hour++) {
      relay.advance(HOUR);
      await relay.poll();
    }
    expectAllOnce(relay);
  },
);

test('tells how far the clocks are apart', async () => {
  const relay = await startRelay();
  relay.localSkewMs = -90_000;
  const { skewSeconds } = await relay.poll();
  // A `Date` is in whole seconds.
  expect([89, 90, 91]).toContain(skewSeconds);
});

test('goes on from where it was after a clock jumped ahead and came back', async () => {
  const relay = await startRelay();
  relay.add(40);
  await relay.poll();
  relay.localSkewMs = 30 * 24 * HOUR * 1000;
  relay.advance(60);
  relay.add(5, 55);
  await relay.poll();
  relay.localSkewMs = 0;
  relay.restart();
  // The lease that the wrong clock took was given back.
  relay.advance(60);
  relay.add(5, 55);
  expect(await relay.poll()).toMatchObject({ published: 5 });
  expectAllOnce(relay);
});
