import { expect, test } from 'vitest';
import { connectTo, DEADLINE_MS, START_MS, startPlatform, startServer } from './connect.ts';

const ROLES = { method: 'GET', path: '/api/public/api/v1/users/roles', deadlineMs: DEADLINE_MS } as const;

test.each(
  (['split', 'whole', 'either'] as const).flatMap((credentials) =>
    ([400, 401] as const).map((refusalStatus) => ({ credentials, refusalStatus })),
  ),
)('finds out which credentials are taken and remembers it: %j', async ({ credentials, refusalStatus }) => {
  const { platform, tokens } = await startPlatform();
  Object.assign(platform.faults, { credentials, refusalStatus, tokenStatus: 201 });
  const first = await tokens.current(DEADLINE_MS);
  expect(platform.requests.token).toBe(credentials === 'whole' ? 2 : 1);
  platform.requests.reset();
  expect(await tokens.renew(first, DEADLINE_MS)).not.toBe(first);
  expect(platform.requests.token).toBe(1);
});

const EXPIRIES = (['expires_in', 'expires_at', 'both', 'jwt'] as const).flatMap((tokenExpiry) =>
  [60, 3600, 86_400].flatMap((seconds) =>
    [-7200, 0, 7200].map((skewSeconds) => ({ tokenExpiry, seconds, skewSeconds })),
  ),
);

test.each(EXPIRIES)(
  'renews a token of $seconds s shortly before its end, told by $tokenExpiry, our clock $skewSeconds s off',
  async ({ tokenExpiry, seconds, skewSeconds }) => {
    const { platform, tokens, api, advance } = await startPlatform({ skewMs: skewSeconds * 1000 });
    Object.assign(platform.faults, { tokenExpiry, tokenLifetimeSeconds: seconds });
    const first = await tokens.current(DEADLINE_MS);
    advance(seconds * 0.75);
    expect(await tokens.current(DEADLINE_MS)).toBe(first);
    advance(seconds * 0.25 - 5);
    await api.call(ROLES);
    expect(platform.requests).toMatchObject({ token: 2, roles: 1 });
  },
);

test('takes five minutes for the life of a token of which nothing is said', async () => {
  const { platform, tokens, advance } = await startPlatform();
  platform.faults.tokenExpiry = 'opaque';
  const first = await tokens.current(DEADLINE_MS);
  advance(200);
  expect(await tokens.current(DEADLINE_MS)).toBe(first);
  advance(99);
  expect(await tokens.current(DEADLINE_MS)).not.toBe(first);
});

test.each([
  [{ expires_in: '600' }, 600],
  [{ expires_in: 0 }, 300],
  [{ expires_in: -1 }, 300],
  [{ expires_in: 'soon' }, 300],
  [{ expires_in: null, expires_at: null }, 300],
  [{ expires_at: (START_MS + 600_000) / 1000 }, 600],
  [{ expires_at: new Date(START_MS + 600_000).toISOString().replace('Z', '+00:00') }, 600],
  [{ expires_in: 600, expires_at: 'never' }, 600],
])('reads a lifetime from %j', async (expiry, seconds) => {
  const { url, requests } = await startServer((_, response) => {
    const headers = { date: new Date(START_MS).toUTCString() };
    response.writeHead(200, headers).end(JSON.stringify({ access_token: `t${requests.count}`, ...expiry }));
  });
  const { tokens, advance } = connectTo({ url });
  expect(await tokens.current(DEADLINE_MS)).toBe('t1');
  advance(seconds * 0.75);
  expect(await tokens.current(DEADLINE_MS)).toBe('t1');
  advance(seconds * 0.25 - 1);
  expect(await tokens.current(DEADLINE_MS)).toBe('t2');
});

test.each([['{}'], ['[]'], ['null'], ['{"access_token":""}'], ['{"access_token":7}'], ['<html>'], ['']])(
  'refuses %j for a token, once',
  async (body) => {
    const { url, requests } = await startServer((_, response) => response.end(body));
    const { tokens } = connectTo({ url });
    await expect(tokens.current(DEADLINE_MS)).rejects.toMatchObject({ name: 'ProtocolError' });
    expect(requests.count).toBe(1);
  },
);

