import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../cli/program.ts';
import { createPerson } from './person.ts';
import { makeFolder, run, startPlatform, writePrivate } from './stage.ts';

const HERE = { RELAY_BASE_URL: 'http://127.0.0.1:9', RELAY_KEY_FILE: '/dev/null' };
const WITH_TABLE = { RELAY_TABLE: 'relay', AWS_REGION: 'us-east-1' };

// Whatever is typed wrong: one clear message, exit code 2, and nothing on stdout.
const WRONG: [words: string, args: string[], says: RegExp][] = [
  ['no command', [], /Usage: relay/],
  ['an unknown command', ['usres'], /unknown command 'usres' \(Did you mean users\?\)/],
  ['an unknown option', ['users', '--jsno'], /unknown option '--jsno' \(Did you mean --json\?\)/],
  ['an argument too many', ['users', 'all'], /too many arguments/],
  ['an option without its value', ['tasks', '--kit-id'], /argument missing/],
  ['a time-out that is no number', ['roles', '--timeout', 'soon'], /Expected a number from 1 to 3600/],
  [
    'an address without TLS',
    ['users', '--base-url', 'http://platform.example', '--key-file', 'key'],
    /--base-url is wrong: expected an https/,
  ],
  [
    'an auth address with a password',
    ['users', '--auth-url', 'https://me:secret@platform.example'],
    /--auth-url is wrong/,
  ],
  [
    'a key file that is not there',
    ['event-types', '--key-file', '/nonexistent/key'],
    /--key-file is wrong: no file can be read there \(ENOENT\)/,
  ],
  ['a key file that is a folder', ['connections', '--key-file', '/'], /--key-file is wrong: .*EISDIR/],
  ['an empty key file', ['users'], /--key-file is wrong: the file is empty/],
  ['an entry that is not kept', ['users', '--platform', 'moon'], /--platform is wrong: .*it has none/],
  ['a moment that is none', ['events', '--after', 'yesterday'], /--after is wrong: expected an ISO 8601 time/],
  ['a window that ends before it begins', ['events', '--after', 'PT1H', '--before', 'PT2H'], /--before is earlier/],
  ['a window to follow that ends', ['events', '--follow', '--before', 'now'], /--before has no effect with --follow/],
  ['half an event', ['events', '--limit', '0.5'], /Expected a number from 1/],
  ['a kit without an id', ['kit'], /missing required argument 'id'/],
  ['a group without a command', ['profile'], /Usage: relay profile/],
  ['a profile without an id', ['profile', 'get'], /missing required argument 'publicId'/],
  ['a prefix that is no path', ['profile', 'get', 'x', '--path-prefix', '../..'], /--path-prefix is wrong/],
  ['an update of nothing', ['profile', 'update', 'x'], /There is nothing to change/],
  [
    'an update that nobody confirms',
    ['profile', 'update', 'x', '--set', 'a=b'],
    /Nobody can be asked here: give --yes/,
  ],
  ['an answer without a value', ['profile', 'update', 'x', '--set', 'city'], /--set is wrong: expected key=value/],
  ['an answer that is no JSON', ['profile', 'update', 'x', '--set', 'staff:=many'], /what follows staff:= is no JSON/],
  ['answers that are no object', ['profile', 'update', 'x', '-', '--yes'], /stdin is wrong: expected a JSON object/],
  ['answers in no file', ['profile', 'update', 'x', '/nonexistent', '--yes'], /cannot be read \(ENOENT\)/],
  ['nothing to keep', ['config', 'set'], /Nothing to keep/],
  ['an address that is not kept', ['config', 'set', '--base-url', 'platform'], /--base-url is wrong/],
  ['an entry with a strange name', ['config', 'set', '--platform', '../x', '--table', 'y'], /--platform is wrong/],
  ['a folder that cannot be written', ['config', 'set', '--table', 'y'], /cannot be written .*XDG_CONFIG_HOME/],
  ['a status of no table', ['status'], /--table is missing/],
  ['parked records of no table', ['parked', 'list'], /--table is missing/],
  ['a parked record without an id', ['parked', 'show'], /missing required argument 'id'/],
  ['gaps of no table', ['gaps', 'list'], /--table is missing/],
  ['a gap at no time', ['gaps', 'clear', 'monday'], /<from> is wrong/],
  [
    'a replay without an end',
    ['replay', '--from', 'P1D', '--function', 'f'],
    /required option '--to <time>' not specified/,
  ],
  ['a replay of no moment', ['replay', '--from', 'x', '--to', 'now', '--function', 'f'], /--from is wrong/],
  [
    'a replay by a strange name',
    ['replay', '--from', 'P1D', '--to', 'now', '--function', "f'; rm"],
    /--function is wrong/,
  ],
];

