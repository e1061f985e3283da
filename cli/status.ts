import type { Command } from 'commander';
import type { StreamStatus } from '../shared/aws/inspect.ts';
import { isoSeconds, toSeconds } from '../shared/relay/time.ts';
import { NotFoundError } from './failure.ts';
import type { Io } from './io.ts';
import { createPrinter } from './print.ts';
import { addTableOptions, inspectTable, type TableOptions } from './table-command.ts';

/** Adds `status`. */
export function addStatusCommands(program: Command, io: Io): void {
  addTableOptions(
    program.command('status').description('Show how far the relay has come, and how its last run went.'),
  ).action((options: TableOptions) =>
    inspectTable(options, io, async ({ readStatus }) => {
      const status = await readStatus();
      if (status === undefined) throw new NotFoundError(`The stream ${options.stream} was never read into this table.`);
      const facts = summarise(status, io.clock());
      if (options.json) return createPrinter({ columns: [], json: true }, io)([facts]);
      const columns = [
        { title: 'WHAT', of: ([name]: [string, unknown]) => WORDS[name as keyof typeof WORDS] },
        { title: 'IS', of: ([, value]: [string, unknown]) => String(value ?? 'none') },
      ];
      await createPrinter({ columns }, io)(Object.entries(facts));
    }),
  );
}

const WORDS = {
  mark: 'read and published up to',
  lagSeconds: 'lag in seconds',
  checkedThrough: 're-checked at the last age up to',
  start: 'nothing relayed before',
  lastSuccess: 'last run that succeeded',
  lastError: 'last error',
  runningUntil: 'a run holds the lease until',
  source: 'reads',
  learned: 'learned of the platform',
  epoch: 'runs so far',
  replays: 'replays so far',
} as const;

/** Says where a stream stands in moments and numbers; null for what is not so. */
function summarise(status: StreamStatus, nowMs: number): Readonly<Record<keyof typeof WORDS, unknown>> {
  const { startSeconds, cursors, leaseEndMs, lastSuccessMs, lastError, fingerprint, epoch, replays } = status;
  const ages = Object.keys(cursors)
    .map(Number)
    .toSorted((one, other) => one - other);
  const come = (age: number | undefined): number | null => {
    const cursor = age === undefined ? undefined : cursors[age];
    return cursor === undefined || cursor < startSeconds ? null : cursor;
  };
  const toIso = (seconds: number | null | undefined): string | null =>
    seconds === null || seconds === undefined ? null : isoSeconds(seconds);
  const mark = come(ages[0]);
  const { learned, places } = status;
  return {
    mark: toIso(mark),
    lagSeconds: mark === null ? null : Math.max(0, toSeconds(nowMs) - mark),
    checkedThrough: toIso(come(ages.at(-1))),
    start: toIso(startSeconds),
    lastSuccess: toIso(lastSuccessMs === undefined ? null : toSeconds(lastSuccessMs)),
    lastError: lastError ?? null,
    runningUntil: leaseEndMs > nowMs ? new Date(leaseEndMs).toISOString() : null,
    source: fingerprint,
    learned: learned || places ? JSON.stringify({ ...learned, ...places }) : null,
    epoch,
    replays,
  };
}
