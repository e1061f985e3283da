import { expect, test } from 'vitest';
import type { TrailRow } from '../../sandbox/platform/trail.ts';
import { caughtUp, expectAllOnce } from './expect-relayed.ts';
import { pollThrice, START_MS, startRelay } from './relay-fixture.ts';

const TIME_FIELDS = ['createdAt', 'timestamp', 'date', 'occurredAt', 'createdOn', 'time', 'eventTime', 'created_at'];
const toSecond = (timeMs: number) => Math.floor(timeMs / 1000) * 1000;
const FORMATS: [string, (row: TrailRow) => number][] = [
  ['iso-ms', ({ time }) => time],
  ['iso', ({ time }) => toSecond(time)],
  ['iso-offset', ({ time }) => time],
  ['epoch-seconds', ({ time }) => toSecond(time)],
  ['epoch-ms', ({ time }) => time],
];

const TIMES = [
  ...FORMATS.map(([format, expected]) => ({ field: 'createdAt', format, expected })),
  ...TIME_FIELDS.slice(1).map((field, index) => {
    const [format, expected] = FORMATS[index % FORMATS.length]!;
    return { field, format, expected };
  }),
];

test.each(TIMES)('reads the time from $field as $format', async ({ field, format, expected }) => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { timeField: field, timeFormat: format });
  relay.add(12);
  await relay.poll();
  expectAllOnce(relay);
  const rows = new Map([...relay.platform.trail].map((row) => [row.id, row]));
  for (const { detail } of relay.relayed()) {
    const timeMs = expected(rows.get(detail.id) as TrailRow);
    expect(detail.time).toBe(new Date(timeMs).toISOString());
    expect(detail.lateby).toBe(Math.floor((START_MS - timeMs) / 1000));
  }
});

test('falls back to the time in an object id', async () => {
  const relay = await startRelay();
  relay.platform.faults.timeFormat = 'none';
  relay.add(12);
  await pollThrice(relay);
  expectAllOnce(relay);
  for (const { detail } of relay.relayed()) {
    expect(Date.parse(String(detail.time))).toBe(Number.parseInt(detail.id.slice(0, 8), 16) * 1000);
  }
});

test('publishes a record without any time', async () => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { timeFormat: 'none', id: 'none' });
  relay.add(30);
  await pollThrice(relay);
  expectAllOnce(relay);
  for (const { detail } of relay.relayed()) {
    expect(detail).not.toHaveProperty('time');
    expect(detail).not.toHaveProperty('lateby');
  }
  for (const event of relay.aws.bus.events) expect(event.time).toBe(`${String(event.detail.observedat).slice(0, 19)}Z`);
});

test.each([[''], ['yesterday'], [{}], [[]], [-1], [true], [1e300], ['0000-00-00']])(
  'publishes a record whose time is %j',
  async (createdAt) => {
    const relay = await startRelay();
    relay.platform.add([{ id: 'one', createdAt }], { time: START_MS - 60_000 });
    await pollThrice(relay);
    expectAllOnce(relay);
    expect(relay.relayed()[0]?.detail).not.toHaveProperty('time');
  },
);

test('keeps the mark at what was asked for when an event says it is from the future', async () => {
  const relay = await startRelay();
  relay.platform.add([{ id: 'future', createdAt: '2099-01-01T00:00:00Z' }], { time: START_MS - 60_000 });
  const { mark } = await relay.poll();
  expect(Date.parse(String(mark))).toBeLessThanOrEqual(START_MS);
  relay.advance(30);
  relay.add(10, 25);
  expect(await relay.poll()).toMatchObject({ backlogSeconds: caughtUp });
  expectAllOnce(relay);
});

test.each(
  ['eventType', 'type', 'event'].flatMap((typeField) =>
    ['string', 'object'].map((typeForm) => ({ typeField, typeForm }) as const),
  ),
)('finds the type in $typeField as $typeForm', async (shape) => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, shape);
  relay.add(20);
  await relay.poll();
  expectAllOnce(relay);
  const types = new Map(
    [...relay.platform.trail].map(({ id, record }) => [id, (record as { eventType: string }).eventType]),
  );
  for (const { detail, detailType } of relay.relayed()) {
    expect(detail.type).toBe(types.get(detail.id));
    expect(detailType).toBe(detail.type);
  }
});

test('calls a record without a type unknown', async () => {
  const relay = await startRelay();
  relay.platform.faults.typeForm = 'none';
  relay.add(20);
  await relay.poll();
  expectAllOnce(relay);
  for (const { detail, detailType } of relay.relayed())
    expect([detail.type, detailType]).toEqual(['unknown', 'unknown']);
});

test.each(
  ['user', 'actor', 'createdBy'].flatMap((actorField) =>
    ['object', 'id', 'none'].map((actorForm) => ({ actorField, actorForm }) as const),
  ),
)('finds the actor in $actorField as $actorForm', async (shape) => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, shape);
  relay.add(20);
  await relay.poll();
  expectAllOnce(relay);
  const users = new Map(
    [...relay.platform.trail].map(({ id, record }) => [
      id,
      (record as { user?: { _id: string; email: string; name: string } }).user,
    ]),
  );
  for (const { detail } of relay.relayed()) {
    const user = shape.actorForm === 'none' ? undefined : users.get(detail.id);
    const actor = user && { id: user._id, ...(shape.actorForm === 'object' && { email: user.email, name: user.name }) };
    expect(detail.data.actor).toEqual(actor);
  }
});
