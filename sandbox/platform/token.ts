import { createHmac } from 'node:crypto';
import type { Faults } from './faults.ts';
import { refuse } from './problem.ts';
import { type Random, randomHex } from './random.ts';

/** Gives tokens for the one API key of the organisation and knows which of them are good. */
export interface Tokens {
  /** The whole key, `account.key.secret`. */
  readonly apiKey: string;
  /** Gives the body of a token response. @throws HTTPException where the credentials are not taken */
  issue(credentials: { client_id: string; client_secret: string }): TokenBody;
  /** Says whether a bearer token is good now. */
  accepts(token: string): boolean;
  /** Ends every token that was given; the key stays good. */
  revoke(): void;
  /** Replaces the key by another of the same account, ends its tokens, and gives the new one. */
  rotateKey(): string;
  /** Ends the key and its tokens: from now on no credentials are taken. */
  deleteKey(): void;
}

interface TokenBody {
  access_token: string;
  token_type: 'Bearer';
  expires_in?: number;
  expires_at?: string;
}

/** Creates the tokens of an account with its first key. */
export function createTokens(from: { accountId: string; random: Random; faults: Faults; clock: () => number }): Tokens {
  const { accountId, random, faults, clock } = from;
  const signingKey = randomHex(64, random);
  const issued = new Map<string, number>();
  let key = makeKey();
  let deleted = false;

  function makeKey() {
    return { id: `${accountId}.${randomHex(24, random)}`, secret: randomHex(40, random) };
  }
  const whole = () => `${key.id}.${key.secret}`;

  const fits = (id: string, secret: string) => {
    const split = id === key.id && secret === key.secret;
    const both = id === whole() && secret === whole();
    return !deleted && ((split && faults.credentials !== 'whole') || (both && faults.credentials !== 'split'));
  };

  return {
    get apiKey() {
      return whole();
    },
    issue({ client_id, client_secret }) {
      if (!fits(client_id, client_secret)) throw refuse(faults.refusalStatus, 'The client credentials are not valid.');
      const nowSeconds = Math.floor(clock() / 1000);
      const endSeconds = nowSeconds + faults.tokenLifetimeSeconds;
      const claims = { sub: key.id, iat: nowSeconds, exp: endSeconds, jti: randomHex(24, random) };
      const { tokenExpiry } = faults;
      const token = tokenExpiry === 'opaque' ? randomHex(48, random) : sign(claims, signingKey);
      issued.set(token, endSeconds * 1000);
      return {
        access_token: token,
        token_type: 'Bearer',
        ...(/expires_in|both/.test(tokenExpiry) && { expires_in: faults.tokenLifetimeSeconds }),
        ...(/expires_at|both/.test(tokenExpiry) && { expires_at: new Date(endSeconds * 1000).toISOString() }),
      };
    },
    accepts: (token) => (issued.get(token) ?? 0) > clock(),
    revoke: () => issued.clear(),
    rotateKey() {
      key = makeKey();
      deleted = false;
      issued.clear();
      return whole();
    },
    deleteKey() {
      deleted = true;
      issued.clear();
    },
  };
}

/** Signs claims as a JWT with HMAC SHA-256. */
function sign(claims: object, signingKey: string): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', signingKey).update(signed).digest('base64url')}`;
}
