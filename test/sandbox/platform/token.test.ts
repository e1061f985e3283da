import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createPlatform, type Platform } from '../../../sandbox/platform/platform.ts';
import { connect, credentials, postToken } from './client.ts';

let nowMs = Date.UTC(2026, 0, 15, 12);
let platform: Platform;
beforeAll(async () => {
  platform = await createPlatform({ clock: () => nowMs });
});
afterEach(() => platform.resetFaults());
afterAll(() => platform.close());

const ask = async (form: 'split' | 'whole' = 'split') => {
  const { status, text } = await postToken(platform, credentials(platform.apiKey, form));
  return { status, body: JSON.parse(text) as Record<string, unknown> };
};

test('gives a signed token with its end for both ways of filling the credentials', async () => {
  for (const form of ['split', 'whole'] as const) {
    const { status, body } = await ask(form);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    const [header, claims] = String(body.access_token).split('.');
    const decode = (part?: string) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
    expect(decode(header)).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(decode(claims).exp).toBe(nowMs / 1000 + 3600);
  }
});

test('takes only the form that it is set to take, and refuses the other as it is set to', async () => {
  platform.faults.credentials = 'whole';
  expect((await ask('split')).status).toBe(401);
  expect((await ask('whole')).status).toBe(200);
  platform.faults.credentials = 'split';
  platform.faults.refusalStatus = 400;
  expect((await ask('split')).status).toBe(200);
  expect((await ask('whole')).status).toBe(400);
});

test.each([
  ['a wrong secret', { client_secret: 'wrong' }, 401],
  ['another grant type', { grant_type: 'password' }, 400],
  ['no client id', { client_id: undefined }, 400],
])('refuses %s', async (_, change, status) => {
  const answer = await postToken(platform, { ...credentials(platform.apiKey, 'split'), ...change });
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.text)).toEqual({
    statusCode: status,
    message: expect.any(String),
    error: expect.any(String),
  });
});

test('refuses a body that is not JSON in the one error shape', async () => {
  const answer = await postToken(platform, '{"grant_type":');
  expect(JSON.parse(answer.text)).toMatchObject({ statusCode: 400, error: 'Bad Request' });
});

test('tells the end of a token in the fields it is set to use', async () => {
  const fields = async (tokenExpiry: Platform['faults']['tokenExpiry']) => {
    platform.faults.tokenExpiry = tokenExpiry;
    const { access_token, token_type, ...rest } = (await ask()).body;
    return { ...rest, jwt: String(access_token).split('.').length === 3 };
  };
  const end = new Date(nowMs + 3_600_000).toISOString();
  expect(await fields('expires_at')).toEqual({ expires_at: end, jwt: true });
  expect(await fields('both')).toEqual({ expires_in: 3600, expires_at: end, jwt: true });
  expect(await fields('jwt')).toEqual({ jwt: true });
  expect(await fields('opaque')).toEqual({ jwt: false });
});

test('answers a token with 201 where it is set to', async () => {
  platform.faults.tokenStatus = 201;
  expect((await ask()).status).toBe(201);
});

test('accepts a token until its lifetime ends', async () => {
  platform.faults.tokenLifetimeSeconds = 60;
  const client = await connect(platform);
  nowMs += 59_999;
  expect((await client.get('/users')).status).toBe(200);
  nowMs += 1;
  expect((await client.get('/users')).status).toBe(401);
});

test('refuses every route without a good token', async () => {
  for (const path of ['users', 'users/roles', 'users/events', 'users/events/types', 'tasks']) {
    const answer = await fetch(`${platform.url}/api/public/api/v1/${path}`, { headers: { Authorization: 'Bearer x' } });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ statusCode: 401, error: 'Unauthorized' });
  }
});

test('ends all tokens on demand while the key stays good', async () => {
  const client = await connect(platform);
  platform.revokeTokens();
  expect((await client.get('/users')).status).toBe(401);
  expect((await ask()).status).toBe(200);
});

test('takes only the new key of the same account after a rotation, and none after a deletion', async () => {
  const old = platform.apiKey;
  const client = await connect(platform);
  const next = platform.rotateKey();
  expect(next.split('.')[0]).toBe(old.split('.')[0]);
  expect((await client.get('/users')).status).toBe(401);
  expect((await postToken(platform, credentials(old, 'split'))).status).toBe(401);
  expect((await postToken(platform, credentials(next, 'split'))).status).toBe(200);
  platform.deleteKey();
  expect((await postToken(platform, credentials(next, 'split'))).status).toBe(401);
  expect((await postToken(platform, credentials(platform.rotateKey(), 'whole'))).status).toBe(200);
});
