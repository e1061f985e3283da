import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The account that the emulator plays. */
export const ACCOUNT = '111111111111';
export const REGION = 'us-east-1';

/** A running emulator. */
export interface Ministack {
  readonly url: string;
  /** What a client needs to talk to it; the access key is the account. */
  readonly env: Readonly<Record<string, string>>;
  /** Asks a service of it that we have no client for. @throws {Error} with the answer, where it is not 2xx */
  ask(request: { service: string; path?: string; target?: string; body: unknown }): Promise<unknown>;
  close(): Promise<void>;
}

const HOW = `test/deploy needs MiniStack, and a Python that has it:
  python3 -m venv ~/ministack && ~/ministack/bin/pip install ministack
  MINISTACK_PYTHON=~/ministack/bin/python npm run test:deploy`;

/** Starts MiniStack, with the Python that `MINISTACK_PYTHON` names, on a free port of loopback. */
export async function startMinistack(): Promise<Ministack> {
  const port = await findPort();
  const url = `http://127.0.0.1:${port}`;
  const folder = await mkdtemp(join(tmpdir(), 'relay-ministack-'));
  const child = spawn(process.env.MINISTACK_PYTHON ?? 'python3', ['-m', 'ministack'], {
    // All that it sees, its functions see.
    env: {
      PATH: process.env.PATH ?? '',
      IOT_MTLS_ENABLED: '0',
      BIND_HOST: '127.0.0.1',
      MINISTACK_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      MINISTACK_ACCOUNT_ID: ACCOUNT,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      TMPDIR: folder,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  child.stderr.on('data', (text: Buffer) => said.push(text.toString()));
  const exited = once(child, 'exit');
  await waitUntilUp(url, child, said);

  return {
    url,
    env: {
      AWS_ENDPOINT_URL: url,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: ACCOUNT,
      AWS_SECRET_ACCESS_KEY: 'test',
    },
    async ask({ service, path = '/', target, body }) {
      const answer = await fetch(url + path, {
        method: 'POST',
        headers: {
          // The emulator reads account, region and service from it, and checks no signature.
          authorization: `AWS4-HMAC-SHA256 Credential=${ACCOUNT}/20260101/${REGION}/${service}/aws4_request, SignedHeaders=host, Signature=0`,
          'content-type': 'application/x-amz-json-1.1',
          ...(target !== undefined && { 'x-amz-target': target }),
        },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      if (!answer.ok || answer.headers.has('x-amz-function-error')) throw new Error(`${answer.status} ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
    async close() {
      child.kill();
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

async function waitUntilUp(url: string, child: ChildProcess, said: readonly string[]): Promise<void> {
  let failed: Error | undefined;
  child.once('error', (error) => (failed = error));
  for (;;) {
    const up = await fetch(`${url}/_ministack/health`).catch(() => undefined);
    if (up?.ok) return;
    if (failed || child.exitCode !== null) throw new Error(`${failed?.message ?? said.join('')}\n${HOW}`);
    await sleep(100);
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
