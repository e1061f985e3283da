import type { Context } from 'hono';
import type { Faults } from './faults.ts';
import type { AnyAnswer } from './openapi.ts';
import { refuse } from './problem.ts';
import type { PageQuery } from './schemas.ts';

/** The body of a list answer. */
export interface ListBody {
  text: string;
  contentType: string;
}

/** A list before it is cut into pages. */
export interface WholeList<Row> {
  rows: readonly Row[];
  /** What `total` counts from. @default the number of rows */
  total?: number;
  /** Makes a row ready to be serialised. @default the row itself */
  shape?: (row: Row) => unknown;
}

const JSON_TYPE = 'application/json';

/** Answers with the body of a list. */
export function send(c: Context, { text, contentType }: ListBody): AnyAnswer {
  return c.body(text, 200, { 'Content-Type': contentType }) as Response as AnyAnswer;
}

/** Writes one page of a list in the envelope that the faults ask for. @throws HTTPException where the page cannot be asked for */
export function writePage<Row>(
  list: WholeList<Row>,
  { query, faults }: { query: PageQuery; faults: Faults },
): ListBody {
  if (query.limit > faults.limitMax) throw refuse(400, `limit must not be greater than ${faults.limitMax}.`);
  const limit = Math.min(query.limit, faults.limitClamp);
  const offset = faults.pageIgnored ? 0 : query.page * limit;
  if (offset + limit > faults.deepRows && faults.deepAnswer === 'refuse') {
    throw refuse(400, `Only the first ${faults.deepRows} results can be paged to.`);
  }
  const end = Math.min(offset + limit, faults.deepRows);
  const { rows, shape = (row: Row) => row } = list;
  return wrap(rows.slice(offset, end).map(shape), { total: list.total ?? rows.length, faults });
}

function wrap(results: unknown[], { total, faults }: { total: number; faults: Faults }): ListBody {
  switch (faults.envelope) {
    case 'html':
      return { text: '<!doctype html><title>Maintenance</title><p>Back soon.</p>', contentType: 'text/html' };
    case 'empty':
      return { text: '', contentType: JSON_TYPE };
    case 'array':
      return { text: JSON.stringify(results), contentType: JSON_TYPE };
    case 'data':
      return { text: JSON.stringify({ data: results }), contentType: JSON_TYPE };
    default: {
      const text = JSON.stringify({ ...writeTotal(total, faults), results });
      return { text: faults.envelope === 'truncated' ? text.slice(0, text.length / 2) : text, contentType: JSON_TYPE };
    }
  }
}

function writeTotal(total: number, faults: Faults): { total?: number | string } {
  const capped = Math.min(total, faults.totalCap);
  if (faults.total === 'missing') return {};
  return { total: faults.total === 'string' ? String(capped) : capped };
}
