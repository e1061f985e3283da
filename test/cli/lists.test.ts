import { expect, test } from 'vitest';
import { readLines, run, startPlatform } from './stage.ts';

test('lists every user, also where the platform gives shorter pages than it is asked for', async () => {
  const { platform, env } = await startPlatform();
  platform.faults.limitClamp = 7;
  const { code, stdout, stderr } = await run(['users', '--json'], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(readLines(stdout)).toEqual(platform.organisation.users);
});

test('writes a table for people, with every id whole', async () => {
  const { platform, env } = await startPlatform();
  const { code, stdout, stderr } = await run(['users'], { env });
  const [titles, ...lines] = stdout.trimEnd().split('\n');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(titles).toMatch(/^NAME +EMAIL +ROLES +ID$/);
  expect(lines.map((line) => line.split(/ {2,}/).at(-1))).toEqual(platform.organisation.users.map(({ _id }) => _id));
});

test('lists roles', async () => {
  const { platform, env } = await startPlatform();
  const { stdout } = await run(['roles', '--json'], { env });
  expect(readLines(stdout)).toEqual(platform.organisation.roles);
});

test('lists the open tasks of a kit', async () => {
  const { platform, env } = await startPlatform();
  const kit = platform.organisation.kits[2]!;
  const open = platform.organisation.tasks.filter(({ status, kitId }) => status === 'open' && kitId === kit._id);
  const { stdout } = await run(['tasks', '--kit-id', kit._id, '--json'], { env });
  expect(open.length).toBeGreaterThan(0);
  expect(readLines(stdout)).toEqual(open);
});

test('says on stderr that a list is empty, and writes nothing for programs', async () => {
  const { env } = await startPlatform();
  const [forPeople, forPrograms] = await Promise.all([
    run(['tasks', '--kit-type', 'unheard-of'], { env }),
    run(['tasks', '--kit-type', 'unheard-of', '--json'], { env }),
  ]);
  expect(forPeople).toEqual({ code: 0, stdout: '', stderr: 'There are no tasks.\n' });
  expect(forPrograms).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('lists connections', async () => {
  const { env } = await startPlatform();
  const [all, connected] = await Promise.all([
    run(['connections', '--json'], { env }),
    run(['connections', '--phase', 'connected', '--json'], { env }),
  ]);
  const rows = readLines(all.stdout);
  expect(rows.length).toBeGreaterThan(50);
  expect(readLines(connected.stdout)).toEqual(rows.filter(({ connectionPhase }) => connectionPhase === 'connected'));
});

test.each(['strings', 'objects', 'map', 'paged'] as const)('lists event types that come as %s', async (types) => {
  const { platform, env } = await startPlatform();
  platform.faults.types = types;
  const { code, stdout } = await run(['event-types'], { env });
  expect(code).toBe(0);
  expect(stdout.split('\n')).toContain('profile_updated');
});
