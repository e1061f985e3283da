import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AttributeValue, DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { onTestFinished, vi } from 'vitest';
import { assembleInterface } from '../../functions/adapter/interfaces.ts';
import { type Aws, createAws } from '../../sandbox/aws/aws.ts';
import { FAKE_CREDENTIALS } from '../../sandbox/aws/credentials.ts';
import { createPlatform, type Platform } from '../../sandbox/platform/platform.ts';
import { adapterSettings } from '../../shared/adapter-config.ts';
import { createEventBridgeBus } from '../../shared/aws/bus.ts';
import { EngineJsonProtocol } from '../../shared/aws/engine-json.ts';
import { createDynamoParkingLot } from '../../shared/aws/parked.ts';
import { createApi } from '../../shared/platform/api.ts';
import { createTokens } from '../../shared/platform/token.ts';
import { createTransport } from '../../shared/platform/transport.ts';
import type { RelayEvent } from '../../shared/relay/event.ts';
import type { Pulse } from '../../shared/relay/pulse.ts';
import { createTap } from '../e2e/tap.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** The adapter's own time runs so much faster, pauses and all, so that nobody waits for its pauses. */
const SPEED = 10;
const TABLE = 'relay';
const BUS = 'acme';
/** The interface that most tests are about; the sandbox platform knows it. */
export const INTERFACE = 'eventbridge';

/** Something that the adapter said. */
export interface Said {
  readonly level: string;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** One adapter process, as far as it is one: its own owner, leases, connections and time. */
export interface Adapter {
  readonly pulses: readonly Pulse[];
  readonly said: readonly Said[];
  /** Every pause that was asked for, in the adapter's own ms. */
  readonly pauses: readonly number[];
  /** What only a person could mend. */
  readonly fatal: readonly unknown[];
  /** Does what SIGTERM does; resolves when everything is settled. */
  stop(): Promise<void>;
  /** True once it has ended. */
  readonly ended: boolean;
}

/** The sandbox platform and the local AWS, between which adapters can be started. */
export interface AdapterStage {
  readonly platform: Platform;
  readonly aws: Aws;
  /** Tells of an operation of the table, e.g. `PutItem`, whether its connection is cut before it has an effect. */
  tableFails: (operation: string) => boolean;
  /** Events of a source, e.g. `long-poll`, in order of arrival. */
  arrived(source?: string): RelayEvent[];
  /** Starts an adapter with these settings of the interface. */
  start(watched?: object, settings?: object): Adapter;
  /** Items of a stream whose sort key begins so. */
  items(stream: string, prefix: string): Promise<Record<string, AttributeValue>[]>;
  readParked(stream: string, id: string): Promise<string | undefined>;
}

/** Sets the stage; everything ends with the test. */
export async function setStage(): Promise<AdapterStage> {
  const platform = await createPlatform();
  platform.faults.longPollHoldMs = 400;
  const arrivals: RelayEvent[] = [];
  const aws = await createAws({
    table: TABLE,
    bus: BUS,
    secrets: {},
    onEvent: ({ detail }) => arrivals.push(detail as unknown as RelayEvent),
  });
  const client = { region: 'us-east-1', credentials: FAKE_CREDENTIALS };
  const table = await createTap({
    target: aws.dynamo.url,
    onStep: ({ name }) => {
      if (stage.tableFails(name)) throw new Error('The table fails');
    },
  });
  const dynamo = new DynamoDBClient({ ...client, endpoint: table.url, maxAttempts: 2 });
  const eventBridge = new EventBridgeClient({
    ...client,
    endpoint: aws.bus.url,
    maxAttempts: 1,
    protocol: EngineJsonProtocol,
  });
  const adapters: Adapter[] = [];
  const startedMs = Date.now();
  const clock = () => startedMs + (Date.now() - startedMs) * SPEED;
  const io = { clock, sleep: (waitMs: number) => sleep(waitMs / SPEED), random: () => 0.9 };

  function start(watched: object = {}, settings: object = {}): Adapter {
    const said: Said[] = [];
    const pauses: number[] = [];
    const fatal: unknown[] = [];
    const stopping = new AbortController();
    const parsed = adapterSettings.parse({ interfaces: [{ name: INTERFACE, ...watched }], ...settings });
    const transport = createTransport(io);
    const baseUrl = new URL(platform.url);
    const tokens = createTokens({ transport, authUrl: baseUrl, readKey: async () => platform.apiKey, clock });
    const at =
      (level: string) =>
      (message: string, facts = {}) =>
        void said.push({ level, message, facts });
    const { pulses, run } = assembleInterface(parsed.interfaces[0]!, {
      tenant: 'acme',
      baseUrl,
      table: TABLE,
      settings: parsed,
      dynamo,
      bus: createEventBridgeBus({ client: eventBridge, name: BUS }),
      api: createApi({ transport, tokens, baseUrl }),
      tokens,
      owner: randomUUID(),
      stopping: stopping.signal,
      onFatal: (error) => {
        fatal.push(error);
        stopping.abort();
      },
      inWords: String,
      tell: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
      pause: async (waitMs, signal) => {
        pauses.push(waitMs);
        await sleep(waitMs / SPEED, undefined, { signal }).catch(() => undefined);
      },
      ...io,
    });
    let ended = false;
    const done = run()
      .catch((error: unknown) => void fatal.push(error))
      .finally(() => {
        ended = true;
      });
    const adapter: Adapter = {
      pulses,
      said,
      pauses,
      fatal,
      stop: () => {
        stopping.abort();
        return done;
      },
      get ended() {
        return ended;
      },
    };
    adapters.push(adapter);
    return adapter;
  }

  onTestFinished(async () => {
    platform.resetFaults();
    platform.faults.longPollHoldMs = 50;
    stage.tableFails = () => false;
    Object.assign(aws.bus.faults, { down: false, refuse: () => undefined, entry: () => undefined });
    await Promise.all(adapters.map((adapter) => adapter.stop()));
    dynamo.destroy();
    eventBridge.destroy();
    await table.close();
    await aws.close();
    await platform.close();
  });

  const stage: AdapterStage = {
    platform,
    aws,
    tableFails: () => false,
    arrived: (source = 'long-poll') => arrivals.filter(({ stream }) => stream.split('/')[0] === source),
    start,
    items: async (stream, prefix) => {
      const items: Record<string, AttributeValue>[] = [];
      const pages = paginateQuery(
        { client: dynamo },
        {
          TableName: TABLE,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': { S: stream }, ':prefix': { S: prefix } },
        },
      );
      for await (const { Items = [] } of pages) items.push(...Items);
      return items;
    },
    readParked: async (stream, id) =>
      (await createDynamoParkingLot({ client: dynamo, table: TABLE, stream }).read(id))?.record,
  };
  return stage;
}

/** Waits until a condition holds, however long that takes; the test's own limit ends it. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(10);
}

/** The records of events. */
export const recordsOf = (events: readonly RelayEvent[]): unknown[] => events.map(({ data }) => data.record);
