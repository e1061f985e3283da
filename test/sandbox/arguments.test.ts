import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HELP, parseArguments } from '../../sandbox/arguments.ts';
import type { ConfigurationError } from '../../shared/errors.ts';

let folder: string;
let keyFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-arguments-'));
  keyFile = join(folder, 'key');
  await writeFile(keyFile, 'account.key.secret\n');
});
afterAll(() => rm(folder, { recursive: true }));

const REAL = ['--base-url', 'https://platform.example'];

function faultsOf(args: string[], environment = {}): readonly string[] {
  try {
    parseArguments(args, environment);
  } catch (error) {
    return (error as ConfigurationError).faults;
  }
  return expect.fail('the arguments were accepted');
}

test('makes a platform up where nothing is said', () => {
  expect(parseArguments([], {})).toMatchObject({
    source: { kind: 'sandbox', seed: 1, eventsPerMinute: 40 },
    everySeconds: 2,
    json: false,
    settings: { RELAY_START: 'P2D' },
  });
});

test('polls a real platform from now on with its state in ./data', () => {
  expect(parseArguments([...REAL, '--key-file', keyFile], {})).toMatchObject({
    source: { kind: 'platform', apiKey: 'account.key.secret', folder: resolve('data') },
    everySeconds: 5,
    settings: { RELAY_BASE_URL: 'https://platform.example', RELAY_START: 'now' },
  });
});

test('takes every option', () => {
  const sandbox = ['--every', '0.5', '--seconds', '9', '--start', 'P1D', '--json', '--verbose', '--seed', '3'];
  expect(parseArguments([...sandbox, '--rate', '0'], {})).toMatchObject({
    source: { seed: 3, eventsPerMinute: 0 },
    ...{ everySeconds: 0.5, endSeconds: 9, json: true, verbose: true, settings: { RELAY_START: 'P1D' } },
  });
  const platform = ['--key-file', keyFile, '--auth-url', 'https://auth.example', '--data', folder];
  expect(parseArguments([...REAL, ...platform], {})).toMatchObject({
    source: { folder },
    settings: { RELAY_AUTH_URL: 'https://auth.example' },
  });
});

test('runs an adapter for the made-up platform, and for a real one only where it is told what to do', () => {
  expect(parseArguments([], {})?.settings.RELAY_ADAPTER).toContain('"eventbridge"');
  const real = [...REAL, '--key-file', keyFile];
  expect(parseArguments(real, {})?.settings).not.toHaveProperty('RELAY_ADAPTER');
  const RELAY_ADAPTER = '{"interfaces":[{"name":"erp"}]}';
  expect(parseArguments(real, { RELAY_ADAPTER })?.settings).toMatchObject({ RELAY_ADAPTER });
  expect(faultsOf([], { RELAY_ADAPTER: '{}' })).toEqual([expect.stringContaining('RELAY_ADAPTER')]);
});

test('hands only the settings of the poller on from the environment', () => {
  const environment = { RELAY_EVENT_TYPES: 'profile_updated', RELAY_BUS: 'elsewhere', HOME: '/' };
  const { settings } = parseArguments([], environment) ?? {};
  expect(settings).toMatchObject({ RELAY_EVENT_TYPES: 'profile_updated', RELAY_BUS: 'relay' });
  expect(settings).not.toHaveProperty('HOME');
});

test.each([
  [['--bogus'], "Unknown option '--bogus'"],
  [['extra'], "Unexpected argument 'extra'"],
  [['--every'], "'--every <value>' argument missing"],
  [['--every', 'soon'], '--every is wrong'],
  [['--every', '0'], '--every is wrong'],
  [['--seconds', ''], '--seconds is wrong'],
  [['--seed', '1e99'], '--seed is wrong'],
  [['--rate=-1'], '--rate is wrong'],
  [['--start', 'yesterday'], '--start is wrong'],
  [['--data', 'here'], '--data belongs to a real platform'],
  [['--key-file', 'here'], '--key-file belongs to a real platform'],
  [['--base-url', 'ftp://platform.example'], '--base-url is wrong'],
  [['--base-url', 'http://platform.example'], '--base-url is wrong'],
  [REAL, '--key-file is missing'],
  [[...REAL, '--key-file', '/nowhere'], '--key-file is wrong: no file can be read there (ENOENT)'],
  [[...REAL, '--auth-url', 'auth'], '--auth-url is wrong'],
  [[...REAL, '--rate', '5'], '--rate belongs to the made-up platform'],
])('refuses %j', (args, fault) => {
  expect(faultsOf(args)).toContainEqual(expect.stringContaining(fault));
});

test('names every fault at once', () => {
  const faults = faultsOf(['--every', 'x', '--start', 'x', '--rate', 'x'], { RELAY_FIELDS: 'x' });
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual(['--every', '--rate', '--start', 'RELAY_FIELDS']);
});

test('refuses an empty key file', async () => {
  const empty = join(folder, 'empty');
  await writeFile(empty, '\n');
  expect(faultsOf([...REAL, '--key-file', empty])).toEqual([expect.stringContaining('the file is empty')]);
});

test('shows no key that was given in place of its file', () => {
  expect(faultsOf([...REAL, '--key-file', 'account.key.secret']).join()).not.toContain('secret');
});

test('explains every option and fits a terminal of 100 columns', () => {
  expect(parseArguments(['--help'], {})).toBeUndefined();
  const options = ['every', 'start', 'seconds', 'json', 'verbose', 'seed', 'rate', 'base-url', 'key-file', 'auth-url'];
  for (const name of [...options, 'data', 'help']) expect(HELP).toContain(`\n  --${name} `);
  expect(Math.max(...HELP.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
});
