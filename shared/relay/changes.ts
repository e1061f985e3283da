import { DeadlineError, TransportError } from '../errors.ts';
import type { ChangeList, Last, LastStore, Pause, Tell } from './adapter-ports.ts';
import type { RelayEvent } from './event.ts';
import { isObject } from './json.ts';
import { createNormaliser, hashRecord } from './normalise.ts';
import type { Clock } from './ports.ts';
import type { Publisher } from './publish.ts';
import type { Pulse } from './pulse.ts';
import type { Lease, Source } from './source.ts';
import { oneLine } from './text.ts';
import { parseTimeMs } from './time.ts';

/** The source of an interface's changed connections. */
export interface Changes extends Source {
  /** Lets the list be read soon. */
  wake(): void;
}

/** A connection on the list. */
interface Listed {
  /** Left out where the record has none; then it cannot be acknowledged. */
  readonly publicId?: string;
  readonly role: string | undefined;
  /** What its last state is kept under. */
  readonly key: string;
  readonly hash: string;
}

interface Connection extends Listed {
  readonly record: unknown;
}

/** The event type identifier of every changed connection. */
const CONNECTION_CHANGED = 'connection_changed';
/** Wake-ups may come with every message; the list is read no sooner than this after the last time. */
const LEAST_PAUSE_MS = 5_000;
/** A list is given up where its pages do not end. */
const MOST_PAGES = 1_000;
/** Longer names are kept by the hash of the record: a key of the table may have 1,024 bytes. */
const LONGEST_KEY = 200;
/** No longer than this passes between two signs of life, and the bus has no longer to take a page. */
const STEP_MS = 60_000;
/** When a connection changed: its other times, and that in its id, are those of the connection itself. */
const TIME_NAMES = ['changedOn', 'changedAt', 'updatedAt', 'updatedOn', 'lastUpdateOn', 'modifiedAt', 'modifiedOn'];
const PARKED = 'The event bus cannot carry this connection; its record is kept by the relay';

