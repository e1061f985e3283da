import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlatform, type Platform } from '../../../../sandbox/platform/platform.ts';
import { type Client, connect } from '../client.ts';

let platform: Platform;
let client: Client;
beforeAll(async () => {
  platform = await createPlatform();
  client = await connect(platform);
});
afterAll(() => platform.close());

test('keeps what an adapter logs, one entry or several, in order', async () => {
  const one = await client.post('/adapter/passthrough/erp', { level: 'error', message: 'database time-out' });
  expect([one.status, JSON.parse(one.text)]).toEqual([201, { accepted: 1 }]);
  const several = await client.post('/adapter/passthrough/erp', [{ level: 'info' }, { level: 'warn', n: 3 }]);
  expect(JSON.parse(several.text)).toEqual({ accepted: 2 });
  expect(platform.adapter.logs('erp')).toEqual([
    { level: 'error', message: 'database time-out' },
    { level: 'info' },
    { level: 'warn', n: 3 },
  ]);
  expect(platform.adapter.logs('eventbridge')).toEqual([]);
});

test('forgets the oldest entries beyond ten thousand', async () => {
  const entries = Array.from({ length: 6000 }, (_, n) => ({ n }));
  await client.post('/adapter/passthrough/eventbridge', entries);
  await client.post('/adapter/passthrough/eventbridge', entries);
  const kept = platform.adapter.logs('eventbridge');
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([10_000, { n: 2000 }, { n: 5999 }]);
});

test.each([
  ['an unknown interface', 'sap', {}, 404],
  ['a body that is no entry', 'erp', 'text', 400],
])('refuses %s', async (_, name, body, status) => {
  expect((await client.post(`/adapter/passthrough/${name}`, body)).status).toBe(status);
});
