import type { Command } from 'commander';
import { NotFoundError } from './failure.ts';
import type { Io } from './io.ts';
import { createPrinter } from './print.ts';
import { addTableOptions, inspectTable, type TableOptions } from './table-command.ts';
import { describe, escapeJson } from './text.ts';

/** Adds `parked list` and `parked show`. */
export function addParkedCommands(program: Command, io: Io): void {
  const parked = program.command('parked').description('Show records that EventBridge could not carry.');

  addTableOptions(parked.command('list').description('List what is parked, and why.')).action((options: TableOptions) =>
    inspectTable(options, io, async ({ listParked }) => {
      const rows = (await Array.fromAsync(listParked())).map(({ sinceMs, ...row }) => ({
        id: row.id,
        type: row.type,
        since: Number.isNaN(sinceMs) ? '' : new Date(sinceMs).toISOString(),
        why: row.why,
      }));
      const columns = [
        { title: 'SINCE', of: ({ since }: (typeof rows)[number]) => since },
        { title: 'TYPE', of: ({ type }: (typeof rows)[number]) => type },
        { title: 'WHY', of: ({ why }: (typeof rows)[number]) => why },
        { title: 'ID', of: ({ id }: (typeof rows)[number]) => id, whole: true },
      ];
      await createPrinter({ columns, json: options.json }, io)(rows);
      if (rows.length === 0 && !options.json) io.note('Nothing is parked.');
    }),
  );

  addTableOptions(
    parked
      .command('show')
      .description('Write a parked record, byte for byte as it was parked.')
      .argument('<id>', 'the id of its event'),
  ).action((id: string, options: TableOptions) =>
    inspectTable(options, io, async ({ read }) => {
      const found = await read(id);
      if (found === undefined)
        throw new NotFoundError(`No record of this id is parked: relay parked list shows the ids.`);
      if (!io.isTerminal) return io.write(found.record);
      io.note(`${describe(found.type)}, parked ${new Date(found.sinceMs).toISOString()}: ${describe(found.why)}`);
      // A terminal would obey what a file only holds.
      await io.write(`${escapeJson(found.record)}\n`);
    }),
  );
}
