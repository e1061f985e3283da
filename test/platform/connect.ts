import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { createPlatform, type Platform } from '../../sandbox/platform/platform.ts';
import { type Api, createApi } from '../../shared/platform/api.ts';
import { createTokens, type Tokens } from '../../shared/platform/token.ts';
import { createTransport, type Transport } from '../../shared/platform/transport.ts';

// Nothing here is a matter of time, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** When every story begins. */
export const START_MS = Date.UTC(2026, 0, 15, 12);
/** Later than anything in the stories. */
export const DEADLINE_MS = START_MS + 10 * 86_400_000;

/** The relay's HTTP parts at a virtual clock. */
export interface Connection {
  readonly transport: Transport;
  readonly tokens: Tokens;
  readonly api: Api;
  now(): number;
  advance(seconds: number): void;
  /** Every wait asked for, in ms; they take virtual time only. */
  readonly waits: number[];
  /** How often the key was read, and how often anew. */
  readonly reads: { all: number; fresh: number };
}

/** Connects to a platform at this address; ends with the test. */
export function connectTo(options: {
  url: string;
  /** Gives the key that the secret holds. */
  key?: () => string;
  /** By how much our clock is off, in ms. */
  skewMs?: number;
  /** @default 1, the longest wait */
  random?: number;
  requestTimeoutMs?: number;
  clock?: () => number;
}): Connection {
  const { url, key = () => 'account.key.secret', skewMs = 0, random = 1, requestTimeoutMs } = options;
  let nowMs = START_MS;
  const now = () => nowMs;
  const clock = options.clock ?? (() => nowMs + skewMs);
  const waits: number[] = [];
  const reads = { all: 0, fresh: 0 };
  const transport = createTransport({
    clock,
    random: () => random,
    sleep: async (waitMs) => {
      waits.push(waitMs);
      nowMs += waitMs;
    },
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
  });
  const readKey = async ({ fresh }: { fresh: boolean }) => {
    reads.all += 1;
    if (fresh) reads.fresh += 1;
    return key();
  };
  const tokens = createTokens({ transport, authUrl: new URL(url), readKey, clock });
  const api = createApi({ transport, tokens, baseUrl: new URL(url) });
  onTestFinished(() => transport.close());
  return {
    transport,
    tokens,
    api,
    now,
    advance: (seconds) => {
      nowMs += seconds * 1000;
    },
    waits,
    reads,
  };
}

/** Starts a sandbox platform and connects to it; both are at one clock save for the skew. */
export async function startPlatform(
  options: { skewMs?: number; random?: number } = {},
): Promise<Connection & { platform: Platform }> {
  let clock = () => START_MS;
  const platform = await createPlatform({ clock: () => clock() });
  onTestFinished(() => platform.close());
  const connection = connectTo({ url: platform.url, key: () => platform.apiKey, ...options });
  clock = connection.now;
  return { ...connection, platform };
}

/** Starts a server that answers as it is told; ends with the test. */
export async function startServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ url: string; requests: { count: number } }> {
  const requests = { count: 0 };
  const server = createServer((request, response) => {
    requests.count += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
