import { Agent, errors, request as send } from 'undici';
import { type Backoff, fullJitterMs } from '../backoff.ts';
import { DeadlineError, ProtocolError, TransportError } from '../errors.ts';
import { parseJson } from '../relay/json.ts';
import type { Clock, Random, Sleep } from '../relay/ports.ts';
import { parseRetryAfterMs } from '../retry-after.ts';

/** A request to the platform. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** An absolute address. */
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Given up then, whatever it is doing; in ms since the Unix epoch. */
  readonly deadlineMs: number;
  /** Passes 408, 504 and silence on at once, for a caller that can ask for less. @default false */
  readonly passTimeouts?: boolean;
  /** Sends the request once, and gives as much of a 2xx answer as came where it is cut: it may not come again. @default false */
  readonly once?: boolean;
}

/** A 2xx answer. */
export interface ApiAnswer {
  readonly status: number;
  /** The `Date` header in ms since the Unix epoch. */
  readonly serverTimeMs?: number;
  /** The body as it came. */
  readonly text: string;
  /** Parses the body. @throws {ProtocolError} where it is not JSON */
  json(): unknown;
}

/** Sends requests to the platform. */
export interface Transport {
  /**
   * Sends a request, and again after faults that pass, while there is time.
   * @throws {TransportError} for the last failure
   * @throws {DeadlineError} when the time ran out in the middle of an answer
   */
  send(request: ApiRequest): Promise<ApiAnswer>;
  close(): Promise<void>;
}

const BACKOFF: Backoff = { baseMs: 250, capMs: 10_000 };
/** With the backoff above about 15 s of trying; a longer outage is for the next run and the alarm. */
const MOST_ATTEMPTS = 7;
const REQUEST_TIMEOUT_MS = 20_000;
/** A thousand rows of 64 KB; whoever sends more is asked for fewer rows. */
const MOST_BODY_BYTES = 64 * 2 ** 20;
const LONGEST_REASON = 200;
const USER_AGENT = 'supplier-event-relay';

/** Makes a transport with keep-alive connections; TLS 1.2 or better. */
export function createTransport(parts: {
  clock: Clock;
  sleep: Sleep;
  random: Random;
  /** Longest wait for an answer. @default 20000 */
  requestTimeoutMs?: number;
}): Transport {
  const { clock, sleep, random, requestTimeoutMs = REQUEST_TIMEOUT_MS } = parts;
  const agent = new Agent({
    connect: { minVersion: 'TLSv1.2', timeout: 10_000 },
    maxResponseSize: MOST_BODY_BYTES,
    keepAliveTimeout: 10_000,
    // One request at a time gains nothing by HTTP/2, and the functions leave its code out of their bundles.
    allowH2: false,
  });

  async function sendOnce(request: ApiRequest): Promise<ApiAnswer> {
    const { method, url, body, deadlineMs } = request;
    const name = `${method} ${url.pathname}`;
    const leftMs = Math.ceil(deadlineMs - clock());
    if (leftMs <= 0) throw new DeadlineError(`asking ${name}`);
    const signal = AbortSignal.timeout(Math.min(leftMs, requestTimeoutMs));
    try {
      const answer = await send(url, {
        method,
        dispatcher: agent,
        signal,
        headers: {
          accept: 'application/json',
          'user-agent': USER_AGENT,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...request.headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const status = answer.statusCode;
      const good = status >= 200 && status < 300;
      const text = await (request.once && good ? readWhatComes(answer.body) : answer.body.text());
      const serverTimeMs = Date.parse(String(answer.headers.date ?? ''));
      if (good) {
        const json = (): unknown => parseBody(name, status, text);
        return { status, text, json, ...(!Number.isNaN(serverTimeMs) && { serverTimeMs }) };
      }
      throw new TransportError({
        request: name,
        status,
        retryAfterMs: parseRetryAfterMs(answer.headers['retry-after'], clock()),
        reason: status >= 300 && status < 400 ? 'redirects are not followed' : reasonIn(text),
      });
    } catch (error) {
      if (error instanceof TransportError) throw error;
      if (signal.aborted && clock() >= deadlineMs) throw new DeadlineError(`waiting for ${name}`);
      const timedOut = signal.aborted || error instanceof errors.ResponseExceededMaxSizeError;
      throw new TransportError({ request: name, timedOut, reason: networkReason(error, signal.aborted), cause: error });
    }
  }

  return {
    async send(request) {
      for (let attempt = 0; ; attempt++) {
        try {
          return await sendOnce(request);
        } catch (error) {
          if (!(error instanceof TransportError) || !error.retryable || attempt + 1 >= MOST_ATTEMPTS) throw error;
          if (request.once || (error.timedOut && request.passTimeouts)) throw error;
          const waitMs = Math.max(error.retryAfterMs ?? 0, fullJitterMs(attempt, BACKOFF, random));
          if (clock() + waitMs >= request.deadlineMs) throw error;
          await sleep(waitMs);
        }
      }
    },
    close: () => agent.close(),
  };
}

/** Reads a body; of one that breaks off, what came before, unless that is nothing. */
async function readWhatComes(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch (error) {
    if (chunks.length === 0) throw error;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function parseBody(name: string, status: number, text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const found =
      text.trim() === '' ? 'nothing' : /^\s*</.test(text) ? 'HTML or XML (a login page or a proxy?)' : 'broken JSON';
    throw new ProtocolError(`${name} answered ${status} with ${found} where JSON was expected`, {
      cause: error instanceof SyntaxError ? undefined : error,
    });
  }
}

/** The server's own words, shortened; they decide nothing. */
function reasonIn(text: string): string {
  let words = text;
  try {
    const body = JSON.parse(text) as { message?: unknown; error_description?: unknown; error?: unknown } | null;
    words = [body?.message ?? body?.error_description ?? body?.error ?? ''].flat().join('; ');
  } catch {
    if (/^\s*</.test(text)) words = 'an HTML page';
  }
  const line = words.replace(/\p{Cc}+/gu, ' ').trim();
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line || 'no reason given';
}

function networkReason(error: unknown, timedOut: boolean): string {
  if (timedOut) return 'no answer in time';
  if (error instanceof errors.ResponseExceededMaxSizeError) return `the answer is larger than ${MOST_BODY_BYTES} bytes`;
  return error instanceof Error ? error.message : String(error);
}
