import { expect, test, vi } from 'vitest';
import { createPlatform } from '../../sandbox/platform/platform.ts';
import { parseJson } from '../../shared/relay/json.ts';
import { readLines, run, start, startPlatform } from './stage.ts';

const DAY_MS = 86_400_000;
const idOf = (record: unknown) => (record as { _id: string })._id;

/** A clock that stands still: two platforms are born with the same key. */
const clockFrom = (birthMs: number) => () => birthMs;
/** Events with these ids, one after the other. */
const happen = (...ids: string[]) =>
  ids.map((_id, index) => ({ _id, eventType: 'made', createdAt: new Date(Date.now() + index).toISOString() }));
const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 50 });

test('lists the events of a window, each once, whatever the bounds of the platform are', async () => {
  const { platform, env } = await startPlatform({ history: { events: 3000, days: 4 } });
  platform.faults.ignoredFilters = ['after', 'before'];
  const fromMs = Math.floor((Date.now() - 2 * DAY_MS) / 1000) * 1000;
  const toMs = fromMs + DAY_MS;
  const bounds = ['--after', new Date(fromMs).toISOString(), '--before', new Date(toMs).toISOString()];
  const { code, stdout } = await run(['events', ...bounds, '--json'], { env });
  const expected = [...platform.trail].filter(({ time }) => time >= fromMs && time < toMs + 1000);
  expect(code).toBe(0);
  expect(expected.length).toBeGreaterThan(300);
  expect(readLines(stdout).map(idOf).toSorted()).toEqual(expected.map(({ record }) => idOf(record)).toSorted());
});

test('lists the last day where no window is given, and no more than asked for', async () => {
  const { platform, env } = await startPlatform({ history: { events: 2500, days: 5 } });
  const [all, some] = await Promise.all([
    run(['events', '--json'], { env }),
    run(['events', '--json', '--limit', '3'], { env }),
  ]);
  const since = new Date(Date.now() - DAY_MS - 60_000).toISOString();
  const times = readLines(all.stdout).map(({ createdAt }) => String(createdAt));
  expect(times.length).toBeGreaterThan(100);
  expect(times.length).toBeLessThan([...platform.trail].length);
  expect(times.every((time) => time > since)).toBe(true);
  expect(readLines(some.stdout)).toEqual(readLines(all.stdout).slice(0, 3));
});

test('lists events of one type and of one user', async () => {
  const { platform, env } = await startPlatform({ history: { events: 1000, days: 1 } });
  const user = platform.organisation.users[1]!._id;
  const [typed, owned] = await Promise.all([
    run(['events', '--after', 'P2D', '--type', 'profile_updated', '--json'], { env }),
    run(['events', '--after', 'P2D', '--user', user, '--json'], { env }),
  ]);
  expect(new Set(readLines(typed.stdout).map(({ eventType }) => eventType))).toEqual(new Set(['profile_updated']));
  expect(readLines(owned.stdout).length).toBeGreaterThan(0);
  expect(readLines(owned.stdout).every((record) => JSON.stringify(record).includes(user))).toBe(true);
});

test('keeps the digits of numbers that a double would alter', async () => {
  const { platform, env } = await startPlatform();
  platform.faults.limitClamp = 1;
  platform.add([
    { _id: 'one', createdAt: new Date().toISOString(), ...(parseJson('{"amount":12345678901234567890}') as object) },
  ]);
  const { stdout } = await run(['events', '--json'], { env });
  expect(stdout).toContain('"amount":12345678901234567890}');
});

test('follows the trail, shows every event once, and goes on after the platform was away', async () => {
  const clock = clockFrom(Date.now());
  const { platform, env } = await startPlatform({ clock });
  const port = Number(new URL(platform.url).port);
  const { written } = start(['events', '--follow', '--every', '0.1', '--timeout', '1', '--json'], env);
  await until(() => expect(platform.requests.events).toBeGreaterThan(1));
  const first = happen('a', 'b', 'c');
  platform.add(first);
  await until(() => expect(readLines(written.stdout)).toHaveLength(3));

  await platform.close();
  await until(() => expect(written.stderr).toMatch(/; trying again until the platform answers\.\n/));
  // Another platform at the same address knows what happened meanwhile; the key is the same, as the seed is.
  const again = await createPlatform({ port, clock });
  try {
    expect(again.apiKey).toBe(platform.apiKey);
    const meanwhile = happen('d', 'e');
    again.add([...first, ...meanwhile]);
    await until(() => expect(readLines(written.stdout)).toHaveLength(5));
    expect(readLines(written.stdout).map(idOf)).toEqual(['a', 'b', 'c', 'd', 'e']);
    await until(() => expect(written.stderr).toContain('The platform answers again.'));
    again.add(happen('f'));
    await until(() => expect(readLines(written.stdout)).toHaveLength(6));
    expect(idOf(readLines(written.stdout)[5])).toBe('f');
  } finally {
    await again.close();
  }
});

test('starts to follow where the platform is away at first', async () => {
  const clock = clockFrom(Date.now());
  const { platform, env } = await startPlatform({ clock });
  const port = Number(new URL(platform.url).port);
  await platform.close();
  const { written } = start(['events', '--follow', '--every', '0.1', '--timeout', '1', '--json'], env);
  await until(() => expect(written.stderr).toContain('trying again until the platform answers'));
  const again = await createPlatform({ port, clock });
  try {
    await until(() => expect(written.stderr).toContain('The platform answers again.'));
    again.add(1);
    await until(() => expect(readLines(written.stdout)).toHaveLength(1));
  } finally {
    await again.close();
  }
});

test('stops following where the key is refused', async () => {
  const { platform, env } = await startPlatform();
  const { ended } = start(['events', '--follow', '--every', '0.1'], env);
  await until(() => expect(platform.requests.events).toBeGreaterThan(0));
  platform.deleteKey();
  const { code, stderr } = await ended;
  expect(code).toBe(4);
  expect(stderr).toContain('refuses the API key');
});

test('ends quietly where the reader goes away', async () => {
  const { env } = await startPlatform({ history: { events: 5000, days: 1 } });
  const { child, ended } = start(['events', '--after', 'P2D', '--json'], env);
  child.stdout.once('data', () => child.stdout.destroy());
  const { code, stderr } = await ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('says that the platform shows no more though there are more', async () => {
  const { platform, env } = await startPlatform({ history: { events: 500, days: 0.5 } });
  Object.assign(platform.faults, { limitClamp: 100, deepRows: 200 });
  const { code, stdout, stderr } = await run(['events', '--json'], { env });
  expect(code).toBe(0);
  expect(readLines(stdout)).toHaveLength(200);
  expect(stderr).toBe('The platform says that there are 300 more events, and does not show them.\n');
});
