import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished, vi } from 'vitest';
import { createPlatform, type Platform, type PlatformOptions } from '../../sandbox/platform/platform.ts';

// Nothing here is a matter of time, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

/** What a command wrote and ended with. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command under way; `written` grows. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly written: { stdout: string; stderr: string };
  readonly ended: Promise<Ended>;
}

/** Starts the command in a process of its own that sees no settings but these; ends with the test. */
export function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', ...env },
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.stderr += text;
  });
  // A command may end before it has read what it is given.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...written }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, written, ended };
}

/** Runs the command to its end. */
export async function run(
  args: readonly string[],
  { env = {}, input = '' }: { env?: Readonly<Record<string, string>>; input?: string } = {},
): Promise<Ended> {
  const { child, ended } = start(args, env);
  child.stdin.end(input);
  return ended;
}

/** Makes a folder that ends with the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'relay-cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Writes a file that only we can read, and gives its path. */
export async function writePrivate(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

/** Starts a platform, and gives the environment in which the command finds it. */
export async function startPlatform(
  options: PlatformOptions = {},
): Promise<{ platform: Platform; env: Record<string, string>; folder: string }> {
  const platform = await createPlatform(options);
  onTestFinished(() => platform.close());
  const folder = await makeFolder();
  const keyFile = await writePrivate(folder, 'key', `${platform.apiKey}\n`);
  return {
    platform,
    folder,
    env: { RELAY_BASE_URL: platform.url, RELAY_KEY_FILE: keyFile, XDG_CONFIG_HOME: folder },
  };
}

/** Parses lines of JSON. */
export const readLines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
