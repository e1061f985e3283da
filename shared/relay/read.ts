import { TransportError } from '../errors.ts';
import type { Normaliser, Sighting } from './normalise.ts';
import type { PageQuery, Trail, TrailPage } from './ports.ts';

/** A closed interval of event time in whole seconds; without `toSeconds` it has no end. */
export interface Window {
  readonly fromSeconds: number;
  readonly toSeconds?: number;
  readonly eventType?: string;
}

/** What a read has seen, as far as it came. */
interface Told {
  readonly rows: number;
  /** Rows from outside the window were among them: a shorter window may show as many. */
  readonly outside: boolean;
  /** The `Date` of the first answer. */
  readonly serverTimeMs?: number;
}

/** How a read came out. */
export type ReadEnd =
  /** Every row the platform has was seen, unless the pages drifted meanwhile. */
  | (Told & {
      readonly kind: 'whole';
      readonly drifted: boolean;
      /** Some rows may be twins or may have moved: the window has to be read again. */
      readonly unsettled?: true;
    })
  /** There are more rows than can be paged through; `total` is what the platform says there are. */
  | (Told & { readonly kind: 'too-full'; readonly total?: number })
  /** The platform did not answer in time; the failure says what it said. */
  | { readonly kind: 'too-slow'; readonly failure: TransportError };

/** Pages turned out to be cut to so many rows: the read begins anew. */
interface Shorter {
  readonly kind: 'shorter';
  readonly limit: number;
}

/** Takes a page of a read; page 0 comes again where a read has to begin anew. */
export type OnPage = (sightings: readonly Sighting[], page: number) => Promise<void>;

/** Reads windows of the trail to their end, and remembers how this platform pages. */
export interface Reader {
  /**
   * Hands every page to `onPage` as it comes, the next one being asked for meanwhile.
   * @param options.toTheEnd pages on however many there are, for a window that cannot be cut
   * @param options.mostRows gives up at once where the platform says that there are more
   * @param options.fromPage goes on where an earlier read of the same window was cut
   * @throws what `onPage` or the trail throws, after all that was begun has ended
   */
  read(
    window: Window,
    options: {
      readonly deadlineMs: number;
      readonly toTheEnd?: boolean;
      readonly limit?: number;
      readonly fromPage?: number;
      readonly mostRows?: number;
    },
    onPage: OnPage,
  ): Promise<ReadEnd>;
  /** Rows a page can have, as far as is known. */
  readonly limit: number;
  /** Pages that a window may fill. */
  readonly mostPages: number;
}

/** The specification's maximum. */
const MOST_ROWS_A_PAGE = 1000;
/** Longer windows waste fewer half-empty pages: with 20 a backlog costs some 8 % more requests than it fills pages, with 10 some 15 %. */
const MOST_PAGES = 20;
/** Search engines show the first 10,000 rows of a list and no more; nothing after so many pages is taken for such a cap. */
const CAPPED_PAGES = 10;
/** A cap is a round number of rows; so may a `total` be that is capped, too. */
const ROUND_ROWS = 1000;
/** No server is taken to cut pages to less than this. */
const SHORTEST_CUT = 10;
/** A `total` that was wrong three times more than it was right is not looked at. */
const MOST_LIES = 3;
/** Page lengths to try when the platform refuses one. */
const LIMITS = [1000, 500, 200, 100, 50, 20, 10];
/** Bounds are asked a second wider, and some servers cut times to the second. */
const TOLERANCE_MS = 2_000;

