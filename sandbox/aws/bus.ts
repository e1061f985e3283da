import { join } from 'node:path';
import { makeEvent, writeEvent } from './bus-event.ts';
import { createDeliveries, type DeliveryCounts } from './deliveries.ts';
import type { FindDestination } from './destination.ts';
import { type EventBus, type IncomingEvent, toDestination } from './event-bus.ts';
import { createEventBuses } from './event-buses.ts';
import { type Faults, noFaults } from './faults.ts';
import { openJournal } from './journal.ts';
import { createJsonServer, type JsonServer } from './json-server.ts';
import { checkEntry, type EntryFault, type PutEventsEntry, parseEntries } from './put-events.ts';
import { createRuleOperations } from './rule-operations.ts';

/** An event as EventBridge delivers it to targets. */
export interface BusEvent {
  readonly version: '0';
  /** New at every delivery. */
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  /** ISO 8601 in whole seconds, e.g. `2026-11-21T07:45:19Z`. */
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: Readonly<Record<string, unknown>>;
}

/** What goes wrong on a bus. */
export interface BusFaults extends Faults {
  /** Gives the error code of an entry to refuse, e.g. `ThrottlingException`; the others of its request are taken. */
  entry: (entry: PutEventsEntry, index: number) => string | undefined;
}

/** How a bus is set up. */
export interface BusOptions {
  /** The bus that is watched, made at the start like the default bus. @default 'default' */
  readonly name?: string;
  /** Finds the queues and functions that rules send to. @default nothing is found */
  readonly findDestination?: FindDestination;
  /** Finds the buses of other accounts by their ARN. @default nothing is found */
  readonly findBus?: (arn: string) => EventBus | undefined;
  /** Is told every event once it is durable, with its JSON, in which `detail` is written as it was put. */
  readonly onEvent?: (event: BusEvent, json: string) => void;
  /** Where `events.jsonl` is written; left out, nothing is. */
  readonly folder?: string;
  /** How many events are kept in memory, the latest ones. @default Infinity */
  readonly keep?: number;
  /** @default Date.now */
  readonly clock?: () => number;
  /** @default '111122223333' */
  readonly accountId?: string;
  /** @default 'us-east-1' */
  readonly region?: string;
}

/** Entries seen, by what became of them. */
export interface EntryCounts {
  accepted: number;
  refused: number;
  /** Accepted and lost without a word: a DetailType too long, or a bus that does not exist. */
  dropped: number;
}

/** A stand-in for EventBridge: buses with rules, of which one is watched. */
export interface BusServer extends JsonServer {
  /** Of the bus that is watched. */
  readonly name: string;
  readonly arn: string;
  /** What the watched bus has taken. */
  readonly events: readonly BusEvent[];
  /** Of all buses. */
  readonly entries: Readonly<EntryCounts>;
  readonly deliveries: Readonly<DeliveryCounts>;
  readonly faults: BusFaults;
  /** Finds a bus of this account by its name or ARN. */
  find(nameOrArn: string): EventBus | undefined;
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsRequestEntry.html */
const LONGEST_DETAIL_TYPE = 128;

const NO_ENTRIES: EntryCounts = { accepted: 0, refused: 0, dropped: 0 };

/** Starts an EventBridge that the client of the AWS SDK can talk to. */
export async function createBus(options: BusOptions = {}): Promise<BusServer> {
  const { name = 'default', onEvent, folder, keep = Number.POSITIVE_INFINITY, clock = Date.now } = options;
  const { accountId = '111122223333', region = 'us-east-1' } = options;
  const { findDestination = () => undefined, findBus = () => undefined } = options;
  const journal = folder === undefined ? undefined : await openJournal(join(folder, 'events.jsonl'));
  const events: BusEvent[] = [];
  const entryCounts: EntryCounts = { ...NO_ENTRIES };
  const faults: BusFaults = { ...noFaults(), entry: () => undefined };
  const deliveries = createDeliveries({
    findDestination: (arn) => {
      const bus = buses.find(arn) ?? findBus(arn);
      return bus ? toDestination(bus) : findDestination(arn);
    },
    clock,
  });
  const buses = createEventBuses({ arnPrefix: `arn:aws:events:${region}:${accountId}`, deliveries });
  const { arn } = buses.add(name, watch);

  async function putEvents(input: unknown): Promise<object> {
    const results = await Promise.all(parseEntries(input).map(putEntry));
    return { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results };
  }

  async function putEntry(entry: PutEventsEntry, index: number): Promise<EntryFault | { EventId: string }> {
    const code = faults.entry(entry, index);
    const checked = code === undefined ? checkEntry(entry) : { ErrorCode: code, ErrorMessage: 'Injected fault.' };
    if ('ErrorCode' in checked) {
      entryCounts.refused++;
      return checked;
    }
    const event = makeEvent(checked, { nowMs: clock(), account: accountId, region });
    const bus = buses.find(entry.EventBusName) ?? findBus(entry.EventBusName);
    if (bus && checked.DetailType.length <= LONGEST_DETAIL_TYPE) {
      await bus.take({ event, write: () => writeEvent(event, checked.Detail), forwarded: false });
      entryCounts.accepted++;
    } else {
      entryCounts.dropped++;
    }
    return { EventId: event.id };
  }

  async function watch({ event, write }: IncomingEvent): Promise<void> {
    const json = journal || onEvent ? write() : '';
    await journal?.append(json);
    if (keep > 0) events.push(event);
    if (events.length > keep) events.shift();
    onEvent?.(event, json);
  }

  const server = await createJsonServer({
    operations: { PutEvents: putEvents, ...buses.operations, ...createRuleOperations(buses.get) },
    faults,
  });
  return {
    ...server,
    name,
    arn,
    events,
    entries: entryCounts,
    deliveries: deliveries.counts,
    faults,
    find: buses.find,
    resetCounts: () => {
      Object.assign(entryCounts, NO_ENTRIES);
      server.resetCounts();
    },
    close: async () => {
      await server.close();
      await deliveries.close();
      await journal?.close();
    },
  };
}
