import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect as openSocket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_ROOT, PATHS } from '../../../sandbox/platform/paths.ts';
import { createPlatform, type Platform } from '../../../sandbox/platform/platform.ts';
import { credentials, postToken } from './client.ts';

let platform: Platform;
let bearer: string;
beforeAll(async () => {
  platform = await createPlatform();
  bearer = `Bearer ${JSON.parse((await postToken(platform, credentials(platform.apiKey, 'split'))).text).access_token}`;
});
afterAll(() => platform.close());

/** Sends a request as it is written, and parses the one answer. */
async function sendRaw(lines: readonly string[], body = '') {
  const socket = openSocket(Number(new URL(platform.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  const [head = '', ...rest] = (await text(socket)).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: rest.join('\r\n\r\n') };
}
const raw = (start: string, ...headers: string[]) =>
  sendRaw([`${start} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers]);
const expectProblem = ({ status, body }: { status: number; body: string }, expected: number) => {
  expect(JSON.parse(body)).toEqual({ statusCode: expected, message: expect.any(String), error: expect.any(String) });
  expect(status).toBe(expected);
  expect(body).not.toMatch(/ {4}at |node_modules|\.ts\b/);
};
const send = async (path: string, options: RequestInit & { duplex?: 'half' } = {}) => {
  const headers = { Authorization: bearer, ...(options.headers as Record<string, string>) };
  const response = await fetch(platform.url + path, { ...options, headers });
  return { status: response.status, headers: response.headers, body: await response.text() };
};
const json = { 'Content-Type': 'application/json' };

test.each(Object.entries(PATHS))('names the methods that %s knows', async (name, path) => {
  if (name === 'acknowledge') return;
  const answer = await send(path.replaceAll(/\{\w+\}/g, 'x'), { method: 'PUT' });
  expectProblem(answer, 405);
  expect(answer.headers.get('Allow')).toMatch(/^(GET, HEAD|POST|DELETE)(, (PATCH|POST))?$/);
});

test('names all methods of an address that knows several', async () => {
  expect((await send(`${API_ROOT}/profile/x`, { method: 'DELETE' })).headers.get('Allow')).toBe('GET, HEAD, PATCH');
});

test('says how to authenticate where the token is missing, wrong or malformed', async () => {
  for (const headers of [{ Authorization: '' }, { Authorization: 'Bearer x' }, { Authorization: 'Basic eDp5' }]) {
    const answer = await send(PATHS.users, { headers });
    expectProblem(answer, 401);
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  }
});

test.each([
  ['broken JSON', { body: '{"label"', headers: json }, 400],
  ['no body', { headers: json }, 400],
  ['another type', { body: 'label=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }, 415],
  ['no type', { body: new Uint8Array([123, 125]) }, 415],
  ['a body over the limit', { body: ' '.repeat(10 * 1024 * 1024 + 1), headers: json }, 413],
] as const)('refuses %s', async (_, options, status) => {
  for (const path of [PATHS.keys, `${API_ROOT}/adapter/passthrough/erp`, PATHS.acknowledgement]) {
    expectProblem(await send(path, { method: 'POST', ...options }), status);
  }
});

test('refuses a body over the limit that does not say its length', async () => {
  const body = ReadableStream.from(Array.from({ length: 12 }, () => new Uint8Array(1024 * 1024).fill(32)));
  const path = `${API_ROOT}/adapter/passthrough/erp`;
  // The server may hang up on whoever goes on sending.
  const answer = await send(path, { method: 'POST', headers: json, body, duplex: 'half' }).catch(() => undefined);
  if (answer) expectProblem(answer, 413);
  expect(platform.adapter.logs('erp')).toEqual([]);
});

test.each([
  'limit=1&limit=2',
  'limit=99999999999999999999',
  'limit=1e3',
  'limit=0x10',
  'limit=',
  'page=%00',
  'eventType=a&eventType=b',
  'after=2026-02-30T00:00:00Z',
  'limit=%ff',
])('refuses the query %s', async (query) => {
  expectProblem(await send(`${PATHS.events}?${query}`), 400);
});

test.each([
  ['an invalid percent-encoding', '/profile/%E0%A4%A', 404],
  ['NUL', '/profile/%00', 404],
  ['a path that climbs', '/profile/..%2f..%2fetc%2fpasswd', 404],
  ['prototype members', '/profile/__proto__', 404],
  ['prototype members of interfaces', '/changes/connections?interface=constructor', 404],
  ['a very long path', `/profile/${'x'.repeat(8000)}`, 404],
])('answers %s with an error', async (_, path, status) => {
  expectProblem(await raw(`GET ${API_ROOT}${path}`, `Authorization: ${bearer}`), status);
});

test.each([
  ['a backslash in the address', 'GET /api\\public', 400],
  ['an address that is none', 'GET //', 404],
  ['an unknown method', 'BREW /', 400],
  ['a version that is none', 'GET /\r\nX', 400],
] as const)('answers %s', async (_, start, status) => {
  expectProblem(await raw(start), status);
});

test.each(['TRACE', 'OPTIONS', 'PROPFIND'])('refuses the method %s', async (method) => {
  expectProblem(await raw(`${method} ${PATHS.users}`, `Authorization: ${bearer}`), 405);
});

test('refuses a host that cannot be read', async () => {
  expectProblem(await sendRaw(['GET /nothing HTTP/1.1', 'Host: a b c', 'Connection: close']), 400);
});

test('refuses headers that are too large', async () => {
  expectProblem(await raw('GET /', `X-Large: ${'x'.repeat(20_000)}`), 431);
});

test('answers the next request on a connection whose last body was refused unread', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (method: string, type: string, body?: string) => {
    const asked = request(platform.url + PATHS.keys, { method, agent, headers: { 'Content-Type': type } });
    asked.end(body);
    const [response] = await once(asked, 'response');
    await text(response);
    return { status: response.statusCode, reused: asked.reusedSocket };
  };
  expect((await ask('POST', 'text/plain', 'x'.repeat(1_000_000))).status).toBe(415);
  expect(await ask('PUT', 'text/plain', 'x'.repeat(1_000_000))).toEqual({ status: 405, reused: true });
  expect(await ask('GET', 'text/plain')).toEqual({ status: 200, reused: true });
  agent.destroy();
});

test('tells nothing of what went wrong inside', async () => {
  platform.faults.beforeEvents = () => {
    throw new Error('a secret place in a file.ts');
  };
  const answer = await send(PATHS.events);
  expectProblem(answer, 500);
  expect(answer.body).not.toContain('secret');
  platform.resetFaults();
});
