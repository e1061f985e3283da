import { TransportError } from '../errors.ts';
import type { Normaliser, Sighting } from './normalise.ts';
import type { PageQuery, Trail, TrailPage } from './ports.ts';

/** A closed interval of event time in whole seconds; without `toSeconds` it has no end. */
export interface Window {
  readonly fromSeconds: number;
  readonly toSeconds?: number;
  readonly eventType?: string;
}

/** How a read came out. */
export type ReadEnd =
  /** Every row the platform has was seen, unless the pages drifted meanwhile. */
  | { readonly kind: 'whole'; readonly rows: number; readonly drifted: boolean; readonly serverTimeMs?: number }
  /** There are more rows than can be paged through; `total` is what the platform says there are. */
  | { readonly kind: 'too-full'; readonly rows: number; readonly total?: number }
  /** The platform did not answer in time; the failure says what it said. */
  | { readonly kind: 'too-slow'; readonly failure: TransportError };

/** Reads windows of the trail to their end, and remembers how this platform pages. */
export interface Reader {
  /**
   * Hands every page to `onPage` as it comes, the next one being asked for meanwhile.
   * @param options.toTheEnd pages on past the tenth page, for a window that cannot be cut
   * @throws what `onPage` or the trail throws, after all that was begun has ended
   */
  read(
    window: Window,
    options: { readonly deadlineMs: number; readonly toTheEnd?: boolean; readonly limit?: number },
    onPage: (sightings: readonly Sighting[]) => Promise<void>,
  ): Promise<ReadEnd>;
  /** Rows a page can have, as far as is known. */
  readonly limit: number;
  /** Pages that a window may fill. */
  readonly mostPages: number;
}

/** The specification's maximum. */
export const MOST_ROWS_A_PAGE = 1000;
/** Ten full pages are the 10,000 rows past which search engines refuse to page. */
const MOST_PAGES = 10;
/** No server is taken to cut pages to less than this; every longer page is proof of what it can give. */
const SHORTEST_CUT = 10;
/** A `total` that was wrong three times more than it was right is not looked at. */
const MOST_LIES = 3;
/** Page lengths to try when the platform refuses one. */
const LIMITS = [1000, 500, 200, 100, 50, 20, 10];

