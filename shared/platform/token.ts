import * as z from 'zod/mini';
import { AuthenticationError, ConfigurationError, ProtocolError, TransportError } from '../errors.ts';
import type { Clock } from '../relay/ports.ts';
import { parseTimeMs } from '../relay/time.ts';
import type { ApiAnswer, Transport } from './transport.ts';

/** Gives bearer tokens. */
export interface Tokens {
  /** Gives a token that is good for a while; callers that need a new one at the same time share one request. */
  current(deadlineMs: number): Promise<string>;
  /** Gives another token than `refused`, which a request was refused with; reads the API key anew. */
  renew(refused: string, deadlineMs: number): Promise<string>;
  /** The account that the API key belongs to: its first part. */
  accountId(): Promise<string>;
}

const TOKEN_PATH = '/api/oauth/token';
/** Where an answer says nothing of its lifetime. */
const DEFAULT_LIFETIME_MS = 300_000;
/** A token is renewed this long before it ends, or after four fifths of a short life. */
const RENEW_EARLY_MS = 60_000;

const tokenAnswer = z.object({
  access_token: z.string().check(z.minLength(1)),
  expires_in: z.optional(z.unknown()),
  expires_at: z.optional(z.unknown()),
});
const jwtClaims = z.object({ exp: z.number(), iat: z.optional(z.number()) });

type Style = 'split' | 'whole';
interface Token {
  readonly value: string;
  readonly renewAtMs: number;
}

/** Makes the source of tokens for one API key, `<account_id>.<key_id>.<key_secret>`. */
export function createTokens(parts: {
  transport: Transport;
  authUrl: URL;
  /** Reads the API key; `fresh` where what was read before was refused. */
  readKey: (options: { fresh: boolean }) => Promise<string>;
  clock: Clock;
}): Tokens {
  const { transport, authUrl, readKey, clock } = parts;
  const url = new URL(`${authUrl.pathname.replace(/\/$/, '')}${TOKEN_PATH}`, authUrl);
  let token: Token | undefined;
  let renewal: Promise<Token> | undefined;
  /** Which form of credentials this key works with. */
  let known: { key: string; style: Style } | undefined;

  async function ask(key: string, style: Style, deadlineMs: number): Promise<ApiAnswer> {
    const { client, secret } = splitKey(key);
    const credentials =
      style === 'split' ? { client_id: client, client_secret: secret } : { client_id: key, client_secret: key };
    return transport.send({
      method: 'POST',
      url,
      body: { grant_type: 'client_credentials', ...credentials },
      deadlineMs,
    });
  }

  /** @returns undefined where the key is refused in both forms */
  async function tryKey(key: string, deadlineMs: number): Promise<Token | undefined> {
    const styles: Style[] = known?.key === key ? [known.style] : ['split', 'whole'];
    for (const style of styles) {
      try {
        const answer = await ask(key, style, deadlineMs);
        const parsed = readToken(answer, clock());
        known = { key, style };
        return parsed;
      } catch (error) {
        if (
          !(error instanceof TransportError) ||
          (error.status !== 400 && error.status !== 401 && error.status !== 403)
        ) {
          // What the server says here may repeat what it was sent.
          throw error instanceof TransportError && error.status !== undefined ? withoutWords(error) : error;
        }
      }
    }
    known = undefined;
    return undefined;
  }

  async function obtain(fresh: boolean, deadlineMs: number): Promise<Token> {
    const key = await readKey({ fresh });
    const obtained = await tryKey(key, deadlineMs);
    if (obtained) return obtained;
    const newest = fresh ? key : await readKey({ fresh: true });
    const second = newest === key ? undefined : await tryKey(newest, deadlineMs);
    if (second) return second;
    throw new AuthenticationError(
      `The platform refuses the API key at ${url.origin}${url.pathname}: it may be deleted, or belong to another environment. ` +
        'Put a valid key into the secret',
    );
  }

  function share(fresh: boolean, deadlineMs: number): Promise<Token> {
    renewal ??= obtain(fresh, deadlineMs)
      .then((obtained) => {
        token = obtained;
        return obtained;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  }

  return {
    async current(deadlineMs) {
      if (token && clock() < token.renewAtMs) return token.value;
      return (await share(false, deadlineMs)).value;
    },
    async renew(refused, deadlineMs) {
      if (token && token.value !== refused) return token.value;
      token = undefined;
      return (await share(true, deadlineMs)).value;
    },
    accountId: async () => splitKey(await readKey({ fresh: false })).account,
  };
}

/** @throws {ConfigurationError} where it has not three parts; says nothing of what it has */
function splitKey(key: string): { account: string; client: string; secret: string } {
  const match = /^([^.\s]+)\.([^.\s]+)\.(\S+)$/.exec(key.trim());
  if (match === null) {
    throw new ConfigurationError([
      'The API key: expected <account_id>.<key_id>.<key_secret>, three parts separated by dots',
    ]);
  }
  const [, account = '', keyId = '', secret = ''] = match;
  return { account, client: `${account}.${keyId}`, secret };
}

function readToken(answer: ApiAnswer, nowMs: number): Token {
  const parsed = tokenAnswer.safeParse(answer.json());
  if (!parsed.success) throw new ProtocolError(`POST ${TOKEN_PATH} answered ${answer.status} without an access_token`);
  const { access_token: value, expires_in, expires_at } = parsed.data;
  const endMs = parseTimeMs(expires_at);
  const lifetimeMs =
    lifetimeOf(expires_in) ??
    (endMs === undefined ? undefined : endMs - (answer.serverTimeMs ?? nowMs)) ??
    jwtLifetimeMs(value, answer.serverTimeMs ?? nowMs) ??
    DEFAULT_LIFETIME_MS;
  return { value, renewAtMs: nowMs + lifetimeMs - Math.min(RENEW_EARLY_MS, lifetimeMs / 5) };
}

function lifetimeOf(expiresIn: unknown): number | undefined {
  const seconds = typeof expiresIn === 'string' && expiresIn.trim() !== '' ? Number(expiresIn) : expiresIn;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
}

/** Counted by the server's clock, which wrote it. */
function jwtLifetimeMs(token: string, serverNowMs: number): number | undefined {
  try {
    const claims = jwtClaims.parse(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()));
    return Math.max(0, claims.exp * 1000 - (claims.iat === undefined ? serverNowMs : claims.iat * 1000));
  } catch {
    return undefined;
  }
}

const withoutWords = ({ status, retryAfterMs, timedOut }: TransportError): TransportError =>
  new TransportError({
    request: `POST ${TOKEN_PATH}`,
    retryAfterMs,
    timedOut,
    reason: 'no token was given',
    ...(status !== undefined && { status }),
  });
