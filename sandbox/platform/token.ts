import { createHmac } from 'node:crypto';
import type { Faults } from './faults.ts';
import { refuse } from './problem.ts';
import { type Random, randomHex } from './random.ts';

/** An API key as it is kept. */
export interface ApiKey {
  keyId: string;
  label: string;
  /** ISO 8601. */
  createdAt: string;
  /** The whole key, `account.key.secret`. */
  apiKey: string;
}

/** Gives tokens for the API keys of the organisation and knows which of them are good. */
export interface Tokens {
  /** The key that was made first, or that replaced it. */
  readonly apiKey: string;
  /** The keys that are good now, without their secrets, oldest first. */
  readonly keys: Omit<ApiKey, 'apiKey'>[];
  /** Makes a further key. */
  createKey(label: string): ApiKey;
  /** Ends a key, by default the first, and its tokens: its credentials are no longer taken. */
  deleteKey(keyId?: string): void;
  /** Gives the body of a token response. @throws HTTPException where the credentials are not taken */
  issue(credentials: { client_id: string; client_secret: string }): TokenBody;
  /** Says whether a bearer token is good now. */
  accepts(token: string): boolean;
  /** Ends every token that was given; the keys stay good. */
  revoke(): void;
  /** Replaces the first key by another of the same account, ends its tokens, and gives the new one. */
  rotateKey(): string;
  /** Gives the keys whole, to be kept. */
  dump(): ApiKey[];
}

interface TokenBody {
  access_token: string;
  token_type: 'Bearer';
  expires_in?: number;
  expires_at?: string;
}

interface IssuedToken {
  keyId: string;
  endMs: number;
}

/** Creates the tokens of an account with its first key, or with the keys that were kept. */
export function createTokens(from: {
  accountId: string;
  random: Random;
  faults: Faults;
  clock: () => number;
  kept?: readonly ApiKey[] | undefined;
}): Tokens {
  const { accountId, random, faults, clock, kept } = from;
  const signingKey = randomHex(64, random);
  const issued = new Map<string, IssuedToken>();
  const keys = new Map<string, ApiKey>();
  const createKey = (label: string): ApiKey => {
    const keyId = randomHex(24, random);
    const apiKey = `${accountId}.${keyId}.${randomHex(40, random)}`;
    const key = { keyId, label, createdAt: new Date(clock()).toISOString(), apiKey };
    keys.set(keyId, key);
    return key;
  };
  for (const key of kept ?? []) keys.set(key.keyId, key);
  let first = kept?.[0] ?? createKey('first');

  const find = (id: string, secret: string) => {
    const { credentials } = faults;
    for (const key of keys.values()) {
      const split = credentials !== 'whole' && key.apiKey === `${id}.${secret}` && id === `${accountId}.${key.keyId}`;
      const whole = credentials !== 'split' && key.apiKey === id && key.apiKey === secret;
      if (split || whole) return key;
    }
    throw refuse(faults.refusalStatus, 'The client credentials are not valid.');
  };
  const deleteKey = (keyId = first.keyId) => {
    keys.delete(keyId);
    for (const [token, { keyId: of }] of issued) if (of === keyId) issued.delete(token);
  };

  return {
    get apiKey() {
      return first.apiKey;
    },
    get keys() {
      return [...keys.values()].map(({ keyId, label, createdAt }) => ({ keyId, label, createdAt }));
    },
    createKey,
    deleteKey,
    issue({ client_id, client_secret }) {
      const { keyId } = find(client_id, client_secret);
      const nowSeconds = Math.floor(clock() / 1000);
      const endSeconds = nowSeconds + faults.tokenLifetimeSeconds;
      const claims = { sub: `${accountId}.${keyId}`, iat: nowSeconds, exp: endSeconds, jti: randomHex(24, random) };
      const { tokenExpiry } = faults;
      const token = tokenExpiry === 'opaque' ? randomHex(48, random) : sign(claims, signingKey);
      forget(issued, clock());
      issued.set(token, { keyId, endMs: endSeconds * 1000 });
      return {
        access_token: token,
        token_type: 'Bearer',
        ...(/expires_in|both/.test(tokenExpiry) && { expires_in: faults.tokenLifetimeSeconds }),
        ...(/expires_at|both/.test(tokenExpiry) && { expires_at: new Date(endSeconds * 1000).toISOString() }),
      };
    },
    accepts: (token) => (issued.get(token)?.endMs ?? 0) > clock(),
    revoke: () => issued.clear(),
    rotateKey() {
      deleteKey();
      first = createKey(first.label);
      return first.apiKey;
    },
    dump: () => [...keys.values()],
  };
}

/** Drops the tokens that ended first, as they lie first unless their lifetimes differ. */
function forget(issued: Map<string, IssuedToken>, nowMs: number): void {
  for (const [token, { endMs }] of issued) {
    if (endMs > nowMs) return;
    issued.delete(token);
  }
}

/** Signs claims as a JWT with HMAC SHA-256. */
function sign(claims: object, signingKey: string): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', signingKey).update(signed).digest('base64url')}`;
}
