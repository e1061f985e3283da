import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SecureVersion } from 'node:tls';
import { promisify } from 'node:util';
import { generate } from 'selfsigned';
import { beforeAll, expect, onTestFinished, test } from 'vitest';

const TRANSPORT = new URL('../../shared/platform/transport.ts', import.meta.url).href;
let certificate: { readonly private: string; readonly cert: string };

beforeAll(async () => {
  certificate = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
});

test.for<[SecureVersion, string]>([
  ['TLSv1.1', 'TransportError'],
  ['TLSv1.2', 'answered 200'],
  ['TLSv1.3', 'answered 200'],
])('a platform that speaks %s at most: %s', async ([version, outcome]) => {
  expect(await ask(await serve(version), { trusted: true })).toBe(outcome);
});

test('refuses a certificate that nobody vouches for', async () => {
  expect(await ask(await serve('TLSv1.3'), { trusted: false })).toBe('TransportError');
});

/** Starts a server that speaks just this version of TLS. */
async function serve(version: SecureVersion): Promise<string> {
  const server = createServer(
    {
      key: certificate.private,
      cert: certificate.cert,
      minVersion: version,
      maxVersion: version,
      // OpenSSL itself refuses to serve what is older than TLS 1.2 unless told otherwise.
      ciphers: 'DEFAULT@SECLEVEL=0',
    },
    (_, response) => response.end('{}'),
  );
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `https://localhost:${(server.address() as AddressInfo).port}/`;
}

/** Asks from a process of its own, which trusts the certificate from its start or never. */
async function ask(address: string, { trusted }: { trusted: boolean }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tls-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const authority = join(folder, 'authority.pem');
  await writeFile(authority, certificate.cert);
  const script = `
    const { createTransport } = await import(${JSON.stringify(TRANSPORT)});
    const transport = createTransport({ clock: Date.now, sleep: async () => {}, random: () => 0 });
    const request = { method: 'GET', url: new URL(${JSON.stringify(address)}), deadlineMs: Date.now() + 30000 };
    const told = await transport.send(request).then(({ status }) => 'answered ' + status, ({ name }) => name);
    await transport.close();
    process.stdout.write(told);`;
  // A process that is told to be lax, so that it is the transport that refuses.
  const lax = ['--tls-min-v1.0', '--tls-cipher-list=DEFAULT@SECLEVEL=0'];
  const { stdout } = await promisify(execFile)(process.execPath, [...lax, '--input-type=module', '--eval', script], {
    env: { PATH: process.env.PATH, ...(trusted && { NODE_EXTRA_CA_CERTS: authority }) },
  });
  return stdout;
}
