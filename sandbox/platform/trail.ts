/** One event of the trail: the truth, whatever the faults make of it on the way out. */
export interface TrailRow {
  readonly id: string;
  /** Event time in epoch ms. */
  readonly time: number;
  /** From when on clients are shown it, in epoch ms. */
  readonly visibleAt: number;
  readonly record: unknown;
  /** True where the record was handed in ready-made; then it is served untouched. */
  readonly verbatim: boolean;
}

/** The events of an organisation by time, those not yet shown among them; iterating gives them all. */
export interface Trail extends Iterable<TrailRow> {
  readonly size: number;
  /** Takes rows in any order; their cost is that of what lies after the earliest of them. */
  add(rows: readonly TrailRow[]): void;
  /** Deletes the rows with these ids, shown or not, as if they had never been. */
  remove(ids: readonly string[]): void;
  /** Gives what is visible now with a time from `fromMs` up to, but not including, `toMs`, oldest first. */
  between(fromMs: number, toMs: number): TrailRow[];
}

type Key = 'time' | 'visibleAt';

/** Creates an empty trail. */
export function createTrail({ clock }: { clock: () => number }): Trail {
  let shown: TrailRow[] = [];
  let pending: TrailRow[] = [];

  const promote = () => {
    const due = firstIndex(pending, { key: 'visibleAt', from: clock() + 1 });
    if (due > 0) merge(shown, { key: 'time', added: pending.splice(0, due) });
  };

  return {
    get size() {
      return shown.length + pending.length;
    },
    *[Symbol.iterator]() {
      yield* shown;
      yield* pending;
    },
    add(rows) {
      merge(pending, { key: 'visibleAt', added: rows });
      promote();
    },
    remove(ids) {
      const gone = new Set(ids);
      shown = shown.filter(({ id }) => !gone.has(id));
      pending = pending.filter(({ id }) => !gone.has(id));
    },
    between(fromMs, toMs) {
      promote();
      const low = firstIndex(shown, { key: 'time', from: fromMs });
      const high = firstIndex(shown, { key: 'time', from: toMs });
      return shown.slice(low, high);
    },
  };
}

/** Gives the index of the first row whose key is not below `from`. */
function firstIndex(rows: readonly TrailRow[], { key, from }: { key: Key; from: number }): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]![key] < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Only the tail from the earliest added row on is sorted again; live events are simply appended. */
function merge(rows: TrailRow[], { key, added }: { key: Key; added: readonly TrailRow[] }): void {
  const earliest = added.reduce((least, row) => Math.min(least, row[key]), Number.POSITIVE_INFINITY);
  const tail = rows.splice(firstIndex(rows, { key, from: earliest }));
  for (const row of tail.concat(added).sort((left, right) => left[key] - right[key])) rows.push(row);
}
