import { type Command, Option } from 'commander';
import { readStart } from '../shared/config.ts';
import { ConfigurationError } from '../shared/errors.ts';
import type { Io } from './io.ts';
import { type AskOptions, addPlatformOptions, askPlatform, numberFrom } from './platform-command.ts';
import { createPrinter, printList } from './print.ts';
import type { Column } from './table.ts';
import { clean } from './text.ts';
import { createWatch, type Sight } from './watch.ts';

interface EventOptions extends AskOptions {
  readonly type?: string;
  readonly after?: string;
  readonly before?: string;
  readonly user?: string;
  readonly limit?: number;
  readonly follow?: boolean;
  readonly every: number;
}

const HELP = `
A time is ISO 8601 (2026-11-21T07:45:00Z), a duration back (P1D, PT30M) or now. Without --after the
last day is listed, and --follow begins now. Events come in the platform's order, each of them once.

--follow goes on through outages until Ctrl-C. It looks two minutes back at every turn; an event that
the platform shows later than that is seen by the relay, not here.

Examples:
  relay events --type profile_updated --after P7D
  relay events --follow --json | jq .createdAt
`;

const COLUMNS: readonly Column<Sight>[] = [
  { title: 'TIME', of: ({ event }) => event.time?.replace(/\.\d+Z$/, 'Z') ?? '', whole: true },
  { title: 'TYPE', of: ({ event }) => event.type, least: 23 },
  {
    title: 'BY',
    of: ({ event: { data } }) => data.actor?.name ?? data.actor?.email ?? data.actor?.id ?? '',
    least: 18,
  },
  { title: 'ON', of: ({ event }) => event.subject ?? '', least: 18 },
  { title: 'ID', of: ({ event }) => event.id, whole: true },
];

/** Adds `events` and `event-types`. */
export function addEventCommands(program: Command, io: Io): void {
  addPlatformOptions(program.command('event-types').description('List the identifiers of event types.')).action(
    (options: AskOptions) =>
      askPlatform(options, io, async (client) => {
        const types = await client.eventTypes();
        await createPrinter({ columns: [{ title: 'TYPE', of: clean }], json: options.json }, io)(types);
        if (types.length === 0) io.note('The platform names no event types.');
      }),
  );

  addPlatformOptions(
    program
      .command('events')
      .description('List events of the audit trail, or follow it.')
      .option('--type <type>', 'only events of this type')
      .option('--after <time>', 'only events of this moment or later')
      .option('--before <time>', 'only events of this moment or earlier')
      .option('--user <id>', 'only events that involve the user with this _id')
      .addOption(new Option('--limit <n>', 'end after so many events').argParser(numberFrom(1, 1e9)))
      .option('--follow', 'wait for further events and show them as they come')
      .addOption(
        new Option('--every <seconds>', 'with --follow: how often to look').default(5).argParser(numberFrom(0.1, 3600)),
      )
      .addHelpText('after', HELP),
  ).action((options: EventOptions) => {
    const window = readWindow(options, io);
    return askPlatform(options, io, async (client) => {
      const filter = { eventType: options.type, forUserId: options.user };
      const watch = createWatch({ client, io, filter, window, ...(options.limit && { limit: options.limit }) });
      const style = { columns: COLUMNS, json: options.json, toJson: ({ record }: Sight) => record };
      if (!options.follow) return printList(watch.list(), { ...style, noun: 'events' }, io);
      const print = createPrinter(style, io);
      for await (const sights of watch.follow(options.every * 1000)) await print(sights);
    });
  });
}

function readWindow({ after, before, follow }: EventOptions, io: Io): { fromSeconds: number; toSeconds?: number } {
  const nowMs = io.clock();
  const faults: string[] = [];
  const read = (option: string, text: string): number => {
    const moment = readStart(text.trim())?.(nowMs);
    if (moment === undefined)
      faults.push(`${option} is wrong: expected an ISO 8601 time, a duration back such as P1D, or now`);
    return moment ?? 0;
  };
  const fromSeconds = read('--after', after ?? (follow ? 'now' : 'P1D'));
  const toSeconds = before === undefined ? undefined : read('--before', before);
  if (follow && before !== undefined) faults.push('--before has no effect with --follow: leave one of them out');
  if (faults.length === 0 && toSeconds !== undefined && toSeconds < fromSeconds) {
    faults.push('--before is earlier than --after: nothing lies between');
  }
  if (faults.length > 0) throw new ConfigurationError(faults);
  return { fromSeconds, ...(toSeconds !== undefined && { toSeconds }) };
}
