import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AuditRecord } from '../../../sandbox/platform/activity.ts';
import { createPlatform, type Platform } from '../../../sandbox/platform/platform.ts';
import { toSnowflake } from '../../../sandbox/platform/record-shape.ts';
import { type Client, connect } from './client.ts';

const START = Date.UTC(2026, 0, 15, 12, 0, 0, 250);
let platform: Platform;
let client: Client;
let truth: AuditRecord;
beforeAll(async () => {
  platform = await createPlatform({ clock: () => START });
  client = await connect(platform);
  truth = platform
    .add(20)
    .map(({ record }) => record as AuditRecord)
    .findLast(({ user }) => user)!;
  platform.trail.remove([...platform.trail].map(({ id }) => id).filter((id) => id !== truth._id));
});
beforeEach(() => platform.resetFaults());
afterAll(() => platform.close());

const show = async (faults: Partial<Platform['faults']>) => {
  platform.resetFaults();
  Object.assign(platform.faults, faults);
  return (await client.events()).results[0]!;
};

test('shows a record as it was written by default', async () => {
  expect(await show({})).toEqual(truth);
});

test('writes the id under any name, or nowhere', async () => {
  const { _id, ...rest } = truth;
  for (const id of ['id', 'eventId'] as const) {
    expect(await show({ id })).toEqual({ ...rest, [id]: _id });
  }
  expect(await show({ id: 'none' })).toEqual(rest);
});

test('writes ids beyond 2^53 as numbers with all their digits', async () => {
  platform.faults.id = 'snowflake';
  const { text } = await client.get('/users/events');
  const digits = /"id":(\d+),/.exec(text)?.[1] ?? '';
  expect(digits).toBe(toSnowflake(truth._id));
  expect(BigInt(digits)).toBeGreaterThan(2n ** 53n);
});

test.each([
  ['iso-ms', '2026-01-15T12:00:00.250Z'],
  ['iso', '2026-01-15T12:00:00Z'],
  ['iso-offset', '2026-01-15T14:00:00.250+02:00'],
  ['epoch-seconds', Math.floor(START / 1000)],
  ['epoch-ms', START],
  ['none', undefined],
] as const)('writes the time as %s', async (timeFormat, written) => {
  const record = await show({ timeFormat, timeField: 'occurredAt' });
  expect(record.occurredAt).toBe(written);
  expect(record).not.toHaveProperty('createdAt');
});

test('writes the type as a string or an object under any name, or not at all', async () => {
  expect(await show({ typeField: 'type' })).toMatchObject({ type: truth.eventType });
  expect(await show({ typeField: 'event', typeForm: 'object' })).toMatchObject({ event: { name: truth.eventType } });
  expect(await show({ typeForm: 'none' })).not.toHaveProperty('eventType');
});

test('writes the actor as an object or an id under any name, or not at all', async () => {
  expect(await show({ actorField: 'actor' })).toMatchObject({ actor: truth.user });
  expect(await show({ actorField: 'createdBy', actorForm: 'id' })).toMatchObject({ createdBy: truth.user?._id });
  expect(await show({ actorForm: 'none' })).not.toHaveProperty('user');
});

test('finds events by type whatever their shape', async () => {
  Object.assign(platform.faults, { typeField: 'event', typeForm: 'object' });
  expect((await client.events({ eventType: truth.eventType })).total).toBe(1);
});
