import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createServer } from 'node:tls';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleFunction } from '../../infra/bundle.ts';
import { createAws } from '../../sandbox/aws/aws.ts';
import { createFunction, type FunctionError } from '../../sandbox/aws/function-host.ts';
import { createPlatform } from '../../sandbox/platform/platform.ts';

/** More would be time at every cold start; undici as it comes would be 735 KB of it. */
const MOST_BYTES = 450_000;

let folder: string;
let module: string;
let bytes: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-bundle-'));
  module = join(folder, 'poller.mjs');
  bytes = await bundleFunction({ entry: 'functions/poller.ts', outfile: module });
});

afterAll(() => rm(folder, { recursive: true }));

test('the bundle of the poller is small', () => {
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});

test('the bundled poller publishes what the platform shows', async () => {
  const { platform, aws, host, close } = await stage();
  platform.add(2345);
  expect(await host.invoke({})).toMatchObject({ published: 2345, parked: 0 });
  const ids = new Set(aws.bus.events.map(({ detail }) => (detail as { id: string }).id));
  expect(ids.size).toBe(2345);
  await close();
});

test('the bundled poller asks over TLS, and refuses a certificate that it has no reason to trust', async () => {
  const { platform, host, close } = await stage({ tls: true });
  platform.add(10);
  expect(await host.invoke({})).toMatchObject({ published: 10 });
  await close();
  const distrusting = await stage({ tls: true, trusted: false });
  const error = await distrusting.host.invoke({}).catch((failure: FunctionError) => failure);
  expect(error).toMatchObject({ errorType: 'TransportError', errorMessage: expect.stringContaining('certificate') });
  await distrusting.close();
});

test('the bundled poller says what the unbundled one says of a platform that is gone', async () => {
  const { platform, host, close } = await stage();
  await platform.close();
  const error = await host.invoke({}).catch((failure: FunctionError) => failure);
  expect(error).toMatchObject({ errorType: 'TransportError', errorMessage: expect.stringContaining('ECONNREFUSED') });
  await close();
});

async function stage({ tls = false, trusted = true } = {}) {
  const platform = await createPlatform();
  const aws = await createAws({ table: 'relay', bus: 'acme', secrets: { key: platform.apiKey } });
  const wrapped = tls ? await wrapInTls(platform.url) : undefined;
  const host = createFunction({
    module,
    timeoutMs: 60_000,
    env: {
      ...aws.env,
      RELAY_TENANT: 'acme',
      RELAY_BASE_URL: wrapped?.url ?? platform.url,
      RELAY_SECRET_ID: 'key',
      RELAY_TABLE: 'relay',
      RELAY_BUS: 'acme',
      RELAY_START: 'P30D',
      ...(wrapped && trusted && { NODE_EXTRA_CA_CERTS: wrapped.certificateFile }),
    },
  });
  const close = async () => {
    await host.close();
    wrapped?.close();
    await aws.close();
    await platform.close().catch(() => undefined);
  };
  return { platform, aws, host, close };
}

/** Puts TLS before a server, with a certificate of its own. */
async function wrapInTls(target: string) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  const certificateFile = join(folder, 'certificate.pem');
  await writeFile(certificateFile, cert);
  const server = createServer({ cert, key }, (socket) => {
    const onward = connect(Number(new URL(target).port), '127.0.0.1');
    pipeline(socket, onward, socket, () => undefined);
  }).listen(0, '127.0.0.1');
  // Whoever distrusts the certificate hangs up in the middle of the greeting.
  server.on('tlsClientError', () => undefined);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${port}`, certificateFile, close: () => server.close() };
}
