import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readLines, run, startPlatform } from './stage.ts';

const HOSTILE = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egnp.exe\u2028\r\nroot  administrator';
/** What a terminal obeys, other than the end of a line. */
const CONTROL = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

test('shows hostile text as one harmless line', async () => {
  const { platform, env } = await startPlatform();
  platform.organisation.users.splice(0, Number.POSITIVE_INFINITY, {
    _id: '1\u001b[0m',
    name: HOSTILE,
    email: `a@b\u0000`,
    roles: [HOSTILE, 'x'],
  });
  const { code, stdout } = await run(['users'], { env });
  expect(code).toBe(0);
  expect(stdout).not.toMatch(CONTROL);
  expect(stdout.trimEnd().split('\n')).toHaveLength(2);
});

test('keeps hostile text whole in JSON, with everything escaped', async () => {
  const { platform, env } = await startPlatform();
  platform.add([{ _id: 'x', eventType: HOSTILE, createdAt: new Date().toISOString(), [HOSTILE]: '\u{e0041}' }]);
  const { stdout } = await run(['events', '--json'], { env });
  expect(stdout).not.toMatch(CONTROL);
  expect(readLines(stdout)).toMatchObject([{ _id: 'x', eventType: HOSTILE, [HOSTILE]: '\u{e0041}' }]);
});

test('keeps the words of a hostile server from the terminal', async () => {
  const server = createServer((_, response) => {
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ message: HOSTILE }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { env } = await startPlatform();
  const RELAY_AUTH_URL = env.RELAY_BASE_URL!;
  const RELAY_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stdout, stderr } = await run(['users', '--debug'], { env: { ...env, RELAY_BASE_URL, RELAY_AUTH_URL } });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('has not the right');
  expect(stderr).not.toMatch(CONTROL);
});

test.each(['html', 'empty', 'data', 'truncated'] as const)(
  'never takes an answer of %s for an empty list',
  async (envelope) => {
    const { platform, env } = await startPlatform();
    platform.faults.envelope = envelope;
    const { code, stdout, stderr } = await run(['users'], { env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*Is --base-url the address of the platform\?\n$/);
  },
);

test('reports a server that gives the same page for ever, and shows what it gave', async () => {
  const { platform, env } = await startPlatform();
  Object.assign(platform.faults, { pageIgnored: true, limitClamp: 10 });
  const { code, stdout, stderr } = await run(['users', '--json'], { env });
  expect(code).toBe(1);
  expect(readLines(stdout)).toHaveLength(10);
  expect(stderr).toContain('like the one before it');
});
