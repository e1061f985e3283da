import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { HELP } from '../../sandbox/arguments.ts';
import { createPlatform, type Platform } from '../../sandbox/platform/platform.ts';

const MAIN = fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url));
const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

vi.setConfig({ testTimeout: 120_000 });

interface Line {
  kind: string;
  fault?: string;
  published?: number;
  platform?: { what: string };
  adapter?: object;
  alerts?: { url: string };
  event?: { source: string; detail: { id: string } };
  channel?: string;
}

/** Starts the program; `all` is what it wrote, `lines` its JSON so far. */
function start(...args: string[]) {
  return startWith({}, ...args);
}

function startWith(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => {
    written.stdout += data;
  });
  child.stderr.on('data', (data) => {
    written.stderr += data;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...written }));
  ends.push(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const lines = () => readLines(written.stdout.slice(0, written.stdout.lastIndexOf('\n') + 1));
  const until = async (enough: (lines: Line[]) => boolean) => {
    await vi.waitFor(() => expect(enough(lines())).toBe(true), { timeout: 60_000, interval: 50 });
    return lines();
  };
  return { child, ended, until };
}

const readLines = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'relay-main-'));
  ends.push(() => rm(folder, { recursive: true }));
  return folder;
}

/** A real platform, as far as the program can tell, and the options that lead to it. */
async function startPlatform({ key }: { key?: string } = {}) {
  const platform = await createPlatform({ history: { events: 200, days: 1 } });
  ends.push(() => platform.close());
  const folder = await makeFolder();
  const keyFile = join(folder, 'key');
  await writeFile(keyFile, `${key ?? platform.apiKey}\n`);
  const data = join(folder, 'data');
  const options = ['--base-url', platform.url, '--key-file', keyFile, '--data', data];
  return { platform, data, options: [...options, '--start', 'P2D', '--every', '0.2'] };
}

const idsOf = (platform: Platform) => [...platform.trail].map(({ record }) => (record as { _id: string })._id);

async function idsOnDisk(data: string): Promise<string[]> {
  const text = await readFile(join(data, 'events.jsonl'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).detail.id);
}

test('writes JSON lines for programs and ends by itself', async () => {
  const { code, stdout, stderr } = await start('--json', '--seconds', '3').ended;
  const lines = readLines(stdout);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(lines[0]).toMatchObject({ kind: 'started', platform: { url: expect.stringMatching(/^http:/) } });
  expect(lines.at(-1)).toMatchObject({ kind: 'stopped', parked: 0, mark: expect.any(String) });
  const ids = lines.flatMap(({ event }) => (event ? [event.detail.id] : []));
  expect(ids.length).toBeGreaterThanOrEqual(600);
  expect(lines.at(-1)).toMatchObject({ published: ids.length });
  expect(new Set(ids).size).toBe(ids.length);
  const kinds = new Set(lines.map(({ kind }) => kind));
  // Whether the notifier is asked in so short a time is a matter of luck.
  kinds.delete('alert');
  expect(kinds).toEqual(new Set(['started', 'event', 'poll', 'stopped']));
});

test('publishes what the adapter reads, too, and tells Slack and Teams', async () => {
  const { child, ended, until } = start('--json', '--rate', '600');
  const [started] = await until((lines) => lines.some(({ kind }) => kind === 'started'));
  await until((lines) => ['slack', 'teams'].every((wanted) => lines.some(({ channel }) => channel === wanted)));
  await until((lines) =>
    ['changes', 'long-poll'].every((part) => lines.some(({ event }) => event?.source === `supplier-platform.${part}`)),
  );
  const page = started?.alerts?.url ?? '';
  expect(await fetch(page).then((answer) => answer.text())).toContain('<title>Alerts</title>');
  const messages = await fetch(new URL('messages', page)).then((answer) => answer.json());
  expect(messages).toContainEqual(expect.objectContaining({ channel: 'slack', name: 'bank-details' }));
  child.kill('SIGTERM');
  const { code, stdout, stderr } = await ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = readLines(stdout);
  expect(lines.filter(({ kind }) => kind === 'fault')).toEqual([]);
  const count = (has: (line: Line) => boolean) => lines.filter(has).length;
  expect(lines.at(-1)).toMatchObject({
    kind: 'stopped',
    published: count(({ event }) => event !== undefined),
    adapted: count(({ event }) => /changes|long-poll/.test(event?.source ?? '')),
    alerts: count(({ kind }) => kind === 'alert'),
  });
});

test('makes up another organisation from another seed', async () => {
  const runs = ['7', '8'].map((seed) => start('--json', '--seconds', '0.1', '--seed', seed).ended);
  const [seventh, eighth] = (await Promise.all(runs)).map(({ stdout }) => readLines(stdout)[0]?.platform?.what);
  expect(seventh).toMatch(/made up/);
  expect(eighth).not.toBe(seventh);
});

test('ends on SIGTERM in the middle of its work', async () => {
  const { child, ended, until } = start('--json', '--rate', '6000', '--every', '0.1', '--start', 'now');
  await until((lines) => lines.filter(({ kind }) => kind === 'event').length > 50);
  child.kill('SIGTERM');
  const { code, signal } = await ended;
  expect({ code, signal }).toEqual({ code: 0, signal: null });
});

test('writes plain lines where nobody watches, and a summary on SIGINT', async () => {
  const run = start('--rate', '600');
  await once(run.child.stdout, 'data');
  run.child.kill('SIGINT');
  const { code, signal, stdout, stderr } = await run.ended;
  expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' });
  expect(stdout).toMatch(/^platform {2}http:\/\/127\.0\.0\.1:\d+ /);
  expect(stdout.trim().split('\n').at(-1)).toMatch(
    /^Stopped: [\d,]+ published, [\d,]+ repeats suppressed, 0 parked, \d+ alerts; /,
  );
  expect(stdout).not.toContain('\x1b');
});

