import type { Clock } from '../relay/ports.ts';
import { parseRetryAfterMs } from '../retry-after.ts';

/** What became of a message; a reason never names the address. */
export type Outcome =
  | { readonly kind: 'sent' }
  /** Asking again later may help; `waitMs` is what the service asks for. */
  | { readonly kind: 'later'; readonly reason: string; readonly waitMs: number | undefined }
  /** The address is no good: gone, forbidden, moved. */
  | { readonly kind: 'dead'; readonly reason: string }
  /** The service does not take this message; others it may. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Posts a message to a webhook. */
export type Post = (address: string, payload: object, deadlineMs: number) => Promise<Outcome>;

const LONGEST_MS = 10_000;
const LATER = new Set([408, 425, 429]);
const DEAD = new Set([401, 403, 404, 410]);
/** What Slack answers in its own words, e.g. `channel_is_archived`; anything else may hold what nobody should read. */
const WORD = /^[a-z_]{3,40}$/;

/** Makes what posts messages, each within ten seconds, without following redirects. */
export function createPost({ clock }: { clock: Clock }): Post {
  return async (address, payload, deadlineMs) => {
    const timeoutMs = Math.max(1, Math.min(LONGEST_MS, deadlineMs - clock()));
    try {
      const answer = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payload),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { status, ok, headers } = answer;
      if (ok) {
        await answer.body?.cancel();
        return { kind: 'sent' };
      }
      const word = await readWord(answer);
      const reason = `the webhook answered ${status}${word && ` ${word}`}`;
      if (status >= 500 || LATER.has(status)) {
        return { kind: 'later', reason, waitMs: parseRetryAfterMs(headers.get('retry-after') ?? undefined, clock()) };
      }
      return { kind: DEAD.has(status) || status < 400 ? 'dead' : 'refused', reason };
    } catch (error) {
      return { kind: 'later', reason: `the webhook could not be reached: ${nameFault(error)}`, waitMs: undefined };
    }
  };
}

async function readWord(answer: Response): Promise<string> {
  const text = (await answer.text()).trim();
  return WORD.test(text) ? text : '';
}

/** Messages of network errors may name the address. */
function nameFault(error: unknown): string {
  const { cause, name } = error as Error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : name;
}
