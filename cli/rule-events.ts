import { open } from 'node:fs/promises';
import { readStart } from '../shared/config.ts';
import { ConfigurationError } from '../shared/errors.ts';
import { isObject } from '../shared/relay/json.ts';
import { createNormaliser } from '../shared/relay/normalise.ts';
import { toNotice } from '../shared/relay/notice.ts';
import { toSeconds } from '../shared/relay/time.ts';
import { READY_PATTERNS } from '../shared/subscribing/ready-patterns.ts';
import { toBusEvent } from '../shared/subscribing/to-bus-event.ts';
import type { Io } from './io.ts';
import { type AskOptions, askPlatform } from './platform-command.ts';
import { createWatch } from './watch.ts';

/** An event as a rule sees it. */
export interface RuleEvent {
  readonly [field: string]: unknown;
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Where events to try a rule on come from. */
export interface EventsOptions extends AskOptions {
  readonly events?: string;
  readonly sandbox?: boolean;
  readonly last?: string;
}

/** Hands every event of the one source that the options name to `use`. @throws {ConfigurationError} */
export async function readEvents(
  options: EventsOptions,
  io: Io,
  use: (events: AsyncIterable<readonly RuleEvent[]>) => Promise<void>,
): Promise<void> {
  const { events, sandbox, last } = options;
  if ([events, sandbox, last].filter((source) => source !== undefined).length !== 1) {
    throw new ConfigurationError(['Give one of --events <file>, --sandbox and --last <duration>']);
  }
  if (events !== undefined) return use(readFile(events));
  if (sandbox) return use(readSandbox(io));
  const start = /^P/.test(last ?? '') ? readStart(last ?? '') : undefined;
  if (!start) throw new ConfigurationError(['--last is wrong: expected a duration such as PT1H or P7D']);
  return askPlatform(options, io, (client) => {
    const window = { fromSeconds: start(io.clock()), toSeconds: toSeconds(io.clock()) };
    const watch = createWatch({ client, io, filter: {}, window });
    return use(
      (async function* () {
        for await (const { rows } of watch.list()) yield rows.map(({ event }) => asRuleEvent(toBusEvent(event)));
      })(),
    );
  });
}

/** Reads a file of bus events, one a line, e.g. the `events.jsonl` that `npm start` writes. */
async function* readFile(path: string): AsyncGenerator<readonly RuleEvent[]> {
  const file = await open(path).catch(({ code }: NodeJS.ErrnoException) => {
    throw new ConfigurationError([`--events is wrong: the file cannot be read (${code})`]);
  });
  let number = 0;
  for await (const line of file.readLines()) {
    number += 1;
    if (line.trim() !== '') yield [parseEvent(line, number)];
  }
}

function parseEvent(line: string, number: number): RuleEvent {
  const fault = new ConfigurationError([`--events: line ${number} is wrong: expected an event of the bus as JSON`]);
  try {
    const event: unknown = JSON.parse(line);
    if (isObject(event) && typeof event['detail-type'] === 'string' && isObject(event.detail))
      return event as RuleEvent;
  } catch {
    throw fault;
  }
  throw fault;
}

/** A made-up week, and one of each thing that the relay says of itself. */
export async function* readSandbox({ clock }: Pick<Io, 'clock'>): AsyncGenerator<readonly RuleEvent[]> {
  // Loaded where it is asked for only: the other commands start without a platform.
  const { createPlatform } = await import('../sandbox/platform/platform.ts');
  const platform = await createPlatform({ history: { events: 5000, days: 7 }, clock });
  await platform.close();
  const normaliser = createNormaliser({ tenant: 'sandbox', stream: 'audit' });
  yield [...platform.trail].map(({ record }) => {
    const sighting = normaliser.identify(record);
    return asRuleEvent(toBusEvent(normaliser.toEvent(sighting, (sighting.timeMs ?? clock()) + 30_000)));
  });
  yield READY_PATTERNS['relay-trouble'].pattern['detail-type'].map((type) => {
    const summary = `${type}: what happened stands here`;
    return asRuleEvent(
      toBusEvent(toNotice({ type, id: type, tenant: 'sandbox', nowMs: clock(), summary, facts: { madeUp: true } })),
    );
  });
}

const asRuleEvent = (event: object): RuleEvent => event as RuleEvent;