test('ends at once on a further SIGINT while a poll hangs', async () => {
  const { platform, options } = await startPlatform();
  platform.faults.latencyMs = 3_600_000;
  const { child, ended } = start(...options);
  await vi.waitFor(() => expect(platform.requests.token).toBe(1), { timeout: 60_000 });
  const again = setInterval(() => child.kill('SIGINT'), 100);
  const { code, stdout } = await ended.finally(() => clearInterval(again));
  expect(code).toBe(130);
  expect(stdout).not.toContain('Stopped');
});

test('runs no adapter and alerts nobody for a real platform that nobody asked it for', async () => {
  const { options } = await startPlatform();
  const { child, ended, until } = start(...options, '--json');
  const [started] = await until((lines) => lines.some(({ kind }) => kind === 'poll'));
  child.kill('SIGINT');
  await ended;
  expect(started).toMatchObject({ kind: 'started' });
  expect(started).not.toHaveProperty('adapter');
  expect(started).not.toHaveProperty('alerts');
});

const RELAY_ADAPTER = '{"interfaces":[{"name":"eventbridge"}]}';

test('runs the adapter for a real platform that is to have one, and lets its poll end by itself', async () => {
  const { platform, options } = await startPlatform();
  const { child, ended } = startWith({ RELAY_ADAPTER }, ...options, '--json');
  await vi.waitFor(() => expect(platform.adapter.readers('eventbridge')).toBe(1), { timeout: 60_000 });
  child.kill('SIGINT');
  platform.adapter.send('eventbridge', { _id: 'came-late', type: 'vendor_create' });
  const { code, stdout } = await ended;
  expect(code).toBe(0);
  const events = readLines(stdout).flatMap(({ event }) => event ?? []);
  expect(events.filter(({ source }) => source === 'supplier-platform.long-poll')).toMatchObject([
    { detail: { id: 'came-late' } },
  ]);
});

test('leaves no adapter behind when it is killed', async () => {
  const { platform, options } = await startPlatform();
  const { child } = startWith({ RELAY_ADAPTER }, ...options, '--json');
  await vi.waitFor(() => expect(platform.adapter.readers('eventbridge')).toBe(1), { timeout: 60_000 });
  child.kill('SIGKILL');
  // Its connection goes with it: the poll would hang for half a minute, and the next one as long.
  await vi.waitFor(() => expect(platform.adapter.readers('eventbridge')).toBe(0), { timeout: 20_000 });
});

test('refuses an unknown option by its name with exit code 2', async () => {
  const { code, stdout, stderr } = await start('--bogus').ended;
  expect(stderr).toContain("'--bogus'");
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test('prints its help', async () => {
  const { code, stdout } = await start('--help').ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: HELP });
});

test('goes on from the state on disk: nothing twice, nothing missing', async () => {
  const { platform, data, options } = await startPlatform();
  const first = start(...options, '--json');
  await first.until((lines) => lines.some(({ kind }) => kind === 'poll'));
  platform.add(30);
  first.child.kill('SIGINT');
  expect((await first.ended).code).toBe(0);
  platform.add(20);
  const second = start(...options, '--json');
  await second.until((lines) => lines.some(({ kind }) => kind === 'poll'));
  platform.add(10);
  const polled = (lines: Line[]) => lines.filter(({ kind }) => kind === 'poll').length;
  let before = Number.POSITIVE_INFINITY;
  await second.until((lines) => {
    before = Math.min(before, polled(lines));
    // The second poll from here began after the events were there.
    return polled(lines) >= before + 2;
  });
  second.child.kill('SIGINT');
  expect((await second.ended).code).toBe(0);
  expect((await idsOnDisk(data)).toSorted()).toEqual(idsOf(platform).toSorted());
});

test('refuses a folder that another run uses', async () => {
  const { options } = await startPlatform();
  const first = start(...options, '--json');
  await first.until((lines) => lines.some(({ kind }) => kind === 'poll'));
  const { code, stderr } = await start(...options).ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(/^--data: .* cannot be used/);
});

test('ends with a clear error where the key is refused, and never shows the key', async () => {
  const { options, platform } = await startPlatform({ key: 'my-account.my-key-id.my-key-secret' });
  const { code, stdout, stderr } = await start(...options, '--json', '--verbose').ended;
  expect(code).toBe(1);
  expect(stderr).toContain('The platform refuses the API key');
  expect(readLines(stdout).at(-1)?.kind).toBe('stopped');
  expect(stdout + stderr).not.toMatch(/my-key-id|my-key-secret/);
  expect(platform.requests.token).toBeLessThanOrEqual(2);
});

test("shows the poller's own configuration errors whole and ends", async () => {
  const { options } = await startPlatform({ key: 'not-three-parts' });
  const { code, stdout, stderr } = await start(...options).ended;
  expect(code).toBe(2);
  expect(stderr).toContain('expected <account_id>.<key_id>.<key_secret>');
  expect(stdout + stderr).not.toContain('not-three-parts');
});

test('goes on polling through faults of the platform', async () => {
  const { platform, options } = await startPlatform();
  platform.faults.envelope = 'html';
  const { until, ended, child } = start(...options, '--json');
  await until((lines) => lines.some(({ fault }) => fault?.startsWith('ProtocolError')));
  platform.resetFaults();
  await until((lines) => lines.some(({ kind, published }) => kind === 'poll' && published === 200));
  child.kill('SIGINT');
  expect((await ended).code).toBe(0);
});
