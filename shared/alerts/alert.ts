import * as z from 'zod/mini';
import { type EventPattern, isReadyPattern, READY_PATTERNS } from '../subscribing/ready-patterns.ts';
import { isLink, isPath } from './link.ts';

/** With who, what and when, as much as a message still shows at a glance. */
const MOST_FIELDS = 10;

const text = (expected: string) => z.string(`expected ${expected}`);
const matching = (expected: string, isFine: (value: string) => boolean) =>
  text(expected).check(z.refine(isFine, `expected ${expected}`));

/** Without a value: whatever is put into the wrong place may be a secret. */
const describeObject = (issue: z.core.$ZodRawIssue): string =>
  issue.code === 'unrecognized_keys' ? `has what is unknown: ${issue.keys.join(', ')}` : 'expected an object';

const fields = z
  .record(
    z.string().check(z.minLength(1), z.maxLength(40)),
    matching('a dotted path into the event, e.g. data.record.newRole', (path) => path.length <= 200 && isPath(path)),
    'expected labels of at most 40 characters, each with a dotted path',
  )
  .check(z.refine((labels) => Object.keys(labels).length <= MOST_FIELDS, `expected at most ${MOST_FIELDS} fields`));

const base = z.strictObject(
  {
    /** Names a rule, and an entry of the webhooks secret. */
    name: matching('a name of at most 48 lower case letters, digits and inner hyphens', (name) =>
      /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/.test(name),
    ),
    channel: z.enum(['slack', 'teams'], 'expected slack or teams'),
    severity: z._default(z.enum(['info', 'warning', 'critical'], 'expected info, warning or critical'), 'info'),
    /** Label to dotted path into the event (`detail`): what a message shows besides who, what and when. */
    fields: z._default(fields, {}),
    /** Where a reader goes on, e.g. `https://platform.example/suppliers/{data.target.id}`. */
    link: z.optional(
      matching(
        'an https address of at most 1000 characters, in which {dotted.paths} stand after the host',
        (link) => link.length <= 1000 && isLink(link),
      ),
    ),
    /** What is left out: replayed events, and those first seen so many seconds after they happened. */
    quiet: z.prefault(
      z.strictObject(
        {
          replayed: z._default(z.boolean('expected true or false'), true),
          laterThanSeconds: z._default(
            z.int('expected whole seconds').check(z.positive('expected at least 1')),
            86_400,
          ),
        },
        { error: describeObject },
      ),
      {},
    ),
  },
  { error: describeObject },
);

/** One alert of a tenant file. */
export const alertSchema = z.extend(base, {
  /** An EventBridge pattern, or the name of a ready one. */
  pattern: z.union(
    [
      z
        .string()
        .check(z.refine(isReadyPattern, `expected a pattern or one of ${Object.keys(READY_PATTERNS).join(', ')}`)),
      z.record(z.string(), z.unknown()),
    ],
    'expected a pattern or the name of a ready one',
  ),
});

/** An alert as a tenant file may write it: what has a default may be left out. */
export type AlertInput = z.input<typeof alertSchema>;

/** An alert with its defaults filled in. */
export type Alert = z.infer<typeof alertSchema>;

/** What the notifier knows of an alert: all but the pattern, which is the rule's. */
export type NotifierAlert = Omit<Alert, 'pattern'>;

/** `RELAY_ALERTS`; patterns may be in it and are not looked at. */
export const notifierAlertsSchema = z.array(
  z.extend(base, { pattern: z.optional(z.unknown()) }),
  'expected a list of alerts as JSON',
);

/** Writes `RELAY_ALERTS`, without patterns: all variables of a Lambda function together may have 4 KB. */
export const writeNotifierAlerts = (alerts: readonly Alert[]): string =>
  JSON.stringify(alerts.map(({ pattern: _, ...alert }): NotifierAlert => alert));

/** Gives the EventBridge pattern of an alert, written or named. */
export function patternOf({ pattern }: Pick<Alert, 'pattern'>): EventPattern {
  if (typeof pattern !== 'string') return pattern;
  if (!isReadyPattern(pattern)) throw new TypeError(`There is no ready pattern ${pattern}`);
  return READY_PATTERNS[pattern].pattern;
}