/** Makes the source: reads the list after every wake-up and every `everyMs`, and publishes each state once. */
export function createChanges(parts: {
  tenant: string;
  list: ChangeList;
  publisher: Publisher;
  lasts: LastStore;
  pulse: Pulse;
  everyMs: number;
  /** Takes connections off the list. */
  acknowledge: boolean;
  tell: Tell;
  pause: Pause;
  clock: Clock;
}): Changes {
  const { tenant, list, publisher, lasts, pulse, everyMs, acknowledge, tell, pause, clock } = parts;
  const { stream } = pulse;
  const normaliser = createNormaliser({ tenant, stream });
  let known = new Map<string, Last>();
  /** States that the platform was told could not be taken. */
  const reported = new Set<string>();
  let woken = new AbortController();

  async function run({ signal }: Lease): Promise<void> {
    // Another process may have written since.
    known = new Map();
    while (!signal.aborted) {
      woken = new AbortController();
      await scan(signal);
      await rest(LEAST_PAUSE_MS, signal);
      await rest(everyMs - LEAST_PAUSE_MS, AbortSignal.any([signal, woken.signal]));
    }
  }

  async function rest(waitMs: number, signal: AbortSignal): Promise<void> {
    pulse.expectWithin(waitMs);
    await pause(waitMs, signal);
  }

  async function scan(signal: AbortSignal): Promise<void> {
    pulse.counts.polls += 1;
    const listed: Listed[] = [];
    for await (const page of pages()) {
      await publishPage(page, signal);
      if (signal.aborted) return;
      // Without the records: a list may be long.
      listed.push(...page.map(({ record: _, ...rest }) => rest));
    }
    pulse.worked();
    if (!acknowledge) return;
    // Only now: what leaves the list would move the rest of it from page to page.
    for (const connection of listed) {
      if (signal.aborted) return;
      pulse.expectWithin(STEP_MS);
      await settle(connection);
    }
  }

  /** Reads pages until one shows nothing new: a platform may ignore the number, and a total may be anything. */
  async function* pages(publicId?: string): AsyncGenerator<readonly Connection[]> {
    const shown = new Set<string>();
    for (let page = 0; page < MOST_PAGES; page++) {
      pulse.expectWithin(STEP_MS);
      const all = (await list.readPage(page, publicId)).map(identify);
      const fresh = [...new Map(all.map((connection) => [connection.key, connection])).values()].filter(
        ({ key }) => !shown.has(key),
      );
      if (fresh.length === 0) return;
      for (const { key } of fresh) shown.add(key);
      yield fresh;
    }
  }

  async function publishPage(page: readonly Connection[], signal: AbortSignal): Promise<void> {
    const unread = page.filter(({ key }) => !known.has(key)).map(({ key }) => key);
    if (unread.length > 0) for (const [key, last] of await lasts.read(unread)) known.set(key, last);
    const begun = new Map<string, { connection: Connection; last: Last }>();
    for (const connection of page) {
      const before = known.get(connection.key);
      const same = before?.hash === connection.hash;
      if (before && same && before.state !== 'begun') continue;
      const last: Last =
        before && same ? before : { hash: connection.hash, count: (before?.count ?? 0) + 1, state: 'begun' };
      // Written first: whatever comes between, the next state gets another id and this one the same.
      if (last !== before) await lasts.write(connection.key, last);
      known.set(connection.key, last);
      begun.set(idOf(connection, last), { connection, last });
    }
    const events = [...begun].map(([id, { connection }]) => toEvent(id, connection));
    const endMs = clock() + STEP_MS;
    const { settledIds, parkedIds, published, parked, failure } = await publisher.publish(events, () => {
      pulse.expectWithin(STEP_MS);
      // Nothing is lost by giving up: what is listed is read again.
      if (signal.aborted || clock() >= endMs) throw new DeadlineError('publishing');
    });
    pulse.counts.published += published;
    pulse.counts.parked += parked;
    for (const id of settledIds) {
      const settled = begun.get(id);
      if (settled === undefined) continue;
      const { connection, last } = settled;
      const state = parkedIds.includes(id) ? 'parked' : 'published';
      await lasts.write(connection.key, { ...last, state });
      known.set(connection.key, { ...last, state });
    }
    if (published > 0) tell.info('Published', { stream, published });
    if (failure !== undefined && !signal.aborted) throw failure;
  }

  /** Acknowledges a connection whose event was accepted, after one more look that it is still the same. */
  async function settle(connection: Listed): Promise<void> {
    const { publicId, role, key, hash } = connection;
    const last = known.get(key);
    if (publicId === undefined || last?.hash !== hash || last.state === 'begun' || reported.has(idOf(connection, last)))
      return;
    try {
      const now = await look(publicId, key);
      if (now === undefined) return;
      if (now.hash !== hash) {
        tell.info('A connection changed before it was acknowledged; it stays listed', { stream, publicId });
        return;
      }
      const errors = last.state === 'parked' ? [PARKED] : [];
      await list.acknowledge({ publicId, role, errors });
      // It stays listed: to say so once is enough.
      if (last.state === 'parked') reported.add(idOf(connection, last));
    } catch (error) {
      if (!(error instanceof TransportError) || error.retryable) throw error;
      pulse.counts.failures += 1;
      tell.warn('A connection could not be acknowledged; it stays listed', { stream, publicId, error });
    }
  }

  async function look(publicId: string, key: string): Promise<Connection | undefined> {
    for await (const page of pages(publicId)) {
      const found = page.find((connection) => connection.key === key);
      if (found) return found;
    }
    return undefined;
  }

  function toEvent(id: string, { record, publicId }: Connection): RelayEvent {
    const times = isObject(record) ? TIME_NAMES.map((name) => parseTimeMs(record[name])) : [];
    const timeMs = times.find((time) => time !== undefined);
    const event = normaliser.toEvent({ record, id, hashed: true, timeMs }, clock());
    const { actor, record: untouched } = event.data;
    const target = { kind: 'connection', id: publicId ?? id };
    const name = isObject(record) && typeof record.name === 'string' ? record.name : target.id;
    const summary = oneLine(`${CONNECTION_CHANGED} on ${name}`);
    return {
      ...event,
      type: CONNECTION_CHANGED,
      subject: `${target.kind}/${target.id}`,
      data: { ...(actor && { actor }), target, summary, record: untouched },
    };
  }

  return { pulse, run, wake: () => woken.abort() };
}

function identify(record: unknown): Connection {
  const row = isObject(record) ? record : {};
  const publicId = toText(row.publicId) ?? toText(row._id) ?? toText(row.id);
  const role = toText(row.connectionRole);
  const hash = hashRecord(record);
  const named = [publicId, role].filter((part) => part !== undefined).join('#');
  const key = publicId === undefined || named.length > LONGEST_KEY ? hash : named;
  return { record, ...(publicId !== undefined && { publicId }), role, key, hash };
}

/** The same for the same state, however often it is published; another one when the state comes back. */
const idOf = ({ key }: Listed, { hash, count }: Last): string => hashRecord([key, hash, count]);

const toText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
