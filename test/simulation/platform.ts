import { AuthenticationError, DeadlineError, ProtocolError, TransportError } from '../../shared/errors.ts';
import type { PageQuery, Trail, TrailPage } from '../../shared/relay/ports.ts';
import type { Clockwork } from './clockwork.ts';
import type { Dice } from './dice.ts';
import type { Faults } from './faults.ts';
import type { Process } from './process.ts';
import type { Row } from './rows.ts';
import { EVENT_TYPES, type PlatformManners } from './scenario.ts';
import type { Watch } from './watch.ts';

/** A platform whose trail any process can read. */
export interface Platform {
  trailFor(process: Process): Trail;
}

const REQUEST_TIMEOUT_MS = 20_000;
const YEAR_MS = 365 * 86_400_000;

/** Makes a platform; `rows` in the order of their times. */
export function createPlatform(parts: {
  rows: readonly Row[];
  scenario: { readonly platform: PlatformManners };
  dice: Dice;
  faults: Faults;
  clockwork: Clockwork;
  watch: Watch;
}): Platform {
  const { rows, dice, faults, clockwork, watch } = parts;
  const manners = parts.scenario.platform;
  /** Decides the order of ties; changes now and then. */
  let salt = 0;

  function select({ afterSeconds, beforeSeconds, eventType }: PageQuery, atMs: number): Row[] {
    if (manners.ignoresFilters) return rows.filter((row) => isShown(row, atMs));
    const found: Row[] = [];
    const timeOf = ({ timeMs }: Row): number => (manners.truncated ? Math.floor(timeMs / 1000) * 1000 : timeMs);
    const afterMs = afterSeconds * 1000;
    const beforeMs = beforeSeconds === undefined ? Number.POSITIVE_INFINITY : beforeSeconds * 1000;
    for (let at = firstFrom(rows, afterMs); at < rows.length; at++) {
      const row = rows[at] as Row;
      const timeMs = timeOf(row);
      if (timeMs > beforeMs) break;
      if (timeMs < afterMs || (timeMs === afterMs && !manners.afterIncluded)) continue;
      if (timeMs === beforeMs && !manners.beforeIncluded) continue;
      if (isShown(row, atMs) && (eventType === undefined || row.type === eventType)) found.push(row);
    }
    return found;
  }

  function arrange(found: Row[]): Row[] {
    if (salt !== 0) {
      const place = ({ serial }: Row): number => Math.imul(serial ^ salt, 0x9e3779b1) >>> 0;
      const second = ({ timeMs }: Row): number => Math.floor(timeMs / 1000);
      found.sort((one, other) => second(one) - second(other) || place(one) - place(other));
    }
    return manners.order === 'descending' ? found.reverse() : found;
  }

  function countTotal(query: PageQuery, matching: number, onPage: number): number | undefined {
    switch (manners.total) {
      case 'exact':
        return matching;
      case 'stale':
        return select(query, clockwork.nowMs - manners.staleSeconds * 1000).length;
      case 'capped':
        return Math.min(matching, manners.capTotal);
      case 'page':
        return onPage;
      case 'unfiltered':
        return rows.filter((row) => isShown(row, clockwork.nowMs)).length;
      case 'missing':
        return undefined;
    }
  }

  function show(process: Process, query: PageQuery): TrailPage {
    if (faults.happens('platform 503')) throw failure({ status: 503 });
    if (faults.happens('platform protocol error')) throw new ProtocolError('An envelope of another shape');
    if (faults.happens('platform refuses key')) throw new AuthenticationError('The key is refused');
    if (manners.limit === 'refused' && query.limit > manners.pageRows) {
      faults.count('limit refused');
      throw failure({ status: 400 });
    }
    if (dice.chance(manners.shuffle)) salt = dice.int(1, 1e9);
    const matching = arrange(select(query, clockwork.nowMs));
    const read = watch.pageAsked(process, query, salt);
    const limit =
      manners.limit === 'ignored'
        ? Math.max(1, matching.length)
        : Math.min(query.limit, manners.limit === 'honoured' ? 1_000 : manners.pageRows);
    if (limit < query.limit && matching.length > limit) faults.count('limit clamped');
    const page = manners.ignoresPage ? 0 : query.page;
    if (page < query.page && matching.length >= limit) {
      faults.count('page ignored');
      read.cut = true;
    }
    if (page > 0 && (page + 1) * limit > manners.deepestRow && matching.length > page * limit) {
      faults.count('paged too deep');
      read.cut = true;
      if (manners.tooDeep === 'refused') throw failure({ status: 400 });
      return { rows: [], ...withTotal(countTotal(query, matching.length, 0)), ...dated() };
    }
    const shown = matching.slice(page * limit, (page + 1) * limit);
    const total = countTotal(query, matching.length, shown.length);
    // Full pages and then none: without a true total that looks like the end of what can be paged to.
    if (page > 0 && shown.length === 0 && manners.total !== 'exact') read.cut = true;
    if (total !== undefined && total !== matching.length) faults.count('total wrong');
    return { rows: shown.map(({ record }) => record), ...withTotal(total), ...dated() };
  }

  function dated(): { serverTimeMs?: number } {
    let offMs = manners.dateOffMs;
    if (faults.happens('platform Date wrong')) {
      offMs = dice.pick([undefined, -3 * YEAR_MS, -7_200_000, 3_600_000, 3 * YEAR_MS]);
    }
    // Like the header, without milliseconds.
    return offMs === undefined ? {} : { serverTimeMs: Math.floor((clockwork.nowMs + offMs) / 1000) * 1000 };
  }

  function drawTookMs(query: PageQuery): number {
    const endSeconds = query.beforeSeconds ?? clockwork.nowMs / 1000;
    if (endSeconds - query.afterSeconds > manners.longestWindowSeconds) {
      faults.count('window too long');
      return REQUEST_TIMEOUT_MS + 1;
    }
    if (faults.happens('platform time-out')) return REQUEST_TIMEOUT_MS + 1;
    return faults.happens('platform slow') ? dice.spread(1_000, 25_000) : dice.spread(10, 300);
  }

  return {
    trailFor: (process) => ({
      async readPage(query, deadlineMs) {
        const tookMs = drawTookMs(query);
        const leftMs = deadlineMs - process.clock();
        const allowedMs = Math.max(0, Math.min(leftMs, REQUEST_TIMEOUT_MS));
        if (tookMs <= allowedMs) {
          const page = await process.send({ tookMs, effect: () => show(process, query) });
          watch.pageHeard(process, page);
          return page;
        }
        watch.pageGivenUp(process, query);
        const error =
          leftMs <= REQUEST_TIMEOUT_MS ? new DeadlineError('waiting for a page') : failure({ timedOut: true });
        faults.count(leftMs <= REQUEST_TIMEOUT_MS ? 'deadline cuts a page' : 'page timed out');
        return process.send({ tookMs: allowedMs, effect: () => raise(error) });
      },

      async listTypes() {
        const known =
          manners.types === 'absent' ? [] : manners.types === 'listed' ? EVENT_TYPES : EVENT_TYPES.slice(0, 2);
        faults.count('types asked for');
        return process.send({ tookMs: dice.spread(10, 300), effect: () => known });
      },
    }),
  };
}

const isShown = ({ shownAtMs, deletedAtMs }: Row, atMs: number): boolean => shownAtMs <= atMs && atMs < deletedAtMs;

const withTotal = (total: number | undefined): { total?: number } => (total === undefined ? {} : { total });

const failure = (how: { status?: number; timedOut?: boolean }): TransportError =>
  new TransportError({ request: 'GET /users/events', reason: 'as it goes', ...how });

/** The first row whose second is not before; rows are in the order of their times. */
function firstFrom(rows: readonly Row[], timeMs: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as Row).timeMs < timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

function raise(error: Error): never {
  throw error;
}
