import type { Activity, AuditRecord } from './activity.ts';
import type { Faults } from './faults.ts';
import type { TrailRow } from './trail.ts';

/** When added events happened, and when they are shown. */
export interface AddOptions {
  /** Event time in epoch ms, one for all or by index. @default a given record's `createdAt`, else now */
  time?: number | ((index: number) => number);
  /** How long after their time they are first shown, in ms. @default what `faults.lateMs` says, else shown at once */
  lateMs?: number;
}

/** Turns records into rows of the trail. */
export interface Rows {
  /** Gives the row of something that went on by itself: shown at its own time, unless `faults.lateMs` delays it. */
  happened(record: AuditRecord): TrailRow;
  /** Gives the rows of so many made-up events, or of these records, which stay untouched. */
  added(what: number | readonly unknown[], options: AddOptions): TrailRow[];
}

/** Creates the maker of rows. */
export function createRows(from: { activity: Activity; faults: Faults; clock: () => number }): Rows {
  const { activity, faults, clock } = from;
  let unnamed = 0;

  const toRow = (row: Omit<TrailRow, 'id'>, lateMs = faults.lateMs?.(row)): TrailRow => ({
    ...row,
    id: readId(row.record) ?? `unnamed-${++unnamed}`,
    visibleAt: lateMs === undefined ? row.visibleAt : row.time + lateMs,
  });

  return {
    happened(record) {
      const time = Date.parse(record.createdAt);
      return toRow({ time, visibleAt: time, record, verbatim: false });
    },
    added(what, { time, lateMs }) {
      const nowMs = clock();
      const given = typeof what === 'number' ? undefined : what;
      return Array.from(given ?? { length: Number(what) }, (record: unknown, index) => {
        const timed = typeof time === 'function' ? time(index) : time;
        const at = Math.floor(timed ?? (given && readTime(record)) ?? nowMs);
        const row = {
          time: at,
          visibleAt: nowMs,
          record: given ? record : activity.happen(at),
          verbatim: Boolean(given),
        };
        return toRow(row, lateMs);
      });
    },
  };
}

function readId(record: unknown): string | undefined {
  const { _id, id, eventId } = Object(record) as Record<string, unknown>;
  const found = _id ?? id ?? eventId;
  return found === undefined ? undefined : String(found);
}

function readTime(record: unknown): number | undefined {
  const timeMs = Date.parse(String((Object(record) as Record<string, unknown>).createdAt));
  return Number.isNaN(timeMs) ? undefined : timeMs;
}