test.each(WRONG)('tells in words and ends with 2: %s', async (_, args, says) => {
  const env = { ...HERE, XDG_CONFIG_HOME: '/dev/null' };
  const { io, seen } = createPerson(true, env, { isInteractive: false, input: '[1]' });
  const code = await runCommand(args, io);
  expect(seen.notes.join('\n')).toMatch(says);
  expect({ code, stdout: seen.stdout }).toEqual({ code: 2, stdout: '' });
});

test('writes no stack and ends with 2 as a process, too', async () => {
  const { code, stdout, stderr } = await run(['events', '--after', 'yesterday'], { env: HERE });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^--after is wrong[^\n]*\n$/);
});

test('says everything that is missing at once', async () => {
  const { code, stderr } = await run(['users'], { env: { XDG_CONFIG_HOME: await makeFolder() } });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^--base-url is missing.*\n--key-file is missing.*\n$/);
});

test('never shows a key that stands where a file or an address is expected', async () => {
  const key = 'account.identifier.very-secret';
  const runs = await Promise.all([
    run(['users', '--key-file', key, '--base-url', 'https://platform.example']),
    run(['users', '--base-url', key, '--key-file', '/dev/null']),
  ]);
  for (const { code, stderr } of runs) {
    expect(code).toBe(2);
    expect(stderr).not.toContain('secret');
  }
});

test('ends with 4 where the key is refused, with 3 where there is nothing, with 1 where nobody answers', async () => {
  const { platform, env } = await startPlatform();
  const folder = await makeFolder();
  const other = await writePrivate(folder, 'other', 'account.other.key');
  const [refused, missing] = await Promise.all([
    run(['users', '--key-file', other], { env }),
    run(['kit', 'unheard-of'], { env }),
  ]);
  await platform.close();
  const away = await run(['users', '--timeout', '1'], { env });
  expect(refused).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('refuses the API key') });
  expect(refused.stderr).not.toContain('account.other.key');
  expect(missing).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('404') });
  expect(away).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Is --base-url right') });
});

test('shows where a failure comes from only when asked', async () => {
  const args = ['users', '--base-url', 'https://platform.example', '--key-file', '/nonexistent'];
  const [plain, debug] = await Promise.all([run(args), run([...args, '--debug'])]);
  expect(plain.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(debug.stderr).toMatch(/readKeyFile/);
});

test('warns where others can read the key, and goes on', async () => {
  const { env } = await startPlatform();
  await chmod(env.RELAY_KEY_FILE!, 0o644);
  const { code, stderr } = await run(['roles'], { env });
  expect(code).toBe(0);
  expect(stderr).toMatch(/chmod 600/);
});

test('says where AWS is wanting, in a line', async () => {
  const { code, stdout, stderr } = await run(['status'], {
    env: { ...WITH_TABLE, AWS_EC2_METADATA_DISABLED: 'true', AWS_CONFIG_FILE: join('/nonexistent', 'config') },
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^[^\n]*Log in to AWS[^\n]*\n$/);
});

test('keeps control characters of the command line from the terminal', async () => {
  const { code, stderr } = await run(['users', '--\u001b[31mred\u0007'], { env: HERE });
  expect(code).toBe(2);
  expect(stderr.trimEnd()).not.toMatch(/\p{Cc}(?!Add)/u);
});
