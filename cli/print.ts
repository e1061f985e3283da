import { styleText } from 'node:util';
import type { Page } from '../shared/platform/pages.ts';
import type { Io } from './io.ts';
import { type Column, createTable } from './table.ts';
import { toJsonLine } from './text.ts';

/** How rows are written: a table for people, lines of JSON for programs. */
export interface Style<Row> {
  readonly columns: readonly Column<Row>[];
  /** What a row is written as in JSON. @default the row itself */
  readonly toJson?: (row: Row) => unknown;
  readonly json?: boolean | undefined;
}

/** Makes what writes rows, as many and as often as they come. */
export function createPrinter<Row>({ columns, json = false, toJson = (row) => row }: Style<Row>, io: Io) {
  const heading = (text: string): string => styleText('bold', text, { stream: io.stdout });
  const table = createTable(columns, { heading, ...(io.columns !== undefined && { width: io.columns }) });
  return async (rows: readonly Row[]): Promise<void> => {
    if (rows.length === 0) return;
    await io.write(json ? rows.map((row) => toJsonLine(toJson(row))).join('') : table.format(rows));
  };
}

/** Writes a list page by page, and says on a terminal how far it has come. */
export async function printList<Row>(
  pages: AsyncIterable<Page<Row>>,
  { noun, ...style }: Style<Row> & { readonly noun: string },
  io: Io,
): Promise<void> {
  const print = createPrinter(style, io);
  let count = 0;
  io.progress(`Asking for ${noun}`);
  for await (const { rows, total, withheld } of pages) {
    await print(rows);
    count += rows.length;
    const all = total === undefined || total < count ? '' : ` of ${total.toLocaleString('en')}`;
    io.progress(`${count.toLocaleString('en')}${all} ${noun}`);
    if (withheld !== undefined) {
      io.note(
        `The platform says that there are ${withheld.toLocaleString('en')} more ${noun}, and does not show them.`,
      );
    }
  }
  io.progress('');
  if (count === 0 && !style.json) io.note(`There are no ${noun}.`);
}
