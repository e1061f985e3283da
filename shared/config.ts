import * as z from 'zod/mini';
import { adapterSettings, logLevel } from './adapter-config.ts';
import { ConfigurationError } from './errors.ts';
import { parseTimeMs, toSeconds } from './relay/time.ts';
import { isSecure } from './secure-url.ts';

const DURATION = /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** A variable: what is expected of it in words, and how it is read; undefined where it is not that. */
const setting = <T>(expected: string, read: (text: string) => T | undefined) =>
  z.pipe(
    z.string(`is missing: expected ${expected}`),
    z.transform((text: string, context): T => {
      const value = read(text.trim());
      if (value !== undefined) return value;
      // Without the value: somebody may have put a key into the wrong variable.
      context.issues.push({ code: 'custom', message: `is wrong: expected ${expected}`, input: undefined });
      return z.NEVER;
    }),
  );

const name = (expected: string) => setting(expected, (text) => (/^\S+$/.test(text) ? text : undefined));
const path = z.optional(z.string().check(z.regex(/^[^.\s]+(\.[^.\s]+)*$/)));
const fields = z.strictObject({ id: path, time: path, type: path, actor: path });

const environment = z.object({
  RELAY_TENANT: setting('a tenant id of lower case letters, digits and hyphens', (text) =>
    /^[a-z0-9][a-z0-9-]{0,62}$/.test(text) ? text : undefined,
  ),
  RELAY_BASE_URL: setting('the https address of the platform (http only on this machine)', readUrl),
  RELAY_AUTH_URL: z.optional(setting('an https address (http only on this machine)', readUrl)),
  RELAY_SECRET_ID: name('the name or ARN of the secret that holds the API key'),
  RELAY_TABLE: name('the name of the DynamoDB table'),
  RELAY_BUS: name('the name or ARN of the event bus'),
  RELAY_START: setting('"now", an ISO 8601 time or a duration back such as P30D', readStart),
  RELAY_OVERLAP_SECONDS: z._default(setting('whole seconds, 0 to 3600', readOverlap), 120),
  RELAY_RECHECK_SECONDS: z._default(
    setting('at most 10 ages in whole seconds, ascending, separated by commas', readAges),
    [300, 1800, 7200, 28_800, 86_400],
  ),
  RELAY_FIELDS: z._default(setting('JSON with dotted paths for id, time, type or actor', readFields), {}),
  RELAY_EVENT_TYPES: z.optional(setting('event types separated by commas', readTypes)),
  RELAY_ADAPTER: z.optional(z.pipe(setting('JSON', readJson), adapterSettings)),
  RELAY_LOG_LEVEL: z._default(
    setting('debug, info, warn or error', (text) => logLevel.safeParse(text).data),
    'info',
  ),
});

/** How much is logged. */
export type LogLevel = z.infer<typeof logLevel>;

/**
 * Reads the configuration of a process from its environment.
 * @throws {ConfigurationError} naming every variable that is missing or wrong, and what is expected of it
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>>) {
  // An empty variable is a missing one: templates cannot leave one out.
  const given = Object.fromEntries(Object.entries(variables).filter(([, text]) => text?.trim()));
  const { data, error } = environment.safeParse(given);
  if (error) throw new ConfigurationError(error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`));
  return {
    tenant: data.RELAY_TENANT,
    baseUrl: data.RELAY_BASE_URL,
    authUrl: data.RELAY_AUTH_URL ?? data.RELAY_BASE_URL,
    secretId: data.RELAY_SECRET_ID,
    table: data.RELAY_TABLE,
    bus: data.RELAY_BUS,
    /** Where a first run begins, in seconds since the Unix epoch. */
    startSeconds: data.RELAY_START,
    ladder: { agesSeconds: [0, ...data.RELAY_RECHECK_SECONDS], overlapSeconds: data.RELAY_OVERLAP_SECONDS },
    fields: data.RELAY_FIELDS,
    /** Left out: all. */
    eventTypes: data.RELAY_EVENT_TYPES,
    /** Left out: no adapter runs. */
    adapter: data.RELAY_ADAPTER,
    logLevel: data.RELAY_LOG_LEVEL,
  };
}

/** Reads an address: TLS everywhere but on this machine; a user, query or fragment would end up in logs. */
export function readUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null || url.username || url.password || url.search || url.hash) return undefined;
  return isSecure(url) ? url : undefined;
}

/** Reads a moment: `now`, an ISO 8601 time, or a duration back such as `P30D`; in seconds since the Unix epoch, once it is known what time it is. */
export function readStart(text: string): ((nowMs: number) => number) | undefined {
  if (text === 'now') return toSeconds;
  const match = DURATION.exec(text);
  if (match) {
    const [weeks, days, hours, minutes, seconds] = match.slice(1).map((digits) => Number(digits ?? 0)) as number[];
    const back = (((weeks! * 7 + days!) * 24 + hours!) * 60 + minutes!) * 60 + seconds!;
    return (nowMs) => Math.max(1, toSeconds(nowMs) - back);
  }
  const timeMs = /^\d{4}-\d\d-\d\d/.test(text) ? parseTimeMs(text) : undefined;
  return timeMs === undefined ? undefined : () => toSeconds(timeMs);
}

const readWhole = (text: string, least: number, most: number): number | undefined =>
  /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined;

function readOverlap(text: string): number | undefined {
  return readWhole(text, 0, 3600);
}

function readAges(text: string): number[] | undefined {
  const ages = text.split(',').map((age) => readWhole(age.trim(), 1, 30 * 86_400));
  const ascending = ages.every((age, index) => age !== undefined && age > (ages[index - 1] ?? 0));
  return ascending && ages.length <= 10 ? (ages as number[]) : undefined;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readFields(text: string): z.infer<typeof fields> | undefined {
  return fields.safeParse(readJson(text)).data;
}

function readTypes(text: string): ReadonlySet<string> | undefined {
  const types = text.split(',').map((type) => type.trim());
  return types.every((type) => type !== '') ? new Set(types) : undefined;
}
