import type { Command } from 'commander';
import { ConfigurationError } from '../shared/errors.ts';
import { isoSeconds, parseTimeMs, toSeconds } from '../shared/relay/time.ts';
import { NotFoundError } from './failure.ts';
import type { Io } from './io.ts';
import { createPrinter } from './print.ts';
import { addTableOptions, inspectTable, type TableOptions } from './table-command.ts';

interface Row {
  readonly from: string;
  readonly to: string;
  readonly rows: number;
  readonly why: string;
}

/** Adds `gaps list` and `gaps clear`. */
export function addGapCommands(program: Command, io: Io): void {
  const gaps = program.command('gaps').description('Show stretches of the trail that could not be read whole.');

  addTableOptions(gaps.command('list').description('List the gaps, and why each is one.')).action(
    (options: TableOptions) =>
      inspectTable(options, io, async ({ listGaps }) => {
        const found = (await Array.fromAsync(listGaps())).map(
          ({ fromSeconds, toSeconds: end, rows, why }): Row => ({
            from: isoSeconds(fromSeconds),
            to: isoSeconds(end),
            rows,
            why,
          }),
        );
        const columns = [
          { title: 'FROM', of: ({ from }: Row) => from },
          { title: 'TO', of: ({ to }: Row) => to },
          { title: 'ROWS READ', of: ({ rows }: Row) => String(rows) },
          { title: 'WHY', of: ({ why }: Row) => why },
        ];
        await createPrinter({ columns, json: options.json }, io)(found);
        if (found.length === 0 && !options.json) io.note('There are no gaps.');
      }),
  );

  addTableOptions(
    gaps
      .command('clear')
      .description('Forget gaps that are dealt with, e.g. by a replay.')
      .argument('<from...>', 'where each begins, as gaps list shows it'),
  ).action((texts: string[], options: TableOptions) => {
    const moments = texts.map(readMoment);
    return inspectTable(options, io, async ({ clearGap }) => {
      for (const from of moments) {
        if (!(await clearGap(from)))
          throw new NotFoundError(`No gap begins at ${isoSeconds(from)}: relay gaps list shows them.`);
        io.note(`The gap from ${isoSeconds(from)} is forgotten.`);
      }
    });
  });
}

function readMoment(text: string): number {
  const timeMs = /^\d{4}-\d\d-\d\dT/.test(text) ? parseTimeMs(text) : undefined;
  if (timeMs !== undefined) return toSeconds(timeMs);
  throw new ConfigurationError(['<from> is wrong: expected an ISO 8601 time as gaps list shows it']);
}
