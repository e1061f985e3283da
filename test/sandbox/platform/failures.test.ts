import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPlatform, type Platform } from '../../../sandbox/platform/platform.ts';
import { type Client, connect, credentials, postToken } from './client.ts';

const START = Date.UTC(2026, 0, 15, 12);
const waits: number[] = [];
let platform: Platform;
let client: Client;
beforeAll(async () => {
  platform = await createPlatform({ clock: () => START, sleep: async (waitMs) => void waits.push(waitMs) });
  client = await connect(platform);
  platform.add(10);
});
beforeEach(() => {
  platform.resetFaults();
  platform.requests.reset();
  waits.length = 0;
});
afterAll(() => platform.close());

const status = async (path = '/users/events') => (await client.get(path)).status;

test.each([400, 403, 404, 408, 429, 500, 502, 503, 504])(
  'answers one request with %i in the one error shape',
  async (code) => {
    platform.faults.failNext.push({ status: code });
    const answer = await client.get('/users/events');
    expect(answer.status).toBe(code);
    expect(JSON.parse(answer.text)).toMatchObject({ statusCode: code });
    expect(await status()).toBe(200);
  },
);

test('says when to come back, in seconds or as a date', async () => {
  const date = new Date(START + 5000).toUTCString();
  platform.faults.failNext.push({ status: 429, retryAfter: 5 }, { status: 503, retryAfter: date });
  expect((await client.get('/users')).headers.get('Retry-After')).toBe('5');
  expect((await client.get('/users')).headers.get('Retry-After')).toBe(date);
});

test('keeps a failure for the route that it is meant for', async () => {
  platform.faults.failNext.push({ status: 500, route: 'token' });
  expect(await status()).toBe(200);
  expect((await postToken(platform, credentials(platform.apiKey, 'split'))).status).toBe(500);
  expect((await postToken(platform, credentials(platform.apiKey, 'split'))).status).toBe(200);
});

test('fails a share of the requests', async () => {
  Object.assign(platform.faults, { failShare: 0.5, failWith: [{ status: 502 }, { status: 503 }] });
  const statuses: number[] = [];
  for (let asked = 0; asked < 60; asked++) statuses.push(await status('/users?limit=1'));
  expect(new Set(statuses)).toEqual(new Set([200, 502, 503]));
  platform.faults.failShare = 1;
  expect(await status()).toBeGreaterThan(500);
});

test('cuts the connection before the answer', async () => {
  platform.faults.failNext.push({ reset: 'before' });
  await expect(client.get('/users/events')).rejects.toThrow('fetch failed');
  expect(await status()).toBe(200);
});

test('cuts the connection after half of the body', async () => {
  platform.faults.failNext.push({ reset: 'mid-body', route: 'users' });
  const { access_token } = JSON.parse((await postToken(platform, credentials(platform.apiKey, 'split'))).text);
  const url = `${platform.url}/api/public/api/v1/users`;
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${access_token}` } });
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow('terminated');
  expect(await status()).toBe(200);
});

test('makes one request, or every request, wait', async () => {
  platform.faults.failNext.push({ latencyMs: 60 }, { latencyMs: 70, status: 504 });
  expect([await status(), await status(), await status()]).toEqual([200, 504, 200]);
  expect(waits.splice(0)).toEqual([60, 70]);
  platform.faults.latencyMs = 20;
  expect([await status(), await status()]).toEqual([200, 200]);
  expect(waits).toEqual([20, 20]);
});

test('gives up on a window that matches too many events, on every one of its pages', async () => {
  platform.faults.heavyRows = 9;
  expect(await status('/users/events?limit=1')).toBe(504);
  expect(await status(`/users/events?after=${new Date(START).toISOString()}`)).toBe(200);
  platform.faults.heavyRows = 10;
  expect(await status()).toBe(200);
  Object.assign(platform.faults, { heavyRows: 9, heavyFailure: { latencyMs: 9000 } });
  expect(await status()).toBe(200);
  expect(waits).toEqual([9000]);
});

test('tells the time of its own clock, skewed, or not at all', async () => {
  const date = async (path = '/users') => (await client.get(path)).headers.get('Date');
  expect(await date()).toBe(new Date(START).toUTCString());
  platform.faults.dateSkewMs = -3_600_000;
  expect(await date()).toBe(new Date(START - 3_600_000).toUTCString());
  expect(await date('/nothing')).toBe(new Date(START - 3_600_000).toUTCString());
  platform.faults.dateMissing = true;
  expect(await date()).toBeNull();
});

test('counts what it was asked, failures included, until told to forget', async () => {
  platform.faults.failNext.push({ status: 500 });
  await client.get('/users/events?limit=5&eventType=task_created');
  await client.get('/users/events/types');
  await client.get('/nothing');
  expect(platform.requests).toMatchObject({ events: 1, types: 1, other: 1, users: 0 });
  expect(platform.requests.last[0]).toMatchObject({
    route: 'events',
    query: { limit: '5', eventType: 'task_created' },
    at: START,
  });
  platform.requests.reset();
  expect(platform.requests).toMatchObject({ events: 0, types: 0, other: 0, last: [] });
});

test('behaves well again after a reset of the faults', async () => {
  const { faults } = platform;
  Object.assign(faults, { envelope: 'html', failShare: 1, order: 'ascending' });
  platform.resetFaults();
  expect(platform.faults).toBe(faults);
  expect((await client.events()).total).toBe(10);
});