/** Makes a reader; the specification's maximum is asked for until the platform shows that it gives less. */
export function createReader({ trail, normaliser }: { trail: Trail; normaliser: Normaliser }): Reader {
  let adoptedLimit = MOST_ROWS_A_PAGE;
  let lastCut: number | undefined;
  let longestPage = SHORTEST_CUT;
  let mostPages = MOST_PAGES;
  let lies = 0;

  const trust = (total: number | undefined): number | undefined => (lies < MOST_LIES ? total : undefined);
  const judge = (total: number | undefined, rows: number): void => {
    if (total !== undefined) lies = total === rows ? Math.max(0, lies - 1) : lies + 1;
  };

  /** One read from page 0 on. */
  async function attempt(
    window: Window,
    options: { deadlineMs: number; toTheEnd: boolean; limit: number; fromPage: number; mostRows: number },
    onPage: OnPage,
  ): Promise<ReadEnd | Shorter> {
    const { deadlineMs, toTheEnd, limit, fromPage, mostRows } = options;
    const ask = (page: number, pageLimit = limit): Promise<TrailPage> =>
      trail.readPage(toQuery(window, pageLimit, page), deadlineMs);
    const seen = createSeen(window, fromPage * limit);
    const whole = (drifted: boolean): ReadEnd => ({ kind: 'whole', ...told(), drifted });
    const tooFull = (): ReadEnd => {
      const total = trust(first?.total);
      return { kind: 'too-full', ...told(), ...(total !== undefined && { total }) };
    };
    function told(): Told {
      const serverTimeMs = first?.serverTimeMs;
      return { rows: seen.rows, outside: seen.outside, ...(serverTimeMs !== undefined && { serverTimeMs }) };
    }

    /** Nothing on a page: the end, or as far as the platform pages. */
    function endAtEmpty(answer: TrailPage, page: number): ReadEnd {
      const total = trust(answer.total);
      judge(answer.total, seen.rows);
      const capped = seen.rows % ROUND_ROWS === 0 && !(toTheEnd && page < CAPPED_PAGES);
      if (page === 0 || seen.rows % limit !== 0 || (total === seen.rows && !capped)) {
        return whole(seen.drifted || (total ?? 0) > seen.rows);
      }
      // Nothing after full pages only. Smaller windows tell.
      if (page >= CAPPED_PAGES || (total ?? 0) > seen.rows) mostPages = Math.min(mostPages, page);
      return tooFull();
    }

    /** A page that is not full: the end, or pages that are cut shorter than asked for; what follows tells. */
    async function endAtShort(answer: TrailPage, page: number): Promise<ReadEnd | Shorter> {
      const count = answer.rows.length;
      const total = trust(answer.total);
      const promised = (total ?? 0) > seen.rows;
      const proven = !promised && (count < SHORTEST_CUT || (total === seen.rows && count < longestPage));
      const longest = count >= longestPage;
      if (longest) longestPage = count;
      async function lookBeyond(pages: number): Promise<{ count: number; repeated: boolean }> {
        const { rows } = await (page === 0 ? ask(pages, count) : ask(page + pages));
        return { count: rows.length, repeated: seen.repeats(rows.map(normaliser.identify)) };
      }
      if (!proven) {
        const beyond = await lookBeyond(1);
        if (!beyond.repeated) return { kind: 'shorter', limit: count };
        // As many rows once more, and yet again: `page` is ignored. Else rows that arrived meanwhile moved them there.
        if (beyond.count >= count && (mostPages === 1 || (await lookBeyond(2)).count >= count)) {
          mostPages = 1;
          if (promised || longest) return tooFull();
        }
      }
      judge(answer.total, seen.rows);
      const { total: firstTotal } = first ?? answer;
      return whole(
        page > 0 && (seen.drifted || (total !== undefined && (total !== seen.rows || total !== firstTotal))),
      );
    }

    let first: TrailPage | undefined;
    let asked = ask(fromPage);
    for (let page = fromPage; ; page++) {
      const answer = await (page === 0 ? asked : asked.catch(unlessRefused));
      if (answer === undefined) {
        mostPages = Math.min(mostPages, page);
        return tooFull();
      }
      first ??= answer;
      const count = answer.rows.length;
      normaliser.inferTime(answer.rows, limitsOf(window));
      const sightings = answer.rows.map(normaliser.identify);
      if (page > fromPage && count >= limit && seen.isFirstPage(sightings)) {
        // The same page again: a server that ignores `page`. One that ignores `limit` too has shown all it has.
        if (count > limit) return whole(false);
        mostPages = 1;
        return tooFull();
      }
      seen.add(sightings, page);
      if (count === 0) return endAtEmpty(answer, page);
      if (page === 0 && !toTheEnd && count >= limit) {
        if ((trust(answer.total) ?? 0) > Math.min(mostRows, mostPages * limit)) return tooFull();
      }
      if (count < limit) {
        await onPage(sightings, page);
        return endAtShort(answer, page);
      }
      longestPage = Math.max(longestPage, count);
      const full = !toTheEnd && page + 1 >= mostPages;
      if (!full) asked = ask(page + 1);
      const [handed] = await Promise.allSettled([onPage(sightings, page), full ? undefined : asked]);
      if (handed.status === 'rejected') throw handed.reason;
      if (full) return tooFull();
    }
  }

  return {
    get limit() {
      return adoptedLimit;
    },
    get mostPages() {
      return mostPages;
    },

    async read(window, options, onPage) {
      const { deadlineMs, toTheEnd = false, fromPage = 0, mostRows = Number.POSITIVE_INFINITY } = options;
      for (let limit = Math.min(adoptedLimit, options.limit ?? MOST_ROWS_A_PAGE); ; ) {
        try {
          const end = await attempt(window, { deadlineMs, toTheEnd, limit, fromPage, mostRows }, onPage);
          if (end.kind !== 'shorter') return end;
          // Rows that arrived meanwhile look the same, but not twice at the same length.
          if (end.limit === lastCut) adoptedLimit = end.limit;
          lastCut = end.limit;
          limit = end.limit;
        } catch (error) {
          if (!(error instanceof TransportError)) throw error;
          if (error.timedOut) return { kind: 'too-slow', failure: error };
          if (error.status !== 400) throw error;
          const smaller = LIMITS.find((candidate) => candidate < limit);
          // Not the limit's fault, then; it is asked for anew next time.
          adoptedLimit = smaller ?? MOST_ROWS_A_PAGE;
          if (smaller === undefined) throw error;
          limit = smaller;
        }
      }
    },
  };
}

