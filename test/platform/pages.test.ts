import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createList } from '../../shared/platform/pages.ts';
import { DEADLINE_MS, startPlatform } from './connect.ts';

const USERS = '/api/public/api/v1/users';
const row = z.looseObject({ _id: z.string() });

/** A list of the platform's 40 users. */
async function startList() {
  const { platform, api } = await startPlatform();
  const list = createList({ api, deadline: () => DEADLINE_MS }, { path: USERS, row });
  return { platform, list, all: platform.organisation.users };
}

test('reads on until a page is empty, whatever the total says', async () => {
  const { platform, list, all } = await startList();
  expect(await Array.fromAsync(list)).toEqual(all);
  const asked = platform.requests.last.filter(({ route }) => route === 'users').map(({ query }) => query);
  expect(asked).toEqual([
    { limit: '1000', page: '0' },
    { limit: '40', page: '1' },
  ]);
});

test.each([
  ['says no total', { total: 'missing' }],
  ['writes its total as a text', { total: 'string' }],
  ['says a total that is too small', { totalCap: 3 }],
  ['gives shorter pages than asked for', { limitClamp: 7 }],
  ['gives shorter pages and no total', { limitClamp: 7, total: 'missing' }],
  ['gives shorter pages and a wrong total', { limitClamp: 7, totalCap: 7 }],
  ['gives a bare array', { envelope: 'array' }],
  ['gives a bare array in shorter pages', { envelope: 'array', limitClamp: 9 }],
  ['gives all at once, whatever page is asked for', { envelope: 'array', pageIgnored: true }],
  ['refuses the longest pages', { limitMax: 50 }],
] as const)('reads everything from a platform that %s', async (_, faults) => {
  const { platform, list, all } = await startList();
  Object.assign(platform.faults, faults);
  expect(await Array.fromAsync(list)).toEqual(all);
});

test('asks for less where a whole page takes too long', async () => {
  const { platform, list, all } = await startList();
  platform.faults.failNext = [{ route: 'users', status: 504 }];
  expect(await Array.fromAsync(list)).toEqual(all);
  expect(platform.requests.last.filter(({ route }) => route === 'users').map(({ query }) => query.limit)).toEqual([
    '1000',
    '100',
    '40',
  ]);
});

test('gives up on a platform that refuses any page', async () => {
  const { platform, list } = await startList();
  platform.faults.limitMax = 5;
  await expect(Array.fromAsync(list)).rejects.toMatchObject({ status: 400 });
  expect(platform.requests.users).toBe(3);
});

test('stops at a page that comes again though there is more', async () => {
  const { platform, list, all } = await startList();
  Object.assign(platform.faults, { pageIgnored: true, limitClamp: 10 });
  const seen: unknown[] = [];
  await expect(
    (async () => {
      for await (const user of list) seen.push(user);
    })(),
  ).rejects.toMatchObject({ name: 'ProtocolError' });
  expect(seen).toEqual(all.slice(0, 10));
  expect(platform.requests.users).toBe(2);
});

test('names the field of a row that is not as specified, and never its value', async () => {
  const { platform, list } = await startList();
  Object.assign(platform.organisation.users[3]!, { _id: 17_171_717 });
  const failure = await Array.fromAsync(list).catch((error: Error) => error);
  expect(failure).toMatchObject({ name: 'ProtocolError', message: expect.stringContaining('_id') });
  expect(String(failure)).not.toContain('17171717');
});

test('keeps fields that nobody knows', async () => {
  const { platform, list } = await startList();
  Object.assign(platform.organisation.users[0]!, { shoeSize: [41] });
  const [first] = await Array.fromAsync(list);
  expect(first).toMatchObject({ shoeSize: [41] });
});

test('gives one page, an empty one, for an empty list', async () => {
  const { platform, list } = await startList();
  platform.organisation.users.length = 0;
  expect(await Array.fromAsync(list.pages())).toMatchObject([{ rows: [], total: 0 }]);
});
