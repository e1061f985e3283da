import { expect, test } from 'vitest';
import { type RelayFixture, startRelay } from './relay-fixture.ts';

/** Polls once and tells what was asked of whom. */
async function countPoll(relay: RelayFixture) {
  relay.platform.requests.reset();
  relay.aws.dynamo.resetCounts();
  relay.aws.bus.resetCounts();
  relay.aws.secrets.resetCounts();
  await relay.poll();
  const { token, types, events } = relay.platform.requests;
  const { requests } = relay.aws.dynamo;
  return {
    token,
    types,
    events,
    dynamo: { ...requests },
    bus: { ...relay.aws.bus.requests },
    secrets: { ...relay.aws.secrets.requests },
  };
}

const QUIET = { token: 0, types: 0, events: 1, dynamo: { UpdateItem: 2 }, bus: {}, secrets: {} };

test.each(['number', 'missing'] as const)(
  'asks for one page and writes twice when nothing happens, total %s',
  async (total) => {
    const relay = await startRelay();
    relay.platform.faults.total = total;
    await relay.poll();
    relay.advance(60);
    expect(await countPoll(relay)).toEqual(QUIET);
    relay.advance(30);
    expect(await countPoll(relay)).toEqual(QUIET);
  },
);

test('asks for one more page when a rung is due', async () => {
  const relay = await startRelay();
  await relay.poll();
  const costs = [];
  for (let minute = 0; minute < 10; minute++) {
    relay.advance(60);
    costs.push(await countPoll(relay));
  }
  expect(costs.every(({ events }) => events <= 2)).toBe(true);
  // The rung of five minutes: every two and a half.
  const due = costs.filter(({ events }) => events === 2).length;
  expect(due).toBeGreaterThanOrEqual(3);
  expect(due).toBeLessThanOrEqual(4);
  for (const cost of costs.filter(({ events }) => events === 1)) expect(cost.dynamo).toEqual({ UpdateItem: 2 });
});

test('reads the ledger in a cold start only', async () => {
  const relay = await startRelay();
  await relay.poll();
  relay.advance(30);
  relay.add(8, 25);
  expect((await countPoll(relay)).dynamo).toMatchObject({ UpdateItem: 2, BatchWriteItem: 1 });
  relay.advance(10);
  expect((await countPoll(relay)).dynamo).toEqual({ UpdateItem: 2 });
  relay.restart();
  relay.advance(10);
  const cold = await countPoll(relay);
  expect(cold).toMatchObject({ token: 1, dynamo: { UpdateItem: 2, Query: 1 }, bus: {} });
});

test('puts events ten at a time', async () => {
  const relay = await startRelay();
  relay.add(95);
  expect((await countPoll(relay)).bus).toEqual({ PutEvents: 10 });
});
