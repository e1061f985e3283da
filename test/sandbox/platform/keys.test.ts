import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuditRecord } from '../../../sandbox/platform/activity.ts';
import { createPlatform, type Platform } from '../../../sandbox/platform/platform.ts';
import { connect, credentials, postToken } from './client.ts';

let platform: Platform;
beforeEach(async () => {
  platform = await createPlatform();
});
afterEach(() => platform.close());

const ask = (path: string, options?: RequestInit) => fetch(`${platform.url}/sandbox/keys${path}`, options);
const create = (body: unknown) =>
  ask('', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
const events = () => [...platform.trail].map(({ record }) => record as AuditRecord);

test('makes a further key, which works beside the first in both forms, and shows it once', async () => {
  const answer = await create({ label: 'second' });
  const { apiKey, keyId } = (await answer.json()) as { apiKey: string; keyId: string };
  expect(answer.status).toBe(201);
  for (const key of [apiKey, platform.apiKey]) {
    for (const form of ['split', 'whole'] as const) {
      expect((await postToken(platform, credentials(key, form))).status).toBe(200);
    }
  }
  const text = await (await ask('')).text();
  expect(JSON.parse(text)).toMatchObject({ total: 2, results: [{ label: 'first' }, { label: 'second', keyId }] });
  for (const secret of [apiKey, platform.apiKey].map((key) => key.split('.')[2]!)) expect(text).not.toContain(secret);
  expect(events()).toMatchObject([{ eventType: 'api_key_created', apiKey: { keyId, label: 'second' } }]);
  expect(JSON.stringify(events())).not.toContain(apiKey.split('.')[2]);
});

test('ends the tokens of a deleted key, and no others', async () => {
  const first = await connect(platform);
  const { apiKey, keyId } = (await (await create({ label: 'second' })).json()) as { apiKey: string; keyId: string };
  const second = await connect({ url: platform.url, apiKey });
  expect((await second.get('/users')).status).toBe(200);
  expect((await ask(`/${keyId}`, { method: 'DELETE' })).status).toBe(204);
  expect((await second.get('/users')).status).toBe(401);
  expect((await postToken(platform, credentials(apiKey, 'split'))).status).toBe(401);
  expect((await first.get('/users')).status).toBe(200);
  expect((await ask(`/${keyId}`, { method: 'DELETE' })).status).toBe(404);
  expect(events().at(-1)).toMatchObject({ eventType: 'api_key_deleted', apiKey: { keyId, label: 'second' } });
});

test.each([[{}], [{ label: '' }], [{ label: 'x', secret: 'mine' }], ['text']])(
  'refuses to make a key of %j',
  async (body) => {
    expect((await create(body)).status).toBe(400);
  },
);

test('knows neither the keys nor the tokens nor the ids of another organisation', async () => {
  const other = await createPlatform({ seed: 2 });
  expect((await postToken(other, credentials(platform.apiKey, 'split'))).status).toBe(401);
  expect((await postToken(other, credentials(platform.apiKey, 'whole'))).status).toBe(401);
  const mine = await connect(platform);
  const theirs = await connect(other);
  expect((await mine.get(`/profile/${other.organisation.suppliers[0]?.publicId}`)).status).toBe(404);
  expect((await mine.get(`/kit/${other.organisation.kits[0]?._id}`)).status).toBe(404);
  expect((await theirs.get(`/profile/${platform.organisation.suppliers[0]?.publicId}`)).status).toBe(404);
  const { text } = await postToken(platform, credentials(platform.apiKey, 'split'));
  const headers = { Authorization: `Bearer ${JSON.parse(text).access_token}` };
  expect((await fetch(`${other.url}/api/public/api/v1/users`, { headers })).status).toBe(401);
  await other.close();
});
