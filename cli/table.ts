import stringWidth from 'string-width';
import { clean, cutTo, padTo } from './text.ts';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  /** Says what stands in the column; made harmless by the table. */
  readonly of: (row: Row) => string;
  /** True for what is of no use when cut, e.g. an id: other columns give way first. */
  readonly whole?: boolean;
  /** How wide it is at least where there is room: rows to come may need it. @default the width of its title */
  readonly least?: number;
}

/** Writes rows as lines of one width each. */
export interface Table<Row> {
  /** Writes some rows; the first call writes the titles, too, and decides how wide the columns are. */
  format(rows: readonly Row[]): string;
}

const GAP = '  ';
const NARROWEST = 4;

/** Makes a table that fits `width` columns of a terminal; left out, nothing is cut. */
export function createTable<Row>(
  columns: readonly Column<Row>[],
  { width, heading = (text) => text }: { width?: number; heading?: (text: string) => string } = {},
): Table<Row> {
  let widths: readonly number[] | undefined;

  return {
    format(rows) {
      const cells = rows.map((row) => columns.map(({ of }) => clean(of(row))));
      const titles = columns.map(({ title }) => title);
      const isFirst = widths === undefined;
      widths ??= shrink(
        columns.map(({ least = 0 }, index) =>
          Math.max(least, ...[titles, ...cells].map((line) => stringWidth(line[index] ?? ''))),
        ),
        columns.map(({ whole = false }) => whole),
        width,
      );
      const chosen = widths;
      const toLine = (line: readonly string[]): string => {
        const whole = line
          .map((cell, index) => place(cell, chosen[index] ?? 0, width))
          .join(GAP)
          .trimEnd();
        return width === undefined ? whole : cutTo(whole, width);
      };
      const lines = cells.map(toLine);
      return [...(isFirst ? [heading(toLine(titles))] : []), ...lines].map((line) => `${line}\n`).join('');
    },
  };
}

const place = (cell: string, columns: number, width: number | undefined): string =>
  padTo(width === undefined ? cell : cutTo(cell, columns), columns);

/** Takes from the widest column again and again until all fit. */
function shrink(natural: readonly number[], whole: readonly boolean[], width = Number.POSITIVE_INFINITY): number[] {
  const widths = [...natural];
  let over = widths.reduce((sum, each) => sum + each, 0) + GAP.length * (widths.length - 1) - width;
  for (const last of [false, true]) {
    for (; over > 0; over--) {
      const widest = Math.max(...widths.filter((_, index) => last || !whole[index]));
      if (widest <= NARROWEST) break;
      widths[widths.findLastIndex((each, index) => each === widest && (last || !whole[index]))] = widest - 1;
    }
  }
  return widths;
}
