import type { Faults } from './faults.ts';
import type { WholeList } from './list.ts';
import { refuse } from './problem.ts';
import type { Random } from './random.ts';
import { shapeRecord } from './record-shape.ts';
import type { EventsQuery } from './schemas.ts';
import type { Trail, TrailRow } from './trail.ts';

/** What events are looked up with. */
export interface EventsSource {
  trail: Trail;
  faults: Faults;
  random: Random;
  clock: () => number;
}

/** Finds the events that a query asks for, in order. @throws HTTPException where a bound is refused */
export function findEvents(query: EventsQuery, source: EventsSource): WholeList<TrailRow> {
  const { faults, trail } = source;
  const asks = <Name extends keyof EventsQuery & Faults['ignoredFilters'][number]>(name: Name) =>
    faults.ignoredFilters.includes(name) ? undefined : query[name];

  const { fromMs, toMs } = readWindow({ after: asks('after'), before: asks('before') }, faults);
  let rows = trail.between(fromMs, toMs);
  const eventType = asks('eventType');
  if (eventType !== undefined) rows = rows.filter(({ record }) => readType(record) === eventType);
  const userId = asks('forUserId');
  if (userId !== undefined) rows = rows.filter(({ record }) => involves(record, userId));

  const settledMs = source.clock() - faults.totalLagSeconds * 1000;
  const total = faults.totalLagSeconds ? rows.filter((row) => row.visibleAt <= settledMs).length : rows.length;
  return { rows: arrange(rows, source), total, shape: (row) => shapeRecord(row, faults) };
}

/** Turns bounds into times from `fromMs` up to, but not including, `toMs`. */
function readWindow(bounds: { after: string | undefined; before: string | undefined }, faults: Faults) {
  const written = [bounds.after, bounds.before].filter((bound) => bound !== undefined);
  if (faults.refuseMilliseconds && written.some((bound) => bound.includes('.'))) {
    throw refuse(400, 'after and before must not have fractions of a second.');
  }
  const cut = (bound: string) => {
    const timeMs = Date.parse(bound);
    return faults.cutToSecond === 'none' ? timeMs : Math.floor(timeMs / 1000) * 1000;
  };
  // Where the times of events are cut too, the whole second of a bound lies on its exclusive or inclusive side.
  const grain = faults.cutToSecond === 'times' ? 1000 : 1;
  return {
    fromMs: bounds.after ? cut(bounds.after) + (faults.after === 'exclusive' ? grain : 0) : Number.NEGATIVE_INFINITY,
    toMs: bounds.before ? cut(bounds.before) + (faults.before === 'inclusive' ? grain : 0) : Number.POSITIVE_INFINITY,
  };
}

function readType(record: unknown): unknown {
  if (!isObject(record)) return undefined;
  const type = record.eventType ?? record.type ?? record.event;
  return isObject(type) ? type.name : type;
}

function involves(record: unknown, userId: string): boolean {
  if (!isObject(record)) return false;
  return [record.user, record.actor, record.createdBy, record.targetUser].some(
    (person) => person === userId || (isObject(person) && (person._id === userId || person.id === userId)),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function arrange(rows: TrailRow[], { faults, random }: EventsSource): TrailRow[] {
  switch (faults.order) {
    case 'ascending':
      return rows;
    case 'descending':
      return rows.reverse();
    case 'shuffled':
      return shuffle(rows, random);
    case 'shuffled-ties':
      return shuffle(rows, random).sort((left, right) => right.time - left.time);
  }
}

/** Shuffles in place, after Fisher and Yates. */
function shuffle(rows: TrailRow[], random: Random): TrailRow[] {
  for (let last = rows.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [rows[last], rows[other]] = [rows[other]!, rows[last]!];
  }
  return rows;
}
