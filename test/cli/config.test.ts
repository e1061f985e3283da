import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, readLines, run, startPlatform, writePrivate } from './stage.ts';

test('keeps platforms by name and asks the one that is named', async () => {
  const [one, other] = await Promise.all([startPlatform({ seed: 1 }), startPlatform({ seed: 2 })]);
  const env = { XDG_CONFIG_HOME: await makeFolder() };
  for (const [name, { env: of }] of [['default', one] as const, ['other', other] as const]) {
    const args = ['--platform', name, '--base-url', of.RELAY_BASE_URL!, '--key-file', of.RELAY_KEY_FILE!];
    expect(await run(['config', 'set', ...args], { env })).toMatchObject({ code: 0, stdout: '' });
  }
  const [first, second, shown] = await Promise.all([
    run(['users', '--json'], { env }),
    run(['users', '--json', '--platform', 'other'], { env }),
    run(['config', '--json'], { env }),
  ]);
  expect(readLines(first.stdout)).toEqual(one.platform.organisation.users);
  expect(readLines(second.stdout)).toEqual(other.platform.organisation.users);
  expect(readLines(shown.stdout)).toEqual([
    { platform: 'default', baseUrl: one.platform.url, keyFile: one.env.RELAY_KEY_FILE },
    { platform: 'other', baseUrl: other.platform.url, keyFile: other.env.RELAY_KEY_FILE },
  ]);
});

test('keeps the name of the key file, not the key, where only the owner reads it', async () => {
  const { platform, env } = await startPlatform();
  await run(['config', 'set', '--base-url', platform.url, '--key-file', env.RELAY_KEY_FILE!], { env });
  const path = join(env.XDG_CONFIG_HOME!, 'supplier-relay', 'config.json');
  expect(await readFile(path, 'utf8')).not.toContain(platform.apiKey);
  expect((await stat(path)).mode & 0o077).toBe(0);
});

test('never sends the key of the config file to an address that it was not kept for', async () => {
  const { platform, env } = await startPlatform();
  const { platform: stranger } = await startPlatform();
  await run(['config', 'set', '--base-url', platform.url, '--key-file', env.RELAY_KEY_FILE!], { env });
  const kept = { XDG_CONFIG_HOME: env.XDG_CONFIG_HOME! };
  const runs = await Promise.all([
    run(['users', '--base-url', stranger.url], { env: kept }),
    run(['users'], { env: { ...kept, RELAY_BASE_URL: stranger.url } }),
    run(['users', '--auth-url', stranger.url], { env: kept }),
  ]);
  for (const { code, stderr } of runs) {
    expect(code).toBe(2);
    expect(stderr).toContain('belongs to another address');
  }
  expect(stranger.requests.token).toBe(0);
});

test('takes a setting away with an empty text', async () => {
  const env = { XDG_CONFIG_HOME: await makeFolder() };
  await run(['config', 'set', '--table', 'relay-acme', '--base-url', 'https://platform.example'], { env });
  await run(['config', 'set', '--table', ''], { env });
  const { stdout } = await run(['config', '--json'], { env });
  expect(readLines(stdout)).toEqual([{ platform: 'default', baseUrl: 'https://platform.example' }]);
});

test.each(['{', '[]', '{"platforms":{"default":{"baseUrl":7}}}', '{"platforms":{"default":{"apiKey":"x"}}}'])(
  'says which config file cannot be used: %s',
  async (text) => {
    const folder = await makeFolder();
    const env = { XDG_CONFIG_HOME: folder };
    await run(['config', 'set', '--table', 'x'], { env });
    await writePrivate(join(folder, 'supplier-relay'), 'config.json', text);
    const { code, stdout, stderr } = await run(['users'], { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^The config file \S+config\.json cannot be used \(.+\): mend it or remove it\n$/);
  },
);
