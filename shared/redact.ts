/** Takes secrets out of texts that leave the process. */
export interface Redactor {
  /** Makes a secret known, e.g. an API key or a token; the latest 100 are remembered. */
  hide(secret: string): void;
  /** Makes an API key known with its parts. */
  hideKey(key: string): void;
  redact(text: string): string;
}

const HIDDEN = '[hidden]';
const MOST_SECRETS = 100;
/** Shorter ones would hide ordinary words. */
const SHORTEST = 8;
/** Secrets that can be told by their looks: bearer tokens, JWTs, webhook addresses, signatures in addresses. */
const LOOKS = [
  /\bBearer\s+[\w.~+/=-]{8,}/gi,
  /\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g,
  /https?:\/\/[^\s"'\\]*(?:hooks\.slack\.com|webhook|logic\.azure\.com|powerplatform\.com|powerautomate)[^\s"'\\]*/gi,
  /(?<=[?&](?:sig|signature|token|access_token|key|secret|client_secret)=)[^&\s"'\\]+/gi,
];
/** What stands before an ellipsis: a text that was shortened, perhaps in the middle of a secret. */
const CUT = /\S{8,300}(?=…)/g;

/** Makes a redactor; some secrets may be known from the beginning. */
export function createRedactor(first: readonly (string | undefined)[] = []): Redactor {
  const secrets = new Set<string>();
  let known: RegExp | undefined;

  function hide(secret: string): void {
    if (secret.length < SHORTEST || secrets.has(secret)) return;
    secrets.add(secret);
    for (const oldest of secrets) if (secrets.size > MOST_SECRETS) secrets.delete(oldest);
    // Inside JSON and addresses a text may be written in another way; the longest comes first, so that nothing is left of it.
    const forms = [...secrets].flatMap((text) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)]);
    const longestFirst = [...new Set(forms)].sort((one, other) => other.length - one.length);
    known = new RegExp(longestFirst.map((text) => text.replaceAll(/[^\w]/g, String.raw`\$&`)).join('|'), 'g');
  }

  for (const secret of first) if (secret !== undefined) hide(secret);
  return {
    hide,
    hideKey(key) {
      hide(key);
      const parts = key.split('.');
      for (const part of [parts.slice(0, 2).join('.'), ...parts]) hide(part);
    },
    redact(text) {
      const uncut = text.replace(CUT, (end) => ([...secrets].some((secret) => endsInside(end, secret)) ? HIDDEN : end));
      const without = known === undefined ? uncut : uncut.replace(known, HIDDEN);
      return LOOKS.reduce((left, look) => left.replace(look, HIDDEN), without);
    },
  };
}

/** True where the last characters of a text are the first of a secret. */
function endsInside(text: string, secret: string): boolean {
  for (let at = 0; at <= text.length - SHORTEST; at++) if (secret.startsWith(text.slice(at))) return true;
  return false;
}
