import * as z from 'zod/mini';

/** The levels of the log, from the most to the least. */
export const logLevel = z.enum(['debug', 'info', 'warn', 'error'], 'expected debug, info, warn or error');

/** An object of these fields and no others; a fault names those that nobody knows. */
const strict = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has fields that nobody knows: ${issue.keys.join(', ')}`
        : 'expected an object',
  });

const flag = z.boolean('expected true or false');

/** Whole numbers from `least` to `most`. */
const whole = (least: number, most: number) => {
  const expected = `expected a whole number from ${least} to ${most}`;
  return z.int(expected).check(z.gte(least, expected), z.lte(most, expected));
};

const text = (expected: string, pattern: RegExp) => z.string(expected).check(z.regex(pattern, expected));

const changes = strict({
  /** Takes a connection off the platform's list once its event was accepted. @default false */
  acknowledge: z._default(flag, false),
  /** How often the list is read without a wake-up. @default 300 */
  everySeconds: z._default(whole(10, 86_400), 300),
  /** Goes with every request for the list. @default {} */
  query: z._default(z.record(z.string(), z.string('expected a text'), 'expected an object of texts'), {}),
});

const watched = strict({
  /** As the platform knows it; part of an address. */
  name: text('expected a name of letters, digits, dots, hyphens and underscores', /^[A-Za-z0-9][\w.-]{0,63}$/),
  /** @default true */
  longPoll: z._default(flag, true),
  /** Left out: connections are not watched. */
  changes: z.optional(changes),
}).check(
  z.refine(
    ({ longPoll, changes }) => longPoll || changes !== undefined,
    'expected longPoll or changes: it does nothing',
  ),
);

const logger = strict({
  level: logLevel,
  /** A file, or the word `stdout`. */
  outputPath: text('expected a file path or stdout', /\S/),
  /** A line of JSON a message, or one of words. */
  jsonLogging: flag,
});

/** The adapter's part of a tenant file; `RELAY_ADAPTER` as JSON. */
export const adapterSettings = strict({
  /** Before the paths of the adapter's endpoints. @default '/api/public/api/v1' */
  pathPrefix: z._default(text('expected a path like /api/public/api/v1', /^(\/[\w.~-]+)+$/), '/api/public/api/v1'),
  interfaces: z.array(watched, 'expected a list of interfaces').check(
    z.minLength(1, 'expected at least one interface'),
    z.refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'expected a name only once'),
  ),
  /** How long the platform may hold a poll; at most 100, because it must end before a stop does. @default 90 */
  longPollTimeoutSeconds: z._default(whole(1, 100), 90),
  /** Left out: JSON to stdout, from `RELAY_LOG_LEVEL` up. */
  logging: z.optional(z.array(logger, 'expected a list of loggers')),
  /** Sends the log from this level up to the platform. Left out: nothing is sent. */
  passthrough: z.optional(strict({ level: logLevel })),
  /** Where a crash log is written, from the working folder on. @default 'crash' */
  crashLogFolder: z._default(text('expected a folder', /\S/), 'crash'),
});

/** What an adapter does, with every default in place. */
export type AdapterSettings = z.infer<typeof adapterSettings>;

/** Where a log goes, and how much of it. */
export type LoggerSettings = z.infer<typeof logger>;
