import { type Backoff, fullJitterMs } from '../backoff.ts';
import { DeadlineError, PublishError } from '../errors.ts';
import type { LastStore, Pause, Tell } from './adapter-ports.ts';
import type { RelayEvent } from './event.ts';
import { parseJson, writeJson } from './json.ts';
import { createLedger, type LedgerKey } from './ledger.ts';
import { createNormaliser, hashRecord, type Sighting } from './normalise.ts';
import type { Clock, HoldingLot, ParkedRecord, Random, SeenStore, Sleep } from './ports.ts';
import type { Publisher } from './publish.ts';
import type { Pulse } from './pulse.ts';
import type { Lease } from './source.ts';

/** Settles what may have been handed out for the only time. */
export interface Delivery {
  /** Begins with a lease, and publishes what an earlier process held when it ended. */
  open(lease: Lease): Promise<void>;
  /**
   * Resolves once every record is published, known from before, or parked. It never gives up: while the bus takes
   * nothing it tries again, and parks what is left when the process has to end.
   * @returns true where something in it has never come before
   */
  settle(records: readonly unknown[]): Promise<boolean>;
}

/** A message on its way; it is noted where it can be recognised when it comes again. */
interface Message {
  readonly event: RelayEvent;
  /** Of a message with an id. */
  readonly key?: LedgerKey;
  /** Of a message without an id: its hash, and the how-manieth of its like it is. */
  readonly like?: { readonly hash: string; readonly count: number };
}

const WHY_HELD = 'EventBridge took nothing; it is published once it does';
/** How long the bus has once the process has to end; the rest of its time is for parking. */
const DRAIN_MS = 5_000;
/** Between tries when the process has to end. */
const LAST_TRIES_MS = 500;
/** No longer than this passes between two signs of life of a publisher that keeps trying. */
const PUT_MS = 30_000;
/** A publisher retries silently; after this long it is said. */
const LOUD_AFTER_MS = 15_000;
const BACKOFF: Backoff = { baseMs: 500, capMs: 30_000 };