/** Makes a reader; `MOST_ROWS_A_PAGE` is asked for until the platform shows that it gives less. */
export function createReader({ trail, normaliser }: { trail: Trail; normaliser: Normaliser }): Reader {
  let adoptedLimit = MOST_ROWS_A_PAGE;
  let longestPage = SHORTEST_CUT;
  let mostPages = MOST_PAGES;
  let lies = 0;

  /** One read from page 0 on; `restart` where it has to be done again with what was learned. */
  async function attempt(
    window: Window,
    options: { deadlineMs: number; toTheEnd: boolean; limit: number },
    onPage: (sightings: readonly Sighting[]) => Promise<void>,
  ): Promise<ReadEnd | 'restart'> {
    const { deadlineMs, toTheEnd, limit } = options;
    const ask = (page: number, pageLimit = limit): Promise<TrailPage> =>
      trail.readPage(toQuery(window, pageLimit, page), deadlineMs);

    const ids = new Set<string>();
    let rows = 0;
    let repeats = 0;
    let hashedRepeats = 0;
    let first: TrailPage | undefined;
    let asked = ask(0);
    for (let page = 0; ; page++) {
      const answer = await asked;
      first ??= answer;
      const count = answer.rows.length;
      if (count === 0) {
        const promised = answer.total !== undefined && answer.total > rows;
        if (page > 0 && rows % limit === 0) return cut(page, rows, answer.total);
        judgeTotal(!promised);
        return whole(promised && lies < MOST_LIES);
      }
      const total = lies < MOST_LIES ? answer.total : undefined;
      if (page === 0 && !toTheEnd && count >= limit && total !== undefined && total > mostPages * limit) {
        return { kind: 'too-full', rows: count, total };
      }
      const sightings = answer.rows.map(normaliser.identify);
      const unseen = sightings.filter(({ id }) => !ids.has(id)).length;
      if (page > 0 && unseen === 0 && count >= limit) {
        // The same page again: a server that ignores `page`. One that ignores `limit` too has shown all it has.
        if (rows > limit) return whole(false);
        mostPages = 1;
        return { kind: 'too-full', rows };
      }
      for (const { id, hashed } of sightings) {
        if (!ids.has(id)) ids.add(id);
        else if (hashed) hashedRepeats += 1;
        else repeats += 1;
      }
      rows += count;

      const more = count >= limit || (total !== undefined && total > rows);
      const cutShort = count < limit && page === 0 && (more || count >= longestPage);
      longestPage = Math.max(longestPage, count);
      if (cutShort) {
        const beyond = await ask(1, count);
        if (beyond.rows.length > 0) {
          adoptedLimit = count;
          return 'restart';
        }
        judgeTotal(!more);
        await onPage(sightings);
        return whole(false);
      }
      const full = more && !toTheEnd && page + 1 >= mostPages;
      if (more && !full) asked = ask(page + 1);
      const settled = await Promise.allSettled([onPage(sightings), more && !full ? asked : undefined]);
      if (settled[0].status === 'rejected') throw settled[0].reason;
      if (full) return { kind: 'too-full', rows };
      if (!more) {
        judgeTotal(answer.total === undefined || answer.total === rows);
        const moved = first.total !== answer.total || (answer.total !== undefined && answer.total !== rows);
        return whole(
          page > 0 && (repeats > 0 || (lies < MOST_LIES && moved) || (total === undefined && hashedRepeats > 0)),
        );
      }
    }

    function whole(drifted: boolean): ReadEnd {
      const serverTimeMs = first?.serverTimeMs;
      return { kind: 'whole', rows, drifted, ...(serverTimeMs !== undefined && { serverTimeMs }) };
    }
  }

  /** Nothing after full pages only: the end, or a server that pages no further. Smaller windows tell. */
  function cut(page: number, rows: number, total: number | undefined): ReadEnd {
    if (total !== undefined && total > rows) mostPages = Math.min(mostPages, page);
    return { kind: 'too-full', rows };
  }

  function judgeTotal(right: boolean): void {
    lies = right ? Math.max(0, lies - 1) : lies + 1;
  }

  return {
    get limit() {
      return adoptedLimit;
    },
    get mostPages() {
      return mostPages;
    },

    async read(window, { deadlineMs, toTheEnd = false, limit }, onPage) {
      for (;;) {
        const asked = Math.min(adoptedLimit, limit ?? adoptedLimit);
        let pages = 0;
        try {
          const end = await attempt(window, { deadlineMs, toTheEnd, limit: asked }, (sightings) => {
            pages += 1;
            return onPage(sightings);
          });
          if (end !== 'restart') return end;
        } catch (error) {
          if (!(error instanceof TransportError)) throw error;
          if (error.timedOut) return { kind: 'too-slow', failure: error };
          if (error.status !== 400) throw error;
          if (pages > 0) {
            mostPages = Math.min(mostPages, pages);
            return { kind: 'too-full', rows: pages * asked };
          }
          const smaller = LIMITS.find((candidate) => candidate < asked);
          // Not the limit's fault, then; it is asked for anew next time.
          adoptedLimit = smaller ?? MOST_ROWS_A_PAGE;
          if (smaller === undefined) throw error;
        }
      }
    },
  };
}

/** Bounds may be inclusive or exclusive: a second is added at both ends. */
const toQuery = ({ fromSeconds, toSeconds, eventType }: Window, limit: number, page: number): PageQuery => ({
  afterSeconds: fromSeconds - 1,
  ...(toSeconds !== undefined && { beforeSeconds: toSeconds + 1 }),
  ...(eventType !== undefined && { eventType }),
  limit,
  page,
});
