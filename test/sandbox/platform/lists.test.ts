import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPlatform, type Platform } from '../../../sandbox/platform/platform.ts';
import { type Client, connect, type Page } from './client.ts';

let nowMs = Date.UTC(2026, 0, 15, 12);
let platform: Platform;
let client: Client;
beforeAll(async () => {
  platform = await createPlatform({ clock: () => nowMs });
  client = await connect(platform);
  platform.add(10, { time: (index) => nowMs - index });
});
beforeEach(() => platform.resetFaults());
afterAll(() => platform.close());

const list = async (path: string) => JSON.parse((await client.get(path)).text) as Page;
const body = async () => (await client.get('/users/events')).text;

test('lists users and roles page by page', async () => {
  const { users, roles } = platform.organisation;
  expect(await list('/users?limit=15&page=2')).toEqual({ total: users.length, results: users.slice(30) });
  expect(await list('/users/roles')).toEqual({ total: roles.length, results: roles });
});

test('lists open tasks only, by kit and by type of kit', async () => {
  const open = platform.organisation.tasks.filter(({ status }) => status === 'open');
  expect(open.length).toBeLessThan(platform.organisation.tasks.length);
  expect((await list('/tasks?limit=1000')).results).toEqual(open);
  const { _id, type } = platform.organisation.kits[2]!;
  const ofKit = open.filter(({ kitId }) => kitId === _id);
  expect(ofKit.length).toBeGreaterThan(0);
  expect((await list(`/tasks?limit=1000&kitId=${_id}`)).results).toEqual(ofKit);
  expect((await list(`/tasks?limit=1000&kitType=${type}`)).results).toEqual(ofKit);
  expect((await list(`/tasks?kitId=${_id}&kitType=other`)).total).toBe(0);
});

test.each(['limit=1001', 'limit=0', 'limit=ten', 'page=-1', 'page=1.5', 'after=yesterday', 'before=12'])(
  'refuses %s with 400 in the one error shape',
  async (query) => {
    const { status, text } = await client.get(`/users/events?${query}`);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({ statusCode: 400, message: expect.any(String), error: 'Bad Request' });
  },
);

test('answers an unknown address with 404 and a wrong method with 405', async () => {
  expect(JSON.parse((await client.get('/nothing')).text)).toMatchObject({ statusCode: 404, error: 'Not Found' });
  const answer = await fetch(`${platform.url}/api/oauth/token`);
  expect(answer.status).toBe(405);
  expect(await answer.json()).toMatchObject({ statusCode: 405, error: 'Method Not Allowed' });
});

test('writes total as a string, capped, or not at all', async () => {
  platform.faults.totalCap = 4;
  expect((await client.events()).total).toBe(4);
  platform.faults.total = 'string';
  expect((await client.events()).total).toBe('4');
  platform.faults.total = 'missing';
  const page = await client.events();
  expect(page).not.toHaveProperty('total');
  expect(page.results).toHaveLength(10);
});

test('lets total lag behind what is shown', async () => {
  nowMs += 60_000;
  const { id } = platform.add(1)[0]!;
  platform.faults.totalLagSeconds = 30;
  expect(await client.events()).toMatchObject({ total: 10, results: { length: 11 } });
  nowMs += 30_000;
  expect((await client.events()).total).toBe(11);
  platform.trail.remove([id]);
});

test('gives page 0 whatever page is asked for', async () => {
  const first = await client.ids({ limit: 3 });
  expect(await client.ids({ limit: 3, page: 2 })).not.toEqual(first);
  platform.faults.pageIgnored = true;
  expect(await client.ids({ limit: 3, page: 2 })).toEqual(first);
});

test('cuts a large limit silently, and pages by what it was cut to', async () => {
  const all = await client.ids();
  platform.faults.limitClamp = 4;
  expect(await client.ids({ limit: 1000 })).toEqual(all.slice(0, 4));
  expect(await client.ids({ limit: 1000, page: 1 })).toEqual(all.slice(4, 8));
});

test('refuses a limit over the one that is set', async () => {
  platform.faults.limitMax = 5;
  expect((await client.get('/users/events?limit=6')).status).toBe(400);
  expect((await client.get('/users/events?limit=5')).status).toBe(200);
});

test('ends paging at a depth with empty pages or a refusal', async () => {
  platform.faults.deepRows = 6;
  expect(await client.ids({ limit: 4, page: 1 })).toHaveLength(2);
  expect(await client.events({ limit: 4, page: 2 })).toEqual({ total: 10, results: [] });
  platform.faults.deepAnswer = 'refuse';
  expect((await client.get('/users/events?limit=4&page=0')).status).toBe(200);
  expect((await client.get('/users/events?limit=4&page=1')).status).toBe(400);
});

test('wraps a list in every envelope', async () => {
  const { results } = await client.events();
  platform.faults.envelope = 'array';
  expect(JSON.parse(await body())).toEqual(results);
  platform.faults.envelope = 'data';
  expect(JSON.parse(await body())).toEqual({ data: results });
  platform.faults.envelope = 'html';
  const { status, headers, text } = await client.get('/users/events');
  expect([status, headers.get('Content-Type'), text.slice(0, 9)]).toEqual([200, 'text/html', '<!doctype']);
  platform.faults.envelope = 'empty';
  expect(await body()).toBe('');
  platform.faults.envelope = 'truncated';
  const cut = await body();
  expect(cut).toMatch(/^\{"total":10/);
  expect(() => JSON.parse(cut)).toThrow(SyntaxError);
});
