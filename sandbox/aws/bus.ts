import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { type Faults, noFaults } from './faults.ts';
import { openJournal } from './journal.ts';
import { createJsonServer, type JsonServer, parseInput, ServiceError } from './json-server.ts';
import { checkEntry, type EntryFault, type PutEventsEntry, parseEntries, type ValidEntry } from './put-events.ts';

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
  /** @default 'default' */
  readonly name?: string;
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

/** A stand-in for EventBridge with one bus. */
export interface BusServer extends JsonServer {
  readonly name: string;
  readonly events: readonly BusEvent[];
  readonly entries: Readonly<EntryCounts>;
  readonly faults: BusFaults;
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsRequestEntry.html */
const LONGEST_DETAIL_TYPE = 128;

const NO_ENTRIES: EntryCounts = { accepted: 0, refused: 0, dropped: 0 };

const describeSchema = z.object({ Name: z.string().default('default') });

/** Starts a bus that the EventBridge client of the AWS SDK can talk to. */
export async function createBus(options: BusOptions = {}): Promise<BusServer> {
  const { name = 'default', onEvent, folder, keep = Number.POSITIVE_INFINITY, clock = Date.now } = options;
  const { accountId = '111122223333', region = 'us-east-1' } = options;
  const arn = `arn:aws:events:${region}:${accountId}:event-bus/${name}`;
  const journal = folder === undefined ? undefined : await openJournal(join(folder, 'events.jsonl'));
  const events: BusEvent[] = [];
  const entryCounts: EntryCounts = { ...NO_ENTRIES };
  const faults: BusFaults = { ...noFaults(), entry: () => undefined };
  const isOurs = (nameOrArn: string) => nameOrArn === name || nameOrArn === arn;

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
    const event = toEvent(checked);
    if (isOurs(entry.EventBusName) && checked.DetailType.length <= LONGEST_DETAIL_TYPE) {
      await deliver(event, checked.Detail);
      entryCounts.accepted++;
    } else {
      entryCounts.dropped++;
    }
    return { EventId: event.id };
  }

  function toEvent({ Source, DetailType, Time, Resources, detail }: ValidEntry): BusEvent {
    const timeMs = Time === undefined ? clock() : Time * 1000;
    return {
      version: '0',
      id: randomUUID(),
      'detail-type': DetailType,
      source: Source,
      account: accountId,
      time: `${new Date(timeMs).toISOString().split('.')[0]}Z`,
      region,
      resources: Resources,
      detail,
    };
  }

  async function deliver(event: BusEvent, detailJson: string): Promise<void> {
    const json = journal || onEvent ? writeEvent(event, detailJson) : '';
    await journal?.append(json);
    if (keep > 0) events.push(event);
    if (events.length > keep) events.shift();
    onEvent?.(event, json);
  }

  function describeEventBus(input: unknown): object {
    const { Name } = parseInput(describeSchema, input);
    if (!isOurs(Name)) throw new ServiceError('ResourceNotFoundException', `Event bus ${Name} does not exist.`);
    return { Name: name, Arn: arn };
  }

  const server = await createJsonServer({
    operations: { PutEvents: putEvents, DescribeEventBus: describeEventBus },
    faults,
  });
  return {
    ...server,
    name,
    events,
    entries: entryCounts,
    faults,
    resetCounts: () => {
      Object.assign(entryCounts, NO_ENTRIES);
      server.resetCounts();
    },
    close: async () => {
      await server.close();
      await journal?.close();
    },
  };
}

/** Writes an event on one line; a detail keeps its own text, so that numbers beyond a double survive. */
function writeEvent({ detail, ...envelope }: BusEvent, detailJson: string): string {
  const onOneLine = /[\r\n]/.test(detailJson) ? JSON.stringify(detail) : detailJson;
  return `${JSON.stringify(envelope).slice(0, -1)},"detail":${onOneLine}}`;
}
