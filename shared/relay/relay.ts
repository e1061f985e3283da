import type { Guard } from './guard.ts';
import { addLateness, type Lateness } from './lateness.ts';
import type { Ledger } from './ledger.ts';
import type { Normaliser, Sighting } from './normalise.ts';
import type { Notice } from './notice.ts';
import type { Clock, GapStore, Resume, Trail } from './ports.ts';
import type { Publisher } from './publish.ts';
import type { ReadEnd, Reader, Window } from './read.ts';
import { isoSeconds, toSeconds } from './time.ts';

/** What a run allows. */
export interface Run {
  /** Nothing new begins after this. */
  readonly deadlineMs: number;
  /** @throws {DeadlineError | LostLeaseError} where no further batch may begin */
  readonly mayStart: () => void;
}

/** What was relayed, counted in events. */
export interface Counts {
  published: number;
  /** Seen again though published before. */
  known: number;
  parked: number;
  /** Left out by the filter of event types. */
  filtered: number;
  /** Stretches of the trail that could not be read whole. */
  gaps: number;
  readonly lateness: Lateness;
}

/** Says something of the relay itself on the bus. */
export type Say = (notice: Pick<Notice, 'type' | 'id' | 'summary' | 'facts'>, run: Run) => Promise<void>;

/** The primitive: reads a window to its end and publishes what the ledger does not know. */
export interface Relay {
  /**
   * Relays a window; what it published before it failed is in the ledger and is not published again.
   * @param mostRows gives the window up where the platform says that it holds more
   * @param counts is added to as events settle, so that a run that is cut still knows
   * @throws what the trail, the bus or a store throws, after all that was begun has ended
   */
  relay(window: Window, run: Run, counts: Counts, mostRows?: number): Promise<ReadEnd>;
  /** The same for a window that cannot be cut, e.g. one second: pages on, splits by type, and notes a gap where that fails. */
  relayToTheEnd(window: Window, run: Run, counts: Counts, options?: ToTheEnd): Promise<ReadEnd>;
}

/** How a window is read to its end over several runs. */
export interface ToTheEnd {
  readonly from?: Resume | undefined;
  /** Is told how far it has come. */
  readonly onProgress?: (progress: Omit<Resume, 'fromSeconds'>) => void;
}

/** Reads of a window whose pages drifted; what still drifts then is left to the later re-checks. */
const MOST_READS = 3;
const SMALLEST_LIMIT = 10;
/** A re-read is compared with the ledger where the window is no longer than this, and the ledger knows so many ids. */
const COMPARED_SECONDS = 86_400;
const COMPARED_IDS = 20;

