import { expect, test } from 'vitest';
import { EVENT_TYPES } from '../../sandbox/platform/event-types.ts';
import { createTrail, readList, readTypes } from '../../shared/platform/events.ts';
import { connectTo, DEADLINE_MS, START_MS, startPlatform, startServer } from './connect.ts';

const QUERY = { afterSeconds: START_MS / 1000 - 3600, limit: 1000, page: 0 };
const NAMES = EVENT_TYPES.map(({ name }) => name);

test('asks for a page in the words of the specification', async () => {
  const { platform, api } = await startPlatform();
  const trail = createTrail({ api });
  await trail.readPage(QUERY, DEADLINE_MS);
  await trail.readPage({ ...QUERY, beforeSeconds: START_MS / 1000, eventType: 'a b&c', page: 3 }, DEADLINE_MS);
  expect(platform.requests.last.filter(({ route }) => route === 'events').map(({ query }) => query)).toEqual([
    { after: '2026-01-15T11:00:00Z', limit: '1000', page: '0' },
    { after: '2026-01-15T11:00:00Z', before: '2026-01-15T12:00:00Z', eventType: 'a b&c', limit: '1000', page: '3' },
  ]);
});

test('gives rows, total and the time of the server', async () => {
  const { platform, api } = await startPlatform();
  platform.add(3, { time: START_MS - 1000 });
  const page = await createTrail({ api }).readPage(QUERY, DEADLINE_MS);
  expect(page).toMatchObject({ total: 3, serverTimeMs: START_MS });
  expect(page.rows).toHaveLength(3);
});

test.each([
  [[], { rows: [] }],
  [[1, 'two', null], { rows: [1, 'two', null] }],
  [
    { total: 1, results: [1] },
    { rows: [1], total: 1 },
  ],
  [
    { total: '12', results: [] },
    { rows: [], total: 12 },
  ],
  [{ results: [], page: 0, more: true }, { rows: [] }],
  [{ total: null, results: [] }, { rows: [] }],
  [{ total: 'many', results: [] }, { rows: [] }],
  [{ total: '', results: [] }, { rows: [] }],
  [{ total: -1, results: [] }, { rows: [] }],
  [{ total: 1.5, results: [] }, { rows: [] }],
])('reads a list from %j', (body, expected) => {
  expect(readList('/path', body)).toEqual(expected);
});

test.each([
  [null],
  ['text'],
  [7],
  [true],
  [{}],
  [{ data: [] }],
  [{ results: {} }],
  [{ results: null }],
  [{ total: 0 }],
  [{ error: 'x' }],
])('refuses %j for a list', (body) => {
  expect(() => readList('/path', body)).toThrow(/^GET \/path answered .* expected$/);
});

test.each(['strings', 'objects', 'map', 'paged'] as const)('lists the event types given as %s', async (types) => {
  const { platform, api } = await startPlatform();
  platform.faults.types = types;
  expect((await createTrail({ api }).listTypes(DEADLINE_MS)).toSorted()).toEqual(NAMES.toSorted());
});

test.each(['<html>', '', 'null', '7', '"text"', '{}', '[null, 7, {}]'])(
  'lists no event types when the answer is %j',
  async (body) => {
    const { url } = await startServer((request, response) => {
      response.end(request.method === 'POST' ? '{"access_token":"t"}' : body);
    });
    expect(await createTrail({ api: connectTo({ url }).api }).listTypes(DEADLINE_MS)).toEqual([]);
  },
);

test('lists no event types where there is no such endpoint', async () => {
  const { platform, api } = await startPlatform();
  platform.faults.types = 'missing';
  expect(await createTrail({ api }).listTypes(DEADLINE_MS)).toEqual([]);
});

test('does not take a refused key for a missing list of types', async () => {
  const { platform, api } = await startPlatform();
  platform.deleteKey();
  await expect(createTrail({ api }).listTypes(DEADLINE_MS)).rejects.toMatchObject({ name: 'AuthenticationError' });
});

test.each([
  [
    [{ eventType: 'a' }, { type: 'b' }, { name: 'c' }, { key: 'd' }, { value: 'e' }],
    ['a', 'b', 'c', 'd', 'e'],
  ],
  [{ types: ['a', 'a', ''] }, ['a']],
  [{ eventTypes: [{ id: 'a' }] }, ['a']],
  [{ data: ['a'] }, ['a']],
  [{ a: { label: 'A' }, b: {} }, ['a', 'b']],
])('finds identifiers in %j', (body, names) => {
  expect(readTypes(body)).toEqual(names);
});
