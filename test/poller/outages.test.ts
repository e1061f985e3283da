import { expect, test } from 'vitest';
import type { Failure } from '../../sandbox/platform/faults.ts';
import { expectAllOnce } from './expect-relayed.ts';
import { type RelayFixture, startRelay } from './relay-fixture.ts';

const PASSING: Failure[] = [
  ...[408, 429, 500, 502, 503, 504].map((status) => ({ status })),
  { reset: 'before' },
  { reset: 'mid-body' },
];

test.each(PASSING)('publishes everything in one poll though requests meet %j', async (failure) => {
  const relay = await startRelay();
  relay.platform.faults.limitMax = 50;
  relay.add(160);
  relay.platform.faults.failNext = [
    { ...failure, route: 'token' },
    { ...failure, route: 'events' },
    { ...failure, route: 'events' },
  ];
  await relay.poll();
  expect(relay.platform.faults.failNext).toEqual([]);
  expectAllOnce(relay);
});

test('publishes everything though a third of all requests fail', async () => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { limitMax: 50, failShare: 0.33, failWith: PASSING });
  relay.add(300);
  for (let minute = 0; minute < 6; minute++) {
    await relay.poll();
    relay.advance(60);
    relay.add(20, 55);
  }
  await relay.poll();
  expectAllOnce(relay);
  expect(relay.waits.length).toBeGreaterThan(5);
});

/** Polls against a platform that answers every events request so, and tells what it cost. */
async function pollInto(relay: RelayFixture, failure: Failure): Promise<{ failed: unknown; requests: number }> {
  await relay.poll();
  relay.advance(60);
  relay.add(20, 55);
  const cursors = await relay.cursors();
  relay.platform.requests.reset();
  Object.assign(relay.platform.faults, { failShare: 1, failWith: [{ ...failure, route: 'events' }] });
  const failed = await relay.poll().catch((error: unknown) => error);
  expect(await relay.cursors()).toEqual(cursors);
  const { events } = relay.platform.requests;
  relay.platform.faults.failShare = 0;
  await relay.poll();
  expectAllOnce(relay);
  return { failed, requests: events };
}

test.each([429, 500, 502, 503])('fails with the mark where it was while the platform answers %i', async (status) => {
  const relay = await startRelay();
  const { failed, requests } = await pollInto(relay, { status });
  expect(failed).toMatchObject({ name: 'TransportError', status, retryable: true });
  expect(requests).toBe(7);
});

test.each([403, 404, 405, 410])('does not repeat a request that is answered with %i', async (status) => {
  const relay = await startRelay();
  const { failed, requests } = await pollInto(relay, { status });
  expect(failed).toMatchObject({ name: 'TransportError', status, retryable: false });
  expect(requests).toBe(1);
});

test('asks for fewer rows before it gives up on 400', async () => {
  const relay = await startRelay();
  const { failed, requests } = await pollInto(relay, { status: 400 });
  expect(failed).toMatchObject({ name: 'TransportError', status: 400, retryable: false });
  expect(requests).toBe(7);
});

test.each([{ reset: 'before' as const }, { status: 504 }, { status: 408 }])(
  'fails with the mark where it was while the platform answers %j',
  async (failure) => {
    const relay = await startRelay();
    const { failed, requests } = await pollInto(relay, failure);
    expect(failed).toMatchObject({ name: 'TransportError', retryable: true });
    expect(requests).toBeLessThan(60);
  },
);

test.each([{ status: 504 }, { status: 408 }])(
  'takes windows that the platform is quick enough for: %j',
  async (heavyFailure) => {
    const relay = await startRelay();
    Object.assign(relay.platform.faults, { heavyRows: 40, heavyFailure });
    relay.add(400);
    await relay.poll();
    expectAllOnce(relay);
    relay.platform.faults.heavyRows = Number.POSITIVE_INFINITY;
    relay.advance(60);
    relay.add(30, 50);
    await relay.poll();
    expectAllOnce(relay);
  },
);

test('returns with its progress when the time is up, and goes on from there', async () => {
  const relay = await startRelay({ env: { RELAY_START: 'P2D' } });
  Object.assign(relay.platform.faults, { limitMax: 50, latencyMs: 1000 });
  relay.add(1500, 2 * 86_400 - 100);
  let polls = 0;
  let mark = '';
  for (let backlogSeconds = Number.POSITIVE_INFINITY; backlogSeconds > 15 && polls < 30; polls++) {
    const result = await relay.poll({ runMs: 10_000 });
    expect(String(result.mark) >= mark).toBe(true);
    mark = String(result.mark);
    backlogSeconds = result.backlogSeconds;
    relay.restart();
  }
  expect(polls).toBeGreaterThan(2);
  expect(polls).toBeLessThan(30);
  expectAllOnce(relay, { sinceMs: 0 });
});

test('waits as long as the platform asks', async () => {
  const relay = await startRelay();
  relay.add(20);
  relay.platform.faults.failNext = [
    { route: 'events', status: 429, retryAfter: 7 },
    { route: 'events', status: 503, retryAfter: new Date(relay.now() + 19_000).toUTCString() },
  ];
  await relay.poll();
  expect(relay.waits).toEqual([7_000, 12_000]);
  expectAllOnce(relay);
});