/** Makes the primitive of a stream. */
export function createRelay(parts: {
  trail: Trail;
  reader: Reader;
  normaliser: Normaliser;
  ledger: Ledger;
  publisher: Publisher;
  gaps: GapStore;
  guard: Guard;
  say: Say;
  clock: Clock;
  /** Records whose time lies before are not relayed. */
  startSeconds: number;
  /** Relays only these event types; what has none always passes. */
  eventTypes?: ReadonlySet<string> | undefined;
  /** Publishes what the ledger knows, too, and says so. */
  replay?: boolean;
}): Relay {
  const { trail, reader, normaliser, ledger, publisher, gaps, guard, say, clock } = parts;
  const { startSeconds, eventTypes, replay = false } = parts;

  async function publishFresh(sightings: readonly Sighting[], run: Run, counts: Counts): Promise<void> {
    const startMs = startSeconds * 1000;
    const wanted = sightings.filter(({ timeMs }) => timeMs === undefined || timeMs >= startMs);
    const known: ReadonlySet<string> = replay ? new Set() : await ledger.known(wanted);
    const ids = new Set<string>();
    const fresh: Sighting[] = [];
    const filtered: Sighting[] = [];
    for (const sighting of wanted) {
      if (ids.has(sighting.id)) continue;
      ids.add(sighting.id);
      if (known.has(sighting.id)) counts.known += 1;
      else if (passes(sighting)) fresh.push(sighting);
      // Noted as if published, so that a filter that changes works from then on; a replay's filter is for once only.
      else if (!replay) filtered.push(sighting);
    }
    fresh.sort((one, other) => (one.timeMs ?? Number.POSITIVE_INFINITY) - (other.timeMs ?? Number.POSITIVE_INFINITY));
    const observedAtMs = clock();
    const events = fresh.map((sighting) => normaliser.toEvent(sighting, observedAtMs, replay));
    const settlement = await publisher.publish(events, run.mayStart);
    counts.published += settlement.published;
    counts.parked += settlement.parked;
    counts.filtered += filtered.length;
    const settled = new Set(settlement.settledIds);
    for (const { id, type, lateby } of replay ? [] : events) {
      if (lateby !== undefined && settled.has(id)) addLateness(counts.lateness, type, lateby);
    }
    if (!replay) guard.look(fresh);
    await ledger.record([...fresh.filter(({ id }) => settled.has(id)), ...filtered]);
    if (settlement.failure !== undefined) throw settlement.failure;
  }

  const passes = ({ record }: Sighting): boolean => {
    if (eventTypes === undefined) return true;
    const type = normaliser.typeOf(record);
    return type === 'unknown' || eventTypes.has(type);
  };

  async function readUntilCalm(
    window: Window,
    options: {
      toTheEnd?: boolean;
      limit?: number;
      fromPage?: number;
      mostRows?: number;
      types?: Set<string>;
      onPage?: (page: number) => void;
    },
    run: Run,
    counts: Counts,
  ): Promise<ReadEnd> {
    let leastTwins: Map<string, Twins> | undefined;
    for (let reads = 1; ; reads++) {
      const seen = new Map<string, Twins>();
      const end = await reader.read(window, { ...options, deadlineMs: run.deadlineMs }, async (sightings, page) => {
        if (page === 0) seen.clear();
        countTwins(seen, sightings);
        for (const { record } of options.types ? sightings : []) options.types?.add(normaliser.typeOf(record));
        await publishFresh(sightings, run, counts);
        // A page that was cut short does not stand where its number says; twins must be counted in one go.
        const resumable = sightings.length === options.limit && sightings.every(({ hashed }) => !hashed);
        if (resumable) options.onPage?.(page);
      });
      if (end.kind !== 'whole') return end;
      leastTwins = fewest(leastTwins, seen);
      if (end.drifted && reads < MOST_READS) continue;
      const twins = twinsOf(leastTwins);
      // What arrives at an open end may move rows from page to page in every read: which are twins, a closed window
      // tells, unless the platform takes no notice of windows.
      const open = window.toSeconds === undefined && !end.outside;
      if (twins.length > 0 && end.drifted && open) return { ...end, unsettled: true };
      await publishFresh(twins, run, counts);
      return end;
    }
  }

  async function relayToTheEnd(window: Window, run: Run, counts: Counts, options: ToTheEnd = {}): Promise<ReadEnd> {
    const { from, onProgress = () => undefined } = options;
    const types = new Set<string>();
    for (let limit = reader.limit; ; limit = Math.floor(limit / 2)) {
      // Pages are counted in their own length: with another one the read begins anew.
      const fromPage = from?.limit === limit ? from.page : 0;
      let progress = { page: fromPage, limit };
      const onPage = (page: number): void => {
        progress = { page: page + 1, limit };
        onProgress(progress);
      };
      const end = await readUntilCalm(window, { toTheEnd: true, limit, fromPage, types, onPage }, run, counts);
      if (end.kind === 'whole') return end;
      if (end.kind === 'too-full') {
        const onTypes = (done: NonNullable<Resume['types']>) => onProgress({ ...progress, types: done });
        return relayByType(window, { end, seen: types, from: from?.types, onTypes }, run, counts);
      }
      if (limit / 2 < SMALLEST_LIMIT) throw end.failure;
    }
  }

  /** The last resort: one second holds more than the platform pages through. */
  async function relayByType(
    window: Window,
    known: {
      end: Extract<ReadEnd, { kind: 'too-full' }>;
      /** Types of the rows that were seen. */
      seen: ReadonlySet<string>;
      from: Resume['types'];
      onTypes: (done: NonNullable<Resume['types']>) => void;
    },
    run: Run,
    counts: Counts,
  ): Promise<ReadEnd> {
    const { end, seen, from = { last: '', rows: 0 }, onTypes } = known;
    const listed = await trail.listTypes(run.deadlineMs);
    const unread: string[] = [];
    let { rows } = from;
    let { serverTimeMs } = end;
    let unsettled = false;
    for (const eventType of [...new Set(listed).union(seen)].sort()) {
      if (eventType <= from.last) continue;
      const part = await readUntilCalm({ ...window, eventType }, { toTheEnd: true }, run, counts);
      // A later run may be luckier; only what the platform does not show is a gap.
      if (part.kind === 'too-slow') throw part.failure;
      serverTimeMs ??= part.serverTimeMs;
      if (part.kind === 'whole') {
        rows += part.rows;
        unsettled ||= part.unsettled ?? false;
      } else unread.push(eventType);
      // What a type hides is to be noted as a gap: only whole ones may be passed over by the next run.
      if (unread.length === 0) onTypes({ last: eventType, rows });
    }
    const most = Math.max(rows, end.rows);
    const said = end.total ?? end.rows;
    if (listed.length === 0 || unread.length > 0 || rows < said) {
      const why =
        listed.length === 0
          ? 'the platform pages no further and lists no event types'
          : unread.length > 0
            ? `the platform pages no further for ${unread.join(', ')}`
            : `the platform says ${said} rows, its event types together show ${rows}`;
      const { fromSeconds, toSeconds: until = toSeconds(clock()) } = window;
      const gap = { fromSeconds, toSeconds: until, rows: most, why };
      await gaps.note(gap);
      counts.gaps += 1;
      const summary = `The trail from ${isoSeconds(fromSeconds)} to ${isoSeconds(until)} could not be read whole: ${why}`;
      await say({ type: 'gap.found', id: `gap/${fromSeconds}`, summary, facts: { ...gap } }, run);
    }
    return {
      kind: 'whole',
      rows: most,
      outside: end.outside,
      drifted: false,
      ...(unsettled && { unsettled }),
      ...(serverTimeMs !== undefined && { serverTimeMs }),
    };
  }

  /** A key that lost its rights looks like a quiet trail: what the ledger knows must be there still. */
  async function compare(window: Window, rows: number, run: Run): Promise<void> {
    const { fromSeconds, toSeconds: until = Number.POSITIVE_INFINITY } = window;
    if (replay || until - fromSeconds > COMPARED_SECONDS) return;
    const known = await ledger.countWithin(fromSeconds, until);
    if (known < COMPARED_IDS || rows * 2 >= known) return;
    const summary = `The platform shows ${rows} of ${known} events that it showed before: did the API key lose rights?`;
    const facts = { fromSeconds, toSeconds: until, rows, known };
    await say({ type: 'rows.missing', id: `rows-missing/${fromSeconds}`, summary, facts }, run);
  }

  return {
    async relay(window, run, counts, mostRows = Number.POSITIVE_INFINITY) {
      const relayed = await readUntilCalm(window, { mostRows }, run, counts);
      if (relayed.kind === 'whole') await compare(window, relayed.rows, run);
      return relayed;
    },
    relayToTheEnd,
  };
}

/** Records without an id that are the same to the letter. */
interface Twins {
  readonly sighting: Sighting;
  count: number;
}

function countTwins(seen: Map<string, Twins>, sightings: readonly Sighting[]): void {
  for (const sighting of sightings) {
    if (!sighting.hashed) continue;
    const twins = seen.get(sighting.id);
    if (twins) twins.count += 1;
    else seen.set(sighting.id, { sighting, count: 1 });
  }
}

/** A row that drifted into a second page shows up twice in one read, true twins in every read. */
function fewest(least: Map<string, Twins> | undefined, seen: Map<string, Twins>): Map<string, Twins> {
  if (least === undefined) return seen;
  for (const [id, twins] of least) twins.count = Math.min(twins.count, seen.get(id)?.count ?? 0);
  return least;
}

function twinsOf(least: ReadonlyMap<string, Twins>): Sighting[] {
  const numbered: Sighting[] = [];
  for (const { sighting, count } of least.values()) {
    for (let number = 2; number <= count; number++) numbered.push({ ...sighting, id: `${sighting.id}-${number}` });
  }
  return numbered;
}
