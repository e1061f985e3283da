import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { ConfigurationError } from '../errors.ts';
import type { Clock } from '../relay/ports.ts';

/** How long a secret is good without looking: a rotation is noticed sooner by the refusal of the old key. */
const CACHED_MS = 300_000;

const wrapped = z.object({ apiKey: z.string().check(z.minLength(1)) });

/**
 * Makes a reader of the API key, kept in the secret as the bare key or as `{"apiKey": "…"}`.
 * @throws {ConfigurationError} where the secret is missing or holds no key; what it holds is never shown
 */
export function createSecretReader(parts: {
  client: SecretsManagerClient;
  secretId: string;
  clock: Clock;
}): (options: { fresh: boolean }) => Promise<string> {
  const { client, secretId, clock } = parts;
  let cached: { key: string; readMs: number } | undefined;

  return async ({ fresh }) => {
    if (!fresh && cached && clock() - cached.readMs < CACHED_MS) return cached.key;
    const key = readKey(secretId, await read());
    cached = { key, readMs: clock() };
    return key;
  };

  async function read(): Promise<string> {
    try {
      return (await client.send(new GetSecretValueCommand({ SecretId: secretId }))).SecretString ?? '';
    } catch (error) {
      const name = error instanceof Error ? error.name : '';
      if (name !== 'ResourceNotFoundException' && name !== 'AccessDeniedException') throw error;
      throw new ConfigurationError([`RELAY_SECRET_ID: the secret ${secretId} cannot be read (${name})`]);
    }
  }
}

function readKey(secretId: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === '')
    throw new ConfigurationError([`RELAY_SECRET_ID: the secret ${secretId} is empty; put the API key in`]);
  if (!trimmed.startsWith('{')) return trimmed;
  try {
    return wrapped.parse(JSON.parse(trimmed)).apiKey.trim();
  } catch {
    throw new ConfigurationError([`RELAY_SECRET_ID: the secret ${secretId}: expected the bare key or {"apiKey": "…"}`]);
  }
}
