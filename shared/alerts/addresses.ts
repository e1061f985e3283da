import * as z from 'zod/mini';
import { ConfigurationError } from '../errors.ts';
import type { Clock } from '../relay/ports.ts';
import { isSecure } from '../secure-url.ts';

/** Finds the webhooks of alerts. */
export interface Addresses {
  /**
   * Gives the address of an alert's webhook.
   * @throws {ConfigurationError} where there is none, or where it is no address; never shows one
   */
  find(alert: string): Promise<string>;
  /** Looks at the secret again. */
  refresh(): Promise<void>;
}

/** How long the secret is good without looking: a moved webhook is noticed sooner by its refusal. */
const CACHED_MS = 300_000;

const secret = z.record(z.string(), z.unknown());

/** Keeps the addresses of a secret `{"<alert>": "<https address>"}` for five minutes; `read` gives the secret's text. */
export function createAddresses({ read, clock }: { read: () => Promise<string>; clock: Clock }): Addresses {
  let cached: { addresses: ReadonlyMap<string, unknown>; readMs: number } | undefined;

  async function refresh() {
    cached = { addresses: new Map(Object.entries(parse(await read()))), readMs: clock() };
    return cached;
  }

  return {
    async find(alert) {
      const { addresses } = cached && clock() - cached.readMs < CACHED_MS ? cached : await refresh();
      const address = addresses.get(alert);
      if (typeof address === 'string' && isWebhook(address)) return address;
      const expected = 'expected an https address (http only on this machine)';
      throw new ConfigurationError([
        `RELAY_WEBHOOKS_SECRET_ID: the webhook of ${alert} is ${address === undefined ? 'missing' : 'wrong'}: ${expected}`,
      ]);
    },
    async refresh() {
      await refresh();
    },
  };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return secret.parse(JSON.parse(text));
  } catch {
    throw new ConfigurationError(['RELAY_WEBHOOKS_SECRET_ID: expected a secret of the form {"<alert>": "<address>"}']);
  }
}

/** True for an address that messages may be sent to: https, or http on this machine. */
export function isWebhook(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && isSecure(url);
}
