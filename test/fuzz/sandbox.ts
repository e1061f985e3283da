import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PATHS } from '../../sandbox/platform/paths.ts';
import type { Announcement } from '../../sandbox/platform/serve/words.ts';

/** A platform in a process of its own. */
export interface ServedPlatform extends Announcement {
  /** Says whether it still runs. */
  alive(): boolean;
  stop(): Promise<void>;
}

/** Starts `npm run sandbox` on a free port with a hold time that lets a fuzzer through. */
export async function servePlatform(options: { seed: number }): Promise<ServedPlatform> {
  const program = new URL('../../sandbox/serve.ts', import.meta.url).pathname;
  const args = ['--port', '0', '--json', '--hold', '0.02', '--seed', String(options.seed)];
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  return {
    ...(JSON.parse(String(line)) as Announcement),
    alive: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}

/** Obtains a token. */
export async function obtainToken({ baseUrl, apiKey }: Pick<Announcement, 'baseUrl' | 'apiKey'>): Promise<string> {
  const body = { grant_type: 'client_credentials', client_id: apiKey, client_secret: apiKey };
  const response = await fetch(baseUrl + PATHS.token, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}
