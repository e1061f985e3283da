import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json, text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Announcement } from '../../../sandbox/platform/serve/words.ts';
import { connect } from './client.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'serve-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => {
  const program = new URL('../../../sandbox/serve.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

/** Starts the platform and waits until it answers. */
async function serve(...args: string[]) {
  const child = run('--port', '0', '--json', ...args);
  const [line] = await once(createInterface(child.stdout), 'line');
  const { baseUrl, apiKey, ...rest } = JSON.parse(String(line)) as Announcement;
  const stop = async (signal: NodeJS.Signals = 'SIGINT') => {
    child.kill(signal);
    const [code] = await once(child, 'exit');
    return code;
  };
  return { url: baseUrl, apiKey, ...rest, stop };
}

test('goes on after a stop with the same key, trail, connections, messages and answers', async () => {
  const first = await serve('--data', folder, '--rate', '0');
  const client = await connect(first);
  const page = async (of: typeof client, path: string) => JSON.parse((await of.get(path)).text);
  const { results: listed } = await page(client, '/changes/connections?interface=erp&limit=1000');
  const { publicId } = listed[0];
  await client.post('/changes/acknowledgement', {
    interface: 'erp',
    connectionRole: 'buyer',
    publicId: listed[1].publicId,
  });
  await client.post(`/profile/${publicId}`, { legalName: 'Kept plc' }, { method: 'PATCH' });
  const truth = {
    events: await page(client, '/users/events?limit=50'),
    users: await page(client, '/users'),
    connections: await page(client, '/changes/connections?interface=erp&limit=1000'),
    profile: await page(client, `/profile/${publicId}?includeMetadata=true`),
  };
  expect(await first.stop()).toBe(0);

  const second = await serve('--data', folder, '--rate', '0', '--seed', '7');
  expect(second.apiKey).toBe(first.apiKey);
  const again = await connect(second);
  expect({
    events: await page(again, '/users/events?limit=50'),
    users: await page(again, '/users'),
    connections: await page(again, '/changes/connections?interface=erp&limit=1000'),
    profile: await page(again, `/profile/${publicId}?includeMetadata=true`),
  }).toEqual(truth);
  expect(truth.events.total).toBe(14_001);
  expect(truth.events.results[0]).toMatchObject({ eventType: 'profile_updated', profile: { publicId } });
  expect(truth.profile.answers.legalName).toBe('Kept plc');
  expect(await second.stop('SIGTERM')).toBe(0);
});

test('goes on after a kill in the middle of a line', async () => {
  const first = await serve('--data', folder, '--rate', '600');
  const before = JSON.parse((await (await connect(first)).get('/users/events?limit=1')).text).total;
  await first.stop('SIGKILL');
  appendFileSync(join(folder, 'trail.jsonl'), '{"id":"torn');
  const second = await serve('--data', folder, '--rate', '0');
  const after = JSON.parse((await (await connect(second)).get('/users/events?limit=1')).text).total;
  expect(after).toBeGreaterThanOrEqual(before);
  await second.stop();
  expect(readFileSync(join(folder, 'trail.jsonl'), 'utf8')).not.toContain('torn');
});

test('answers over TLS to those who trust its certificate, which it keeps', async () => {
  const ask = async ({ url, certificate }: { url: string; certificate?: string }) => {
    const request = get(`${url}/sandbox/keys`, { ca: readFileSync(certificate!), minVersion: 'TLSv1.2' });
    const [response] = await once(request, 'response');
    return json(response);
  };
  const first = await serve('--data', folder, '--https', '--rate', '0');
  expect(first.url).toMatch(/^https:/);
  expect(await ask(first)).toMatchObject({ total: 1 });
  await expect(fetch(`${first.url}/sandbox/keys`)).rejects.toThrow('fetch failed');
  const certificate = readFileSync(first.certificate!, 'utf8');
  await first.stop();
  const second = await serve('--data', folder, '--https', '--rate', '0');
  expect(readFileSync(second.certificate!, 'utf8')).toBe(certificate);
  await second.stop();
});

test('says where it is, what key it takes and how to obtain a token', async () => {
  const child = run('--port', '0', '--rate', '0');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const said: string[] = [];
  while (!said.at(-1)?.startsWith('curl')) said.push(String((await lines.next()).value));
  child.kill('SIGINT');
  expect(said.join('\n')).toMatch(/^base URL {2}http:\/\/127\.0\.0\.1:\d+$/m);
  expect(said.join('\n')).toMatch(/^API key {3}\w+\.\w+\.\w+$/m);
  expect(said.join('\n')).toMatch(/^console {3}http:.*\/api\/public\/api\/v1\/documentation\/$/m);
  const [, url, body] = /^curl -s (\S+) .* -d '(.+)'$/.exec(said.at(-1)!)!;
  expect(url).toMatch(/\/api\/oauth\/token$/);
  expect(JSON.parse(body!)).toMatchObject({ grant_type: 'client_credentials' });
});

test('prints its options on demand', async () => {
  const child = run('--help');
  expect(await text(child.stdout)).toMatch(/^Usage: npm run sandbox/);
});

test('names every wrong option', async () => {
  const child = run('--port', '70000', '--rate', '', '--seed', '1.5');
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(said).toMatch(/--seed is wrong.*\n--rate is wrong.*\n--port is wrong/);
  expect(code).toBe(2);
});

test('says so where its port is taken', async () => {
  const first = await serve('--rate', '0');
  const child = run('--port', new URL(first.url).port);
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([said.split('\n')[0], code]).toEqual(['--port is wrong: something else answers there', 2]);
  await first.stop();
});
