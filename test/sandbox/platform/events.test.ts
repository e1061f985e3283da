import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../../sandbox/platform/event-types.ts';
import { createPlatform, type Platform } from '../../../sandbox/platform/platform.ts';
import { type Client, connect } from './client.ts';

const START = Date.UTC(2026, 0, 15, 12);
const iso = (timeMs: number) => new Date(timeMs).toISOString();

let nowMs = START;
let platform: Platform;
let client: Client;
beforeAll(async () => {
  platform = await createPlatform({ clock: () => nowMs });
  client = await connect(platform);
});
beforeEach(() => {
  platform.resetFaults();
  platform.trail.remove([...platform.trail].map(({ id }) => id));
  nowMs = START;
});
afterAll(() => platform.close());

/** Adds five events half a second apart, from START on, and gives their ids, oldest first. */
const addFive = () => platform.add(5, { time: (index) => START + index * 500 }).map(({ id }) => id);

test('shows the latest first, a hundred of them unless asked otherwise', async () => {
  platform.add(150, { time: (index) => START + index });
  const page = await client.events();
  expect(page.total).toBe(150);
  expect(page.results).toHaveLength(100);
  expect(page.results[0]?.createdAt).toBe(iso(START + 149));
});

test('cuts pages from page 0 on, and gives an empty one after the last', async () => {
  const ids = addFive().reverse();
  expect(await client.ids({ limit: 2, page: 0 })).toEqual(ids.slice(0, 2));
  expect(await client.ids({ limit: 2, page: 2 })).toEqual(ids.slice(4));
  expect(await client.events({ limit: 2, page: 3 })).toEqual({ total: 5, results: [] });
});

test('leaves out what lies at the bounds, unless they are inclusive', async () => {
  const ids = addFive();
  platform.faults.order = 'ascending';
  const window = { after: iso(START + 500), before: iso(START + 1500) };
  expect(await client.ids(window)).toEqual([ids[2]]);
  platform.faults.after = 'inclusive';
  expect(await client.ids(window)).toEqual([ids[1], ids[2]]);
  platform.faults.before = 'inclusive';
  expect(await client.ids(window)).toEqual([ids[1], ids[2], ids[3]]);
});

test('cuts bounds, or bounds and event times, to the second', async () => {
  const ids = addFive();
  platform.faults.order = 'ascending';
  const window = { after: iso(START + 600), before: iso(START + 1900) };
  platform.faults.cutToSecond = 'bounds';
  expect(await client.ids(window)).toEqual([ids[1]]);
  platform.faults.cutToSecond = 'times';
  expect(await client.ids(window)).toEqual([]);
  platform.faults.before = 'inclusive';
  expect(await client.ids(window)).toEqual([ids[2], ids[3]]);
});

test('refuses fractions of a second in bounds where it is set to', async () => {
  platform.faults.refuseMilliseconds = true;
  expect((await client.get(`/users/events?after=${iso(START)}`)).status).toBe(400);
  expect((await client.get('/users/events?after=2026-01-15T12:00:00Z')).status).toBe(200);
});

test('filters by type and by user, the one acted upon included', async () => {
  platform.add(2000);
  const types = await client.events({ eventType: 'user_role_changed', limit: 1000 });
  const truth = [...platform.trail].map(({ record }) => record as Record<string, { _id?: string } | undefined>);
  expect(types.total).toBe(truth.filter(({ eventType }) => String(eventType) === 'user_role_changed').length);
  const { _id } = platform.organisation.users[3]!;
  const involved = truth.filter(({ user, targetUser }) => user?._id === _id || targetUser?._id === _id);
  expect(involved.some(({ user }) => user?._id !== _id)).toBe(true);
  expect((await client.events({ forUserId: _id })).total).toBe(involved.length);
});

test.each([
  ['eventType', { eventType: 'no_such_type' }],
  ['forUserId', { forUserId: 'nobody' }],
  ['after', { after: iso(START + 60_000) }],
  ['before', { before: iso(START - 60_000) }],
] as const)('passes over %s where it is set to', async (filter, query) => {
  addFive();
  expect((await client.events(query)).total).toBe(0);
  platform.faults.ignoredFilters = [filter];
  expect((await client.events(query)).total).toBe(5);
});

test('shuffles all events, or only those of the same time, anew for each request', async () => {
  platform.add(40, { time: (index) => START + Math.floor(index / 20) });
  const times = async () => (await client.events()).results.map(({ createdAt }) => createdAt);
  const sorted = await times();
  platform.faults.order = 'shuffled-ties';
  expect(await client.ids()).not.toEqual(await client.ids());
  expect(await times()).toEqual(sorted);
  platform.faults.order = 'shuffled';
  expect(await times()).not.toEqual(await times());
  expect((await times()).sort()).toEqual([...sorted].sort());
});

test('lets a hook insert and remove rows between two pages', async () => {
  const ids = addFive().reverse();
  platform.faults.beforeEvents = ({ page }) => {
    if (page === 1) platform.add(1, { time: START + 60_000 });
  };
  expect(await client.ids({ limit: 2, page: 0 })).toEqual([ids[0], ids[1]]);
  expect(await client.ids({ limit: 2, page: 1 })).toEqual([ids[1], ids[2]]);
  platform.faults.beforeEvents = null;
  platform.trail.remove([ids[0]!]);
  expect((await client.events()).total).toBe(5);
  expect(await client.ids()).not.toContain(ids[0]);
});

test('shows a late event from its hour on, for one addition or as a rule', async () => {
  const [event] = platform.add(1, { time: START, lateMs: 60_000 });
  platform.faults.lateMs = ({ time }) => (time === START ? 120_000 : 0);
  const [ruled] = platform.add(1);
  expect([...platform.trail]).toEqual([event, ruled]);
  expect(event?.visibleAt).toBe(START + 60_000);
  nowMs = START + 59_999;
  expect(await client.ids()).toEqual([]);
  nowMs = START + 60_000;
  expect(await client.ids()).toEqual([event?.id]);
  nowMs = START + 120_000;
  expect(await client.ids()).toContain(ruled?.id);
});

test('shows an event of the past at once where nothing delays it', async () => {
  const [event] = platform.add(1, { time: START - 86_400_000 });
  expect(await client.ids()).toEqual([event?.id]);
});

test('serves given records untouched, even those that are no objects', async () => {
  const given = [{ code: 7, createdAt: iso(START - 5000) }, 'text', null];
  platform.faults.id = 'eventId';
  platform.faults.order = 'ascending';
  const rows = platform.add(given);
  expect(rows.map(({ time }) => time)).toEqual([START - 5000, START, START]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
  expect((await client.events()).results).toEqual(given);
});

test('lists the event types in the structure that it is set to use', async () => {
  const names = EVENT_TYPES.map(({ name }) => name);
  const types = async (form: Platform['faults']['types']) => {
    platform.faults.types = form;
    return JSON.parse((await client.get('/users/events/types')).text);
  };
  expect(await types('strings')).toEqual(names);
  expect((await types('objects')).map(({ id }: { id: string }) => id)).toEqual(names);
  expect(Object.keys(await types('map'))).toEqual(names);
  expect((await types('paged')).results).toEqual(names);
  expect((await types('missing')).statusCode).toBe(404);
});
