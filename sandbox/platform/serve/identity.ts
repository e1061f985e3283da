import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import type { Identity } from '../server.ts';

const DAY_MS = 86_400_000;
/** Clients refuse certificates that are good for longer than this. */
const DAYS = 397;

/** Gives the identity in a folder, made where there is none or where it ends within a day, and the path of its certificate. */
export async function openIdentity(
  folder: string,
  clock: () => number,
): Promise<{ identity: Identity; certificatePath: string }> {
  const certificatePath = join(folder, 'certificate.pem');
  const keyPath = join(folder, 'key.pem');
  const fresh = existsSync(certificatePath) && existsSync(keyPath) ? readIfGood() : undefined;
  if (fresh) return { identity: fresh, certificatePath };

  const identity = await createIdentity(clock());
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(keyPath, identity.key, { mode: 0o600 });
  writeFileSync(certificatePath, identity.cert);
  return { identity, certificatePath };

  function readIfGood(): Identity | undefined {
    const cert = readFileSync(certificatePath, 'utf8');
    const { validTo } = new X509Certificate(cert);
    const good = Date.parse(validTo) > clock() + DAY_MS;
    return good ? { cert, key: readFileSync(keyPath, 'utf8') } : undefined;
  }
}

async function createIdentity(nowMs: number): Promise<Identity> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Sandbox of a supplier platform' }], {
    keySize: 2048,
    algorithm: 'sha256',
    notBeforeDate: new Date(nowMs - DAY_MS),
    notAfterDate: new Date(nowMs + DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  return { cert, key };
}