test('shares one renewal among callers, before the first token and after a revocation', async () => {
  const { platform, api } = await startPlatform();
  const callers = () => Promise.all(Array.from({ length: 12 }, () => api.call(ROLES)));
  await callers();
  expect(platform.requests.token).toBe(1);
  platform.revokeTokens();
  const answers = await callers();
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
  expect(platform.requests.token).toBe(2);
});

test('gives a late caller the token that another one renewed', async () => {
  const { platform, tokens } = await startPlatform();
  const first = await tokens.current(DEADLINE_MS);
  const second = await tokens.renew(first, DEADLINE_MS);
  expect(await tokens.renew(first, DEADLINE_MS)).toBe(second);
  expect(platform.requests.token).toBe(2);
});

test('reads the key anew when a token is refused, and not otherwise', async () => {
  const { platform, api, reads } = await startPlatform();
  await api.call(ROLES);
  expect(reads.fresh).toBe(0);
  platform.rotateKey();
  await api.call(ROLES);
  expect(reads.fresh).toBe(1);
});

test('tries a key that is newer than the one that was refused', async () => {
  const { platform } = await startPlatform();
  const old = platform.apiKey;
  platform.rotateKey();
  let held = old;
  const { tokens, reads } = connectTo({ url: platform.url, key: () => held });
  await expect(tokens.current(DEADLINE_MS)).rejects.toMatchObject({ name: 'AuthenticationError' });
  expect(reads).toEqual({ all: 2, fresh: 1 });
  held = platform.apiKey;
  expect(await tokens.current(DEADLINE_MS)).toBeTruthy();
});

test('does not pass a token on that is refused twice', async () => {
  const { platform, api } = await startPlatform();
  Object.assign(platform.faults, { failShare: 1, failWith: [{ route: 'roles', status: 401 }] });
  await expect(api.call(ROLES)).rejects.toMatchObject({ name: 'AuthenticationError' });
  expect(platform.requests).toMatchObject({ token: 2, roles: 2 });
});

test.each([400, 401, 403])(
  'takes %i for a refusal of the key, without a retry or a word of the server',
  async (status) => {
    const { url, requests } = await startServer((_, response) => {
      response.writeHead(status).end(JSON.stringify({ message: 'bad client_secret: secret' }));
    });
    const { tokens, waits } = connectTo({ url, key: () => 'account.key.hidden-part' });
    const failed = await tokens.current(DEADLINE_MS).catch((error: unknown) => error);
    expect(failed).toMatchObject({ name: 'AuthenticationError' });
    expect(String(failed)).not.toMatch(/hidden-part|bad client/);
    expect([requests.count, waits.length]).toEqual([2, 0]);
  },
);

test.each([429, 500, 503])('repeats a token request that is answered with %i', async (status) => {
  const { platform, tokens, waits } = await startPlatform();
  platform.faults.failNext = [{ route: 'token', status }];
  expect(await tokens.current(DEADLINE_MS)).toBeTruthy();
  expect(waits).toEqual([250]);
});

test('shows nothing of what a failing token endpoint says', async () => {
  const { url } = await startServer((request, response) => {
    request.pipe(response.writeHead(404));
  });
  const { tokens } = connectTo({ url, key: () => 'account.key.hidden-part' });
  const failed = await tokens.current(DEADLINE_MS).catch((error: Error) => error);
  expect(failed).toMatchObject({ name: 'TransportError', status: 404 });
  expect(String(failed)).not.toContain('hidden-part');
});

test('sends the specified request, below the path of the auth address', async () => {
  const seen: unknown[] = [];
  const { url } = await startServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push([
      request.method,
      request.url,
      request.headers['content-type'],
      JSON.parse(Buffer.concat(chunks).toString()),
    ]);
    response.end('{"access_token":"t"}');
  });
  await connectTo({ url: `${url}/proxy/` }).tokens.current(DEADLINE_MS);
  const body = { grant_type: 'client_credentials', client_id: 'account.key', client_secret: 'secret' };
  expect(seen).toEqual([['POST', '/proxy/api/oauth/token', 'application/json', body]]);
});

test('knows the account without asking', async () => {
  const { platform, tokens } = await startPlatform();
  expect(await tokens.accountId()).toBe(platform.organisation.accountId);
  expect(platform.requests.token).toBe(0);
});
