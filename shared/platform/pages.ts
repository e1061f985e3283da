import type * as z from 'zod/mini';
import { ProtocolError, TransportError } from '../errors.ts';
import { writeJson } from '../relay/json.ts';
import type { Api } from './api.ts';
import { readList } from './events.ts';
import type { ApiAnswer } from './transport.ts';

/** One page of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** What the platform says all pages hold: a hint, never a proof. */
  readonly total?: number;
  /** The `Date` of the answer in ms since the Unix epoch; left out where it had none. */
  readonly serverTimeMs?: number;
  /** On the last page: how many more rows there are, as the platform said at first, that it did not show. */
  readonly withheld?: number;
}

/** A list of the platform, read page by page, anew for every loop over it. */
export interface List<Row> extends AsyncIterable<Row> {
  /** The same by pages, at least one. @throws {ProtocolError} where the platform shows the same page again and again */
  pages(): AsyncIterable<Page<Row>>;
}

/** What endpoints are called with. */
export interface Caller {
  readonly api: Api;
  /** Gives the moment when a call that begins now is given up, in ms since the Unix epoch. */
  readonly deadline: () => number;
}

/** Page lengths to ask for: the specification's maximum, then less for a platform that refuses it or is too slow. */
const LIMITS = [1000, 100, 10] as const;

/** Makes a list; rows are checked against `row` and handed on as they came, with all their fields. */
export function createList<Schema extends z.ZodMiniType>(
  { api, deadline }: Caller,
  list: {
    readonly path: string;
    readonly query?: Readonly<Record<string, string | undefined>>;
    readonly row: Schema;
    /** Finds the rows in an answer. @default in `{total, results}` or a bare array */
    readonly read?: (answer: ApiAnswer) => { readonly rows: readonly unknown[]; readonly total?: number };
  },
): List<z.infer<Schema>> {
  const { path, query = {}, row, read = (answer: ApiAnswer) => readList(path, answer.json()) } = list;

  async function ask(page: number, limit: number): Promise<Page<z.infer<Schema>>> {
    const answer = await api.call({
      method: 'GET',
      path,
      query: { ...query, limit, page },
      deadlineMs: deadline(),
      passTimeouts: page === 0,
    });
    const { rows, total } = read(answer);
    const { serverTimeMs } = answer;
    return {
      rows: rows.map((value) => check(row, value, `GET ${path}`)),
      ...(total !== undefined && { total }),
      ...(serverTimeMs !== undefined && { serverTimeMs }),
    };
  }

  async function askFirst(): Promise<{ first: Page<z.infer<Schema>>; limit: number }> {
    for (const [index, limit] of LIMITS.entries()) {
      try {
        return { first: await ask(0, limit), limit };
      } catch (error) {
        const lessMayHelp = error instanceof TransportError && (error.status === 400 || error.timedOut);
        if (!lessMayHelp || index === LIMITS.length - 1) throw error;
      }
    }
    throw new RangeError('There is no limit to ask for');
  }

  async function* pages(): AsyncGenerator<Page<z.infer<Schema>>> {
    const { first, limit: asked } = await askFirst();
    // A short page though more follows shows that the platform gives less than it is asked for.
    const limit = Math.min(asked, first.rows.length);
    let current = first;
    let text = writeJson(first.rows);
    let rows = 0;
    for (let page = 1; ; page++) {
      // Only an empty page is the end: a total may be old, capped or wrong.
      if (current.rows.length === 0) {
        const withheld = (first.total ?? 0) - rows;
        yield { ...current, ...(withheld > 0 && { withheld }) };
        return;
      }
      yield current;
      rows += current.rows.length;
      current = await ask(page, limit);
      const next = writeJson(current.rows);
      if (next === text) {
        // A list that is not paged is given whole every time, and some show the last page for every later one.
        if (current.total === undefined ? limit < asked : rows >= current.total) return;
        throw new ProtocolError(`GET ${path} answers page ${page} like the one before it: the rest cannot be read`);
      }
      text = next;
    }
  }

  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { rows } of pages()) yield* rows;
    },
  };
}

/**
 * Checks a value of the platform against what is relied on, and gives it as it came.
 * @throws {ProtocolError} naming the fields that do not fit, never their values
 */
function check<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, request: string): z.infer<Schema> {
  const { error } = schema.safeParse(value);
  if (error === undefined) return value as z.infer<Schema>;
  const faults = error.issues.map(({ path, message }) => `${path.join('.') || 'a row'}: ${message}`);
  throw new ProtocolError(`${request} answered something else than specified: ${faults.join('; ')}`);
}
