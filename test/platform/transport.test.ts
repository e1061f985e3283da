import { expect, test } from 'vitest';
import type { Failure } from '../../sandbox/platform/faults.ts';
import { connectTo, DEADLINE_MS, START_MS, startPlatform, startServer } from './connect.ts';

const ROLES = { method: 'GET', path: '/api/public/api/v1/users/roles', deadlineMs: DEADLINE_MS } as const;

const PASSING: Failure[] = [
  ...[408, 429, 500, 502, 503, 504].map((status) => ({ status })),
  { reset: 'before' },
  { reset: 'mid-body' },
];

test.each(PASSING)('repeats a request that met %j', async (failure) => {
  const { platform, api, waits } = await startPlatform();
  platform.faults.failNext = [failure, failure, failure].map((each) => ({ ...each, route: 'roles' }));
  expect((await api.call(ROLES)).status).toBe(200);
  expect(platform.requests.roles).toBe(4);
  expect(waits).toEqual([250, 500, 1000]);
});

test.each([400, 403, 404, 405, 409, 422, 501])('does not repeat a request that is answered with %i', async (status) => {
  const { platform, api, waits } = await startPlatform();
  platform.faults.failNext = [{ route: 'roles', status }];
  await expect(api.call(ROLES)).rejects.toMatchObject({ name: 'TransportError', status, retryable: false });
  expect(platform.requests.roles).toBe(1);
  expect(waits).toEqual([]);
});

test.each([408, 504])('passes %i on at once to a caller that can ask for less', async (status) => {
  const { platform, api } = await startPlatform();
  platform.faults.failNext = [{ route: 'roles', status }];
  const call = api.call({ ...ROLES, passTimeouts: true });
  await expect(call).rejects.toMatchObject({ name: 'TransportError', status, timedOut: true });
  expect(platform.requests.roles).toBe(1);
});

test('backs off to a cap and gives up with the last failure', async () => {
  const { platform, api, waits } = await startPlatform();
  Object.assign(platform.faults, { failShare: 1, failWith: [{ route: 'roles', status: 503 }] });
  await expect(api.call(ROLES)).rejects.toMatchObject({ status: 503, retryable: true });
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000]);
});

test('waits anything down to nothing', async () => {
  const { platform, api, waits } = await startPlatform({ random: 0 });
  platform.faults.failNext = [
    { route: 'roles', status: 503 },
    { route: 'roles', status: 503 },
  ];
  await api.call(ROLES);
  expect(waits).toEqual([0, 0]);
});

test.each([
  ['seconds', 30],
  ['a date', new Date(START_MS + 30_000).toUTCString()],
])('waits as long as Retry-After says in %s', async (_, retryAfter) => {
  const { platform, api, waits } = await startPlatform();
  platform.faults.failNext = [{ route: 'roles', status: 429, retryAfter }];
  await api.call(ROLES);
  expect(waits).toEqual([30_000]);
});

test.each([0, 'soon', new Date(START_MS - 60_000).toUTCString()])(
  'backs off as ever when Retry-After is %j',
  async (retryAfter) => {
    const { platform, api, waits } = await startPlatform();
    platform.faults.failNext = [{ route: 'roles', status: 503, retryAfter }];
    await api.call(ROLES);
    expect(waits).toEqual([250]);
  },
);

test('does not begin a wait that the deadline would cut', async () => {
  const { platform, api, waits } = await startPlatform();
  platform.faults.failNext = [{ route: 'roles', status: 429, retryAfter: 60 }];
  const call = api.call({ ...ROLES, deadlineMs: START_MS + 59_000 });
  await expect(call).rejects.toMatchObject({ name: 'TransportError', status: 429, retryAfterMs: 60_000 });
  expect(waits).toEqual([]);
});

test('asks nothing after the deadline', async () => {
  const { platform, api } = await startPlatform();
  await expect(api.call({ ...ROLES, deadlineMs: START_MS })).rejects.toMatchObject({ name: 'DeadlineError' });
  expect(platform.requests).toMatchObject({ token: 0, roles: 0 });
});

test('takes silence for a time-out', async () => {
  const { url, requests } = await startServer(() => undefined);
  const { transport } = connectTo({ url, requestTimeoutMs: 30 });
  const send = transport.send({ method: 'GET', url: new URL(url), deadlineMs: DEADLINE_MS, passTimeouts: true });
  await expect(send).rejects.toMatchObject({ name: 'TransportError', timedOut: true, status: undefined });
  expect(requests.count).toBe(1);
});

test('gives up a silent answer at the deadline', async () => {
  const { url } = await startServer(() => undefined);
  const { transport } = connectTo({ url, clock: Date.now });
  const send = transport.send({ method: 'GET', url: new URL(url), deadlineMs: Date.now() + 50 });
  await expect(send).rejects.toMatchObject({ name: 'DeadlineError' });
});

test('follows no redirect, and so gives a token to nobody else', async () => {
  const elsewhere = await startServer((_, response) => response.end('{}'));
  const { url, requests } = await startServer((_, response) => {
    response.writeHead(302, { location: elsewhere.url }).end();
  });
  const { transport } = connectTo({ url });
  const send = transport.send({ method: 'GET', url: new URL(url), deadlineMs: DEADLINE_MS });
  await expect(send).rejects.toMatchObject({ status: 302, retryable: false });
  expect([requests.count, elsewhere.requests.count]).toEqual([1, 0]);
});

test('says what failed without query, token or body', async () => {
  const { url } = await startServer((_, response) => {
    response
      .writeHead(403, { 'content-type': 'application/json' })
      .end(JSON.stringify({ message: ['No\nlicence', 'x'.repeat(500)] }));
  });
  const { transport } = connectTo({ url });
  const failed = await transport
    .send({
      method: 'POST',
      url: new URL(`${url}/some/path?secret=in-query`),
      headers: { authorization: 'Bearer in-header' },
      body: { secret: 'in-body' },
      deadlineMs: DEADLINE_MS,
    })
    .catch((error: unknown) => String(error));
  expect(failed).toMatch(/^TransportError: Request failed with 403: POST \/some\/path: No licence; x{50,200}…$/);
});

test.each([
  [{ 'content-type': 'text/html' }, '<html><body>Gone</body></html>', 'an HTML page'],
  [{}, '', 'no reason given'],
  [{}, 'just words', 'just words'],
  [{}, '{"error":"invalid_client","error_description":"Unknown client"}', 'Unknown client'],
  [{}, 'null', 'no reason given'],
])('decides on the status alone, whatever body comes: %j %j', async (headers, body, reason) => {
  const { url } = await startServer((_, response) => response.writeHead(404, headers).end(body));
  const { transport } = connectTo({ url });
  const send = transport.send({ method: 'GET', url: new URL(url), deadlineMs: DEADLINE_MS });
  await expect(send).rejects.toMatchObject({ status: 404, message: expect.stringContaining(reason) });
});

test('takes any 2xx, and the server time from its Date', async () => {
  const { url } = await startServer((_, response) => {
    response.writeHead(202, { date: new Date(START_MS).toUTCString() }).end('{"id":12345678901234567890}');
  });
  const { transport } = connectTo({ url });
  const answer = await transport.send({ method: 'GET', url: new URL(url), deadlineMs: DEADLINE_MS });
  expect(answer).toMatchObject({ status: 202, serverTimeMs: START_MS });
  expect(JSON.stringify(answer.json())).toBe('{"id":12345678901234567890}');
});
