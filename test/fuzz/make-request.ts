import { createRandom } from '../../sandbox/platform/random.ts';

/** An operation of the OpenAPI document. */
export interface Operation {
  method: string;
  /** With parameters in braces. */
  path: string;
  /** Names of its query parameters. */
  query: string[];
}

/** A request as it is sent. */
export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** What requests are made up from. */
export interface FuzzSource {
  operations: readonly Operation[];
  /** A token that is good, and one that was ended. */
  tokens: { good: string; ended: string };
  /** Ids that exist, and ids of another organisation. */
  ids: readonly string[];
  seed: number;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];
const TEXTS = [
  '',
  '0',
  '-1',
  '1e999',
  '99999999999999999999',
  'NaN',
  'true',
  'null',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  "' OR 1=1 --",
  '{{7*7}}',
  '<script>alert(1)</script>',
  '\u0000',
  '\ud800',
  '‮𝕏',
  '2026-13-45T99:99:99Z',
  '9999-12-31T23:59:59.999+23:59',
  'x'.repeat(5000),
];
const RAW = ['%00', '%ff', '%E0%A4%A', '%', '%2e%2e%2f', '..', '.', ';', '%0d%0aX-Evil:%201', 'a%20b', '//', '?', '#'];
const TYPES = ['application/json', 'application/json; charset=utf-16', 'text/plain', 'multipart/form-data', ';', ''];
const KEYS = [
  'grant_type',
  'client_id',
  'client_secret',
  'interface',
  'connectionRole',
  'publicId',
  'errors',
  'label',
  'legalName',
  'country',
  'sites',
  'insuranceCertificate',
  '_id',
  '__proto__',
  '',
];

/** Creates a maker of requests, most of them bad; the same seed makes the same ones. */
export function createRequestMaker({ operations, tokens, ids, seed }: FuzzSource): () => FuzzRequest {
  const { pick, chance, below } = createRandom(seed);

  const makeValue = (depth: number): unknown => {
    const kind = below(depth > 0 ? 9 : 6);
    if (kind < 2) return pick(TEXTS);
    if (kind === 2) return pick([0, -1, 1e308, 0.1, 2 ** 53]);
    if (kind === 3) return pick([true, false, null]);
    if (kind < 6) return pick(['buyer', 'erp', 'client_credentials', 'DE', ...ids]);
    if (kind === 6) return Array.from({ length: below(4) }, () => makeValue(depth - 1));
    return Object.fromEntries(Array.from({ length: below(6) }, () => [pick(KEYS), makeValue(depth - 1)]));
  };
  const makeBody = (): string => {
    const text = JSON.stringify(makeValue(3)) ?? '';
    if (chance(0.1)) return text.slice(0, below(text.length + 1));
    if (chance(0.02)) return '['.repeat(20_000);
    return chance(0.01) ? JSON.stringify({ label: 'x'.repeat(1_000_000) }) : text;
  };
  const makePart = () => (chance(0.4) ? encode(pick(ids)) : chance(0.5) ? encode(pick(TEXTS)) : pick(RAW));
  const makeQuery = ({ query }: Operation) => {
    const names = Array.from({ length: below(4) }, () => (chance(0.9) && query.length > 0 ? pick(query) : pick(KEYS)));
    const value = () => (chance(0.3) ? String(below(1200)) : makePart());
    return names.map((name) => `${encode(name)}=${value()}`).join(pick(['&', '&', '&&', ';']));
  };
  const makeAuthorisation = () => {
    if (chance(0.7)) return `Bearer ${tokens.good}`;
    return pick([
      undefined,
      '',
      'Bearer',
      'Bearer x',
      `Bearer ${tokens.ended}`,
      `Basic ${tokens.good}`,
      'x'.repeat(5000),
    ]);
  };

  return () => {
    const operation = pick(operations);
    const method = chance(0.8) ? operation.method : pick(METHODS);
    const query = makeQuery(operation);
    const path = operation.path.replaceAll(/\{\w+\}/g, () => (chance(0.3) ? 'erp' : makePart()));
    const authorisation = makeAuthorisation();
    const hasBody = ['POST', 'PUT', 'PATCH'].includes(method) && chance(0.95);
    return {
      method,
      path: `${chance(0.02) ? path + pick(RAW) : path}${query && `?${query}`}`,
      headers: {
        ...(authorisation !== undefined && { Authorization: authorisation }),
        ...(hasBody && { 'Content-Type': chance(0.85) ? 'application/json' : pick(TYPES) }),
        // Headers that are refused before the method is known are answered with a body, to HEAD too.
        ...(method !== 'HEAD' && chance(0.02) && { 'X-Long': 'x'.repeat(below(30_000)) }),
      },
      ...(hasBody && { body: makeBody() }),
    };
  };
}

/** A lone surrogate has no encoding. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
