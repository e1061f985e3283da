import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { READY_PATTERNS } from '../../shared/subscribing/ready-patterns.ts';
import { busEvent } from '../alerts/bus-event.ts';
import { makeFolder, readLines, run, startPlatform } from '../cli/stage.ts';

test('lists the ready patterns, for people and for programs', async () => {
  const [table, lines] = await Promise.all([run(['rules', 'list']), run(['rules', 'list', '--json'])]);
  for (const name of Object.keys(READY_PATTERNS)) expect(table.stdout).toContain(`\n${name} `);
  expect(readLines(lines.stdout)).toEqual(Object.entries(READY_PATTERNS).map(([name, ready]) => ({ name, ...ready })));
});

test('shows which events of a file would have fired, and how often', async () => {
  const folder = await makeFolder();
  const file = join(folder, 'events.jsonl');
  const events = Array.from({ length: 200 }, () => busEvent());
  await writeFile(file, events.map((event) => `${JSON.stringify(event)}\n`).join('\n'));
  const pattern = join(folder, 'pattern.json');
  await writeFile(pattern, '{"detail-type": [{"prefix": "task_"}]}');
  const { code, stdout, stderr } = await run(['rules', 'test', pattern, '--events', file, '--json']);
  const tasks = events.filter(({ detail }) => detail.type.startsWith('task_'));
  expect(code).toBe(0);
  expect(readLines(stdout)).toEqual(tasks);
  expect(stderr).toBe(`Would have fired ${tasks.length} times in 200 events.\n`);
});

test('shows people the last of many, and says how to see all', async () => {
  const folder = await makeFolder();
  const file = join(folder, 'events.jsonl');
  const events = Array.from({ length: 30 }, () => busEvent());
  await writeFile(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const pattern = join(folder, 'pattern.json');
  await writeFile(pattern, '{"source": [{"prefix": "supplier-platform."}]}');
  const { stdout, stderr } = await run(['rules', 'test', pattern, '--events', file, '--show', '3']);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1 + 3);
  expect(stdout).toContain(events.at(-1)?.detail.data.summary.slice(0, 20));
  expect(stderr).toBe('Would have fired 30 times in 30 events; the last 3 are shown, --show 30 shows all.\n');
});

test('tries a rule on the trail of the platform, so far back', async () => {
  const { platform, env } = await startPlatform();
  const nowMs = Date.now();
  const records = [0.5, 1.5, 2.5].map((hours) => ({
    _id: `h${hours}`,
    eventType: 'user_login_failed',
    createdAt: new Date(nowMs - hours * 3_600_000).toISOString(),
    user: { name: `\u001b[31mnobody\u202e ${hours}` },
  }));
  platform.add(records);
  const { code, stdout, stderr } = await run(['rules', 'test', 'login-failed', '--last', 'PT2H'], { env });
  expect(code).toBe(0);
  expect(stderr).toBe('Would have fired 2 times in 2 events.\n');
  expect(stdout).toContain('nobody');
  expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});

test.each([
  ['no source', ['login-failed'], 'Give one of --events <file>, --sandbox and --last <duration>'],
  ['two sources', ['login-failed', '--sandbox', '--last', 'P1D'], 'Give one of'],
  ['no such pattern', ['nonsense', '--sandbox'], 'there is no ready pattern and no file nonsense'],
  [
    'no such file of events',
    ['login-failed', '--events', '/nonexistent'],
    '--events is wrong: the file cannot be read',
  ],
  ['no duration', ['login-failed', '--last', 'yesterday'], '--last is wrong: expected a duration'],
  ['a moment for a duration', ['login-failed', '--last', '2026-11-21'], '--last is wrong: expected a duration'],
  ['no platform', ['login-failed', '--last', 'P1D'], '--base-url is missing'],
])('says what is wrong with the command line: %s', async (_, args, message) => {
  const { code, stdout, stderr } = await run(['rules', 'test', ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('    at ');
});

test.each([
  ['{"source": "audit"}', 'Event pattern is not valid. Reason:'],
  ['{}', 'Event pattern is not valid. Reason:'],
  ['{"source": [', 'Event pattern is not valid. Reason:'],
  ['', 'Event pattern is not valid. Reason:'],
])('says what is wrong with a pattern: %s', async (text, message) => {
  const file = join(await makeFolder(), 'pattern.json');
  await writeFile(file, text);
  const { code, stderr } = await run(['rules', 'test', file, '--sandbox']);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test.each(['nonsense', '[]', '{"detail": {}}', 'null'])('says which line is no event: %s', async (line) => {
  const file = join(await makeFolder(), 'events.jsonl');
  await writeFile(file, `${JSON.stringify(busEvent())}\n${line}\n`);
  const { code, stderr } = await run(['rules', 'test', 'login-failed', '--events', file]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: '--events: line 2 is wrong: expected an event of the bus as JSON\n',
  });
});
