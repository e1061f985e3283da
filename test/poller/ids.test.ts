import { expect, test } from 'vitest';
import { toSnowflake } from '../../sandbox/platform/record-shape.ts';
import { expectAllOnce } from './expect-relayed.ts';
import { pollThrice, type RelayFixture, START_MS, startRelay } from './relay-fixture.ts';

const ids = (relay: RelayFixture) => relay.relayed().map(({ detail }) => detail.id);

test.each(['_id', 'id', 'eventId'] as const)('takes the id from %s', async (id) => {
  const relay = await startRelay();
  relay.platform.faults.id = id;
  relay.add(40);
  await pollThrice(relay);
  expectAllOnce(relay);
  expect(ids(relay).sort()).toEqual([...relay.platform.trail].map((row) => row.id).sort());
});

test('tells ids beyond 2^53 apart that differ in the last digits', async () => {
  const relay = await startRelay();
  relay.platform.faults.id = 'snowflake';
  relay.platform.add(40, { time: START_MS - 60_000 });
  await pollThrice(relay);
  expectAllOnce(relay);
  expect(ids(relay).sort()).toEqual([...relay.platform.trail].map((row) => toSnowflake(row.id)).sort());
  // As doubles they would be one.
  expect(new Set(ids(relay).map(Number)).size).toBeLessThan(ids(relay).length);
});

test('hashes a record that has no id', async () => {
  const relay = await startRelay();
  relay.platform.faults.id = 'none';
  relay.add(40);
  await pollThrice(relay);
  expectAllOnce(relay);
  for (const id of ids(relay)) expect(id).toMatch(/^[0-9a-f]{32}$/);
});

test.each([
  ['with a time', { eventType: 'kit_opened', createdAt: '2026-01-15T11:40:00.000Z' }],
  ['without a time', { eventType: 'kit_opened' }],
])('publishes each of identical twins %s that come in one window, and one that comes later', async (_, record) => {
  const relay = await startRelay();
  const time = START_MS - 60_000;
  relay.platform.add([record, { ...record }, { ...record }, { eventType: 'other' }], { time });
  await relay.poll();
  expectAllOnce(relay);
  relay.platform.add([{ ...record }], { time });
  await pollThrice(relay);
  expectAllOnce(relay);
});

test.each(['number', 'missing'] as const)(
  'publishes each of identical twins on many pages, total %s',
  async (total) => {
    const relay = await startRelay();
    Object.assign(relay.platform.faults, { id: 'none', limitClamp: 20, total });
    const twins = Array.from({ length: 65 }, (_, index) => ({ eventType: `type_${index % 23}` }));
    relay.platform.add(twins, { time: START_MS - 60_000 });
    await pollThrice(relay);
    expectAllOnce(relay);
    expect(await relay.items('gap#')).toEqual([]);
  },
);

test('knows a record without an id again when its keys come in another order', async () => {
  const relay = await startRelay();
  const record: Record<string, unknown> = { eventType: 'kit_opened', detail: { b: 1, a: [1, { d: 1, c: 2 }] } };
  relay.platform.add([record], { time: START_MS - 60_000 });
  await relay.poll();
  delete record.eventType;
  Object.assign(record, { detail: { a: [1, { c: 2, d: 1 }], b: 1 }, eventType: 'kit_opened' });
  relay.restart();
  expect(await relay.poll()).toMatchObject({ published: 0, known: 1 });
});

test('takes numbers, long texts and object ids in braces for ids', async () => {
  const relay = await startRelay();
  const long = 'x'.repeat(1000);
  const records = [
    { id: 7 },
    { id: 0 },
    { _id: { $oid: '6968d500aaaaaaaaaaaaaaaa' } },
    { id: `${long}1` },
    { id: `${long}2` },
  ];
  relay.platform.add(records, { time: START_MS - 60_000 });
  await pollThrice(relay);
  expectAllOnce(relay);
  expect(ids(relay)).toEqual(expect.arrayContaining(['7', '0', '6968d500aaaaaaaaaaaaaaaa']));
});

test('publishes a row that is no object as unknown', async () => {
  const relay = await startRelay();
  relay.platform.add(['a text', 42, null, true, ['a', 'list']], { time: START_MS - 60_000 });
  await pollThrice(relay);
  expectAllOnce(relay);
  const malformed = relay.relayed().filter(({ record }) => !record.startsWith('{'));
  expect(malformed.map(({ record }) => record).sort()).toEqual(['"a text"', '42', '["a","list"]', 'null', 'true']);
  for (const { detail, detailType } of malformed) {
    expect(detailType).toBe('unknown');
    expect(detail.type).toBe('unknown');
  }
});