/** A further page that is refused lies deeper than the server pages. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof TransportError) || error.status !== 400) throw error;
}

/** Keeps what one read has seen, to notice rows that come twice or from elsewhere. */
function createSeen(window: Window, rowsBefore: number) {
  /** Id to the page it was first seen on. */
  const pages = new Map<string, number>();
  let firstPage: readonly Sighting[] | undefined;
  let rows = rowsBefore;
  let drifted = false;
  let outside = false;
  const { fromMs, toMs } = limitsOf(window);

  return {
    get rows() {
      return rows;
    },
    /** True where rows came twice; twins on one page do not show that anything moved. */
    get drifted() {
      return drifted;
    },
    get outside() {
      return outside;
    },
    add(sightings: readonly Sighting[], page: number): void {
      firstPage ??= sightings;
      rows += sightings.length;
      for (const { id, hashed, timeMs = fromMs } of sightings) {
        outside ||= timeMs < fromMs || timeMs > toMs;
        const before = pages.get(id);
        if (before === undefined) pages.set(id, page);
        else drifted ||= !hashed || before !== page;
      }
    },
    /** True where every row was seen before; twins may fill a page, so these must stand where they stood on the first. */
    repeats(sightings: readonly Sighting[]): boolean {
      return sightings.every(({ id, hashed }, at) => (hashed ? firstPage?.[at]?.id === id : pages.has(id)));
    },
    /** True for the first page once more, in any order; rows of other pages may come again because they moved. */
    isFirstPage(sightings: readonly Sighting[]): boolean {
      const first = pages.get(firstPage?.[0]?.id ?? '');
      return sightings.every(({ id, hashed }, at) => (hashed ? firstPage?.[at]?.id === id : pages.get(id) === first));
    },
  };
}

/** The moments that a window should show, with some tolerance. */
const limitsOf = ({ fromSeconds, toSeconds = Number.POSITIVE_INFINITY }: Window) => ({
  fromMs: fromSeconds * 1000 - TOLERANCE_MS,
  toMs: toSeconds * 1000 + 999 + TOLERANCE_MS,
});

/** Bounds may be inclusive or exclusive: a second is added at both ends. */
const toQuery = ({ fromSeconds, toSeconds, eventType }: Window, limit: number, page: number): PageQuery => ({
  afterSeconds: fromSeconds - 1,
  ...(toSeconds !== undefined && { beforeSeconds: toSeconds + 1 }),
  ...(eventType !== undefined && { eventType }),
  limit,
  page,
});