/** Makes the delivery of a stream. */
export function createDelivery(parts: {
  tenant: string;
  publisher: Publisher;
  parkingLot: HoldingLot;
  seen: SeenStore;
  lasts: LastStore;
  pulse: Pulse;
  /** Aborts when the process has to end. */
  stopping: AbortSignal;
  tell: Tell;
  pause: Pause;
  sleep: Sleep;
  clock: Clock;
  random: Random;
}): Delivery {
  const { tenant, publisher, parkingLot, seen, lasts, pulse, stopping, tell, pause, sleep, clock, random } = parts;
  const { stream } = pulse;
  const normaliser = createNormaliser({ tenant, stream });
  const ledger = createLedger({ store: seen, clock });

  async function recognise(records: readonly unknown[]): Promise<Message[]> {
    const sightings = records.map((record) => normaliser.identify(record));
    return [...(await recogniseNamed(sightings)), ...(await countNameless(sightings))];
  }

  /**
   * A message that came before is known by its id and its content together: where the id turns out to be that of
   * something else, e.g. of the supplier, two messages must not pass for one.
   */
  async function recogniseNamed(sightings: readonly Sighting[]): Promise<Message[]> {
    const named = new Map<string, { sighting: Sighting; key: LedgerKey }>();
    for (const sighting of sightings) {
      if (sighting.hashed) continue;
      const key = { id: `${sighting.id} ${hashRecord(sighting.record)}`, timeMs: sighting.timeMs };
      named.set(key.id, { sighting, key });
    }
    if (named.size === 0) return [];
    const keys = [...named.values()].map(({ key }) => key);
    const known = await orElse(() => ledger.known(keys), new Set<string>());
    const fresh = [...named.values()].filter(({ key }) => !known.has(key.id));
    if (fresh.length < named.size) tell.info('Handed out before', { stream, known: named.size - fresh.length });
    return fresh.map(({ sighting, key }) => ({ event: normaliser.toEvent(sighting, clock()), key }));
  }

  /**
   * Without an id nothing tells a message that is handed out again from a second one that says the same. Losing one is
   * worse than repeating one, so it is published, under an id of its own, for a consumer would drop the same id.
   */
  async function countNameless(sightings: readonly Sighting[]): Promise<Message[]> {
    const nameless = sightings.filter(({ hashed }) => hashed);
    if (nameless.length === 0) return [];
    const before = await orElse(() => lasts.read([...new Set(nameless.map(({ id }) => id))]), undefined);
    const counts = new Map<string, number>();
    return nameless.map((sighting) => {
      const { id: hash } = sighting;
      const count = (counts.get(hash) ?? before?.get(hash)?.count ?? 0) + 1;
      counts.set(hash, count);
      // Where the table does not tell, the moment does; after a crash this one comes back under another id.
      const id = before === undefined ? `${hash}-${clock()}-${count}` : count === 1 ? hash : `${hash}-${count}`;
      return { event: normaliser.toEvent({ ...sighting, id }, clock()), like: { hash, count } };
    });
  }

  /** The table must not stand between what arrived and the bus. */
  async function orElse<T>(read: () => Promise<T>, fallback: T): Promise<T> {
    try {
      return await read();
    } catch (error) {
      tell.warn('The table does not tell what was handed out before; a repeat is possible', { stream, error });
      return fallback;
    }
  }

  async function publish(events: readonly RelayEvent[]): Promise<void> {
    const begunMs = clock();
    let drainEndMs = Number.POSITIVE_INFINITY;
    let said = false;
    let held: readonly RelayEvent[] = [];
    function mayStart(): void {
      pulse.expectWithin(PUT_MS);
      if (!said && clock() - begunMs >= LOUD_AFTER_MS) {
        said = true;
        pulse.failed(new PublishError('EventBridge takes nothing', { retryable: true }));
        tell.error('EventBridge takes nothing; what arrived is kept and tried again', { stream });
        throw new DeadlineError('waiting for EventBridge');
      }
      if (stopping.aborted) drainEndMs = Math.min(drainEndMs, clock() + DRAIN_MS);
      if (clock() >= drainEndMs) throw new DeadlineError('publishing');
    }

    let pending = events;
    for (let attempt = 1; ; attempt++) {
      const { settledIds, published, parked, failure } = await publisher.publish(pending, mayStart);
      pulse.counts.published += published;
      pulse.counts.parked += parked;
      const settled = new Set(settledIds);
      pending = pending.filter(({ id }) => !settled.has(id));
      if (pending.length === 0 || clock() >= drainEndMs) {
        for (const event of pending) await park(event);
        const left = new Set(pending.map(({ id }) => id));
        await release(held.filter(({ id }) => !left.has(id)));
        return;
      }
      if (said && held.length === 0) {
        held = await hold(pending);
        continue;
      }
      pulse.failed(failure);
      tell.error('The bus does not take what arrived; it is kept and tried again', { stream, error: failure });
      await (stopping.aborted ? sleep(LAST_TRIES_MS) : pause(fullJitterMs(attempt, BACKOFF, random), stopping));
    }
  }

  /** In an outage the table has a copy, in case the process is killed meanwhile. */
  async function hold(events: readonly RelayEvent[]): Promise<readonly RelayEvent[]> {
    try {
      for (const event of events) await parkingLot.park(toHeld(event));
    } catch (error) {
      tell.warn('The table does not take a copy of what waits for the bus', { stream, error });
    }
    return events;
  }

  /** What stays held though it is published is published again by the next process, under the same id. */
  async function release(events: readonly RelayEvent[]): Promise<void> {
    try {
      for (const { id } of events) await parkingLot.release(id);
    } catch (error) {
      tell.warn('The table keeps a copy of what is published; a repeat is possible', { stream, error });
    }
  }

  const toHeld = ({ id, type, observedat, data }: RelayEvent): ParkedRecord => ({
    id,
    type,
    why: WHY_HELD,
    sinceMs: Date.parse(observedat),
    record: writeJson(data.record),
    held: true,
  });

  /** The table is the last place there is: it is tried until the process is killed. */
  async function park(event: RelayEvent): Promise<void> {
    const { id } = event;
    for (;;) {
      try {
        await parkingLot.park(toHeld(event));
        break;
      } catch (error) {
        tell.error('A message can be neither published nor parked', { stream, id, error });
        await sleep(LAST_TRIES_MS);
      }
    }
    pulse.counts.parked += 1;
    tell.error('A message is kept in the table until the adapter runs again', { stream, id });
  }

  /** What is not noted is published once more if it is handed out again, under the same id. */
  async function note(messages: readonly Message[]): Promise<void> {
    try {
      await ledger.record(messages.flatMap(({ key }) => key ?? []));
      const likes = new Map(messages.flatMap(({ like }) => (like ? [[like.hash, like.count] as const] : [])));
      for (const [hash, count] of likes) await lasts.write(hash, { hash, count, state: 'published' });
    } catch (error) {
      tell.warn('The table does not note what was published; a repeat is possible', { stream, error });
    }
  }

  return {
    async open({ epoch, replays }) {
      ledger.open({ epoch, replays, writer: String(epoch) });
      const left = await orElse(() => parkingLot.listHeld(), []);
      if (left.length === 0) return;
      tell.warn('An earlier process could not publish all it had; it is published now', { stream, held: left.length });
      const events = left.map(({ id, sinceMs, record }) => {
        const sighting = normaliser.identify(parseJson(record));
        return normaliser.toEvent({ ...sighting, id }, sinceMs);
      });
      await publish(events);
      await release(events);
    },

    async settle(records) {
      const messages = await recognise(records);
      for (const round of rounds(messages)) {
        await publish(round.map(({ event }) => event));
        await note(round);
      }
      pulse.worked();
      return messages.some(({ like }) => like === undefined || like.count === 1);
    },
  };
}

/** The publisher tells by id what it settled: messages that share one go one after the other. */
function rounds(messages: readonly Message[]): Message[][] {
  const numbered: Message[][] = [];
  const counts = new Map<string, number>();
  for (const message of messages) {
    const { id } = message.event;
    const round = counts.get(id) ?? 0;
    counts.set(id, round + 1);
    const list = numbered[round] ?? [];
    numbered[round] = list;
    list.push(message);
  }
  return numbered;
}
