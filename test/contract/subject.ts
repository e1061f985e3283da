import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPlatform } from '../../sandbox/platform/platform.ts';
import { type Api, createApi } from '../../shared/platform/api.ts';
import { type Client, createClient } from '../../shared/platform/client.ts';
import { createTokens } from '../../shared/platform/token.ts';
import { createTransport, type Transport } from '../../shared/platform/transport.ts';

/** The platform that the contract is held against. */
export interface Subject {
  readonly api: Api;
  readonly client: Client;
  readonly transport: Transport;
  readonly url: URL;
  readonly key: string;
  /** True where everything that the contract asks about has to be there. */
  readonly isSandbox: boolean;
  /** True where calls may change what the platform holds, or use it up. */
  readonly mayWrite: boolean;
  /** The interface that adapter calls are made on. */
  readonly interfaceName: string;
  close(): Promise<void>;
}

/**
 * Connects to the platform of PLATFORM_URL with the key in PLATFORM_KEY_FILE, or to a sandbox of its own. A real one is
 * only written to with PLATFORM_ALLOW_WRITES=1.
 */
export async function connectSubject(env: NodeJS.ProcessEnv = process.env): Promise<Subject> {
  const { PLATFORM_URL: address, PLATFORM_KEY_FILE: keyFile } = env;
  if ((address === undefined) !== (keyFile === undefined)) {
    throw new Error(
      'PLATFORM_URL and PLATFORM_KEY_FILE go together: set both for a real platform, none for the sandbox',
    );
  }
  const sandbox = address === undefined ? await createPlatform({ history: { events: 1500, days: 6 } }) : undefined;
  if (sandbox) sandbox.faults.longPollHoldMs = 100;
  const url = new URL(sandbox?.url ?? address ?? '');
  const key = sandbox?.apiKey ?? readFileSync(keyFile ?? '', 'utf8').trim();
  const io = { clock: Date.now, sleep: (waitMs: number) => sleep(waitMs), random: Math.random };
  const transport = createTransport(io);
  const authUrl = new URL(env.PLATFORM_AUTH_URL ?? url);
  const tokens = createTokens({ transport, authUrl, readKey: async () => key, clock: io.clock });
  const api = createApi({ transport, tokens, baseUrl: url });
  return {
    api,
    client: createClient({ api, clock: io.clock, pathPrefix: env.PLATFORM_PATH_PREFIX }),
    transport,
    url,
    key,
    isSandbox: sandbox !== undefined,
    mayWrite: sandbox !== undefined || env.PLATFORM_ALLOW_WRITES === '1',
    interfaceName: env.PLATFORM_INTERFACE ?? 'eventbridge',
    close: async () => {
      await transport.close();
      await sandbox?.close();
    },
  };
}
