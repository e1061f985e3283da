import { fullJitterMs } from '../backoff.ts';
import { DeadlineError, PublishError } from '../errors.ts';
import { toEntry } from './entry.ts';
import type { RelayEvent } from './event.ts';
import { writeJson } from './json.ts';
import { isNotice, toNotice } from './notice.ts';
import {
  type Bus,
  type BusEntry,
  BusFault,
  type EntryFault,
  type ParkingLot,
  type Random,
  type Sleep,
} from './ports.ts';
import { oneLine } from './text.ts';

/** Entries a PutEvents request may have. */
const MOST_ENTRIES = 10;
/** Bytes a PutEvents request may have: it must stay under 1 MB, or 1 MiB; the vendor's pages do not agree. */
const MOST_BYTES = 999_999;
/** Requests under way at once: at 20 ms each this moves some 4,000 events a second. */
const IN_FLIGHT = 8;
const BACKOFF = { baseMs: 100, capMs: 5_000 };
const RETRYABLE_CODES: ReadonlySet<string> = new Set(['ThrottlingException', 'InternalFailure', 'InternalException']);
const UNACCEPTABLE_CODES: ReadonlySet<string> = new Set(['MalformedDetail', 'InvalidArgument']);

/** What became of events. */
export interface Settlement {
  /** Ids that the bus accepted or that are parked, in no order: they need never be tried again. */
  readonly settledIds: readonly string[];
  /** Events the bus accepted, without what the relay says of itself. */
  readonly published: number;
  /** Records parked; their events may be published without them. */
  readonly parked: number;
  /** The ids of these. */
  readonly parkedIds: readonly string[];
  /** Why the others are neither. */
  readonly failure?: unknown;
}

/** Puts events on the bus. */
export interface Publisher {
  /**
   * Puts every event on the bus or parks it, and waits for all that was begun.
   * @param mayStart throws where no further request may begin, e.g. because the lease ends soon
   */
  publish(events: readonly RelayEvent[], mayStart: () => void): Promise<Settlement>;
}

/** An event on its way; `trimmed` where nothing smaller can be tried. */
interface Item {
  readonly event: RelayEvent;
  readonly entry: BusEntry;
  readonly trimmed: boolean;
}

/** Makes the publisher: batches, retries by index, splits what is refused as a whole, parks what can never pass. */
export function createPublisher(ports: {
  bus: Bus;
  parkingLot: ParkingLot;
  sleep: Sleep;
  random: Random;
  clock: () => number;
}): Publisher {
  const { bus, parkingLot, sleep, random, clock } = ports;

  async function publish(events: readonly RelayEvent[], mayStart: () => void): Promise<Settlement> {
    const settledIds: string[] = [];
    let published = 0;
    const parkedIds: string[] = [];
    let failure: unknown;

    async function settle(batch: readonly Item[]): Promise<void> {
      let pending = batch;
      let lastFault: EntryFault | undefined;
      for (let attempt = 0; pending.length > 0; attempt++) {
        if (attempt > 0) await sleep(fullJitterMs(attempt, BACKOFF, random));
        try {
          mayStart();
        } catch (error) {
          if (lastFault === undefined || !(error instanceof DeadlineError)) throw error;
          const why = `EventBridge took nothing in ${attempt} tries: ${lastFault.code}: ${lastFault.message}`;
          throw new DeadlineError('publishing', new PublishError(why, { retryable: true }));
        }
        const faults = await put(pending);
        if (faults === 'refused' && pending.length > 1) {
          const middle = pending.length >> 1;
          await settle(pending.slice(0, middle));
          await settle(pending.slice(middle));
          return;
        }
        const again: Item[] = [];
        const unacceptable: (readonly [Item, EntryFault])[] = [];
        for (const [index, item] of pending.entries()) {
          const fault = faults === 'refused' ? REFUSED : faults[index];
          if (fault === undefined) {
            settledIds.push(item.event.id);
            if (!isNotice(item.event)) published += 1;
          } else if (UNACCEPTABLE_CODES.has(fault.code)) {
            unacceptable.push([item, fault]);
          } else if (RETRYABLE_CODES.has(fault.code)) {
            again.push(item);
            lastFault = fault;
          } else {
            failure ??= new PublishError(`EventBridge refuses an entry with ${fault.code}: ${fault.message}`);
          }
        }
        // What was accepted is noted by now: parking may fail.
        for (const [item, fault] of unacceptable) await settleUnacceptable(item, fault);
        pending = again;
      }
    }

    async function put(items: readonly Item[]): Promise<readonly (EntryFault | undefined)[] | 'refused'> {
      if (items.some(({ entry }) => entry.bytes > MOST_BYTES)) return 'refused';
      try {
        const faults = await bus.put(items.map(({ entry }) => entry));
        if (faults.length === items.length) return faults;
        return items.map(() => ({ code: 'InternalFailure', message: 'The answer does not cover every entry' }));
      } catch (error) {
        if (error instanceof BusFault && error.kind === 'refused') return 'refused';
        if (error instanceof BusFault && error.kind === 'retry') {
          return items.map(() => ({ code: 'InternalFailure', message: error.message }));
        }
        throw error;
      }
    }

    /** Parks the record, says so on the bus, and lets the event go without it: a rule on it still fires. */
    async function settleUnacceptable({ event, entry, trimmed }: Item, fault: EntryFault): Promise<void> {
      if (!trimmed) {
        const why = `${fault.code}: ${fault.message} (${entry.bytes} bytes)`;
        await parkingLot.park({
          id: event.id,
          type: event.type,
          why,
          sinceMs: clock(),
          record: writeJson(event.data.record),
        });
        parkedIds.push(event.id);
        await settle([announceParked(event, why, clock()), trim(event)]);
      }
      settledIds.push(event.id);
    }

    const batches = pack(events);
    async function work(): Promise<void> {
      // One iterator serves all workers; whoever is free takes the next batch.
      for (const batch of batches) {
        if (failure !== undefined) return;
        try {
          await settle(batch);
        } catch (error) {
          failure ??= error;
        }
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, work));
    return { settledIds, published, parked: parkedIds.length, parkedIds, ...(failure !== undefined && { failure }) };
  }

  return { publish };
}

const REFUSED: EntryFault = { code: 'InvalidArgument', message: 'The bus refuses a request with this entry alone' };

function* pack(events: readonly RelayEvent[]): Generator<Item[]> {
  let batch: Item[] = [];
  let bytes = 0;
  for (const event of events) {
    const entry = toEntry(event);
    if (batch.length === MOST_ENTRIES || (batch.length > 0 && bytes + entry.bytes > MOST_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push({ event, entry, trimmed: false });
    bytes += entry.bytes;
  }
  if (batch.length > 0) yield batch;
}

function trim(event: RelayEvent): Item {
  const { record: _, ...data } = event.data;
  const smaller: RelayEvent = { ...event, recordomitted: true, data };
  return { event: smaller, entry: toEntry(smaller), trimmed: true };
}

function announceParked(event: RelayEvent, why: string, nowMs: number): Item {
  const said = toNotice({
    type: 'event.parked',
    id: `${event.id}/parked`,
    tenant: event.tenant,
    nowMs,
    summary: oneLine(`The record of ${event.type} ${event.id} is parked: ${why}`),
    facts: { stream: event.stream, id: event.id, type: oneLine(event.type), why },
  });
  return { event: said, entry: toEntry(said), trimmed: true };
}
