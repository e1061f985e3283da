import { expect, test } from 'vitest';
import { caughtUp, expectAllOnce } from './expect-relayed.ts';
import { START_MS, startRelay } from './relay-fixture.ts';

test.each(['strings', 'objects', 'map', 'paged', 'missing'] as const)(
  'delivers without asking for the event types: %s',
  async (types) => {
    const relay = await startRelay();
    relay.platform.faults.types = types;
    relay.add(50);
    await relay.poll();
    expectAllOnce(relay);
    expect(relay.platform.requests.types).toBe(0);
  },
);

test.each(['strings', 'objects', 'map', 'paged'] as const)('splits a crowded second by %s', async (types) => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { types, deepRows: 60, limitClamp: 20 });
  relay.platform.add(100, { time: START_MS - 600_000 });
  await relay.poll();
  expectAllOnce(relay);
  expect(relay.platform.requests.types).toBe(1);
});

test.each([{ status: 500 }, { status: 403 }, { reset: 'before' as const }])(
  'goes on past a crowded second when the types endpoint answers %j',
  async (failure) => {
    const relay = await startRelay();
    Object.assign(relay.platform.faults, { deepRows: 60, limitClamp: 20 });
    Object.assign(relay.platform.faults, { failShare: 1, failWith: [{ ...failure, route: 'types' }] });
    relay.platform.add(100, { time: START_MS - 593_000 });
    relay.add(20);
    expect(await relay.poll()).toMatchObject({ backlogSeconds: caughtUp });
    // The types seen in the rows that came are asked for, too.
    expect(relay.relayed().length).toBeGreaterThanOrEqual(80);
    expect(await relay.items('gap#')).toHaveLength(1);
  },
);
