import { type AttributeValue, DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { onTestFinished, vi } from 'vitest';
import { assembleAuditPoller } from '../../functions/audit-poller.ts';
import { type Aws, createAws } from '../../sandbox/aws/aws.ts';
import { FAKE_CREDENTIALS } from '../../sandbox/aws/credentials.ts';
import { createPlatform, type Platform, type PlatformOptions } from '../../sandbox/platform/platform.ts';
import type { TrailRow } from '../../sandbox/platform/trail.ts';
import { EngineJsonProtocol } from '../../shared/aws/engine-json.ts';
import { createDynamoParkingLot, type DynamoParkingLot } from '../../shared/aws/parked.ts';
import { readConfig } from '../../shared/config.ts';
import type { RelayEvent } from '../../shared/relay/event.ts';
import type { Poller, PollResult } from '../../shared/relay/poller.ts';

// Nothing here is a matter of time, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** When every fixture's story begins. */
export const START_MS = Date.UTC(2026, 0, 15, 12);
/** Where the relay of every fixture begins unless told otherwise: `PT1H`. */
export const FIRST_MS = START_MS - 3_600_000;
const TABLE = 'relay';
const BUS = 'acme';
/** Name of the secret that holds the API key. */
export const SECRET = 'platform-key';

/** An audit event as it came out of the bus. */
export interface Relayed {
  readonly detail: RelayEvent;
  readonly detailType: string;
  /** The record's own text; empty where it was left out. */
  readonly record: string;
}

/** The relay's real parts between the sandbox platform and the local AWS, all at one virtual clock. */
export interface RelayFixture {
  readonly platform: Platform;
  readonly aws: Aws;
  /** What the relay is told by its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The true time, which the platform has, in epoch ms. */
  now(): number;
  advance(seconds: number): void;
  /** By how much the relay's own clock is off. @default 0 */
  localSkewMs: number;
  /** Is awaited where the platform takes its time over an answer; holds it back as long as it likes. */
  freeze: ((waitMs: number) => Promise<void>) | undefined;
  /** Every wait that the relay asked for, in ms; they take virtual time only. */
  readonly waits: number[];
  /** Polls once with `runMs` to go. @default 50000 */
  poll(options?: { adoptSource?: boolean; runMs?: number }): Promise<PollResult>;
  replay: Poller['replay'];
  /** Goes on in a new process, with these variables changed. */
  restart(changes?: Readonly<Record<string, string>>): void;
  /** Adds so many events, evenly spread over the last seconds. */
  add(count: number, overSeconds?: number): TrailRow[];
  /** The audit events on the bus, in order of arrival. */
  relayed(): Relayed[];
  /** Where the rungs have come to, by age, in epoch seconds; empty before the first whole read. */
  cursors(): Promise<Record<string, number>>;
  /** Items of the audit stream whose sort key begins so. */
  items(prefix: string): Promise<Record<string, AttributeValue>[]>;
  readonly parkingLot: DynamoParkingLot;
}

/** Starts a platform, an AWS and a relay; all end with the test. */
export async function startRelay(
  options: { env?: Readonly<Record<string, string>>; platform?: PlatformOptions } = {},
): Promise<RelayFixture> {
  let nowMs = START_MS;
  const now = () => nowMs;
  const advance = (seconds: number) => {
    nowMs += seconds * 1000;
  };
  const waits: number[] = [];
  const platform = await createPlatform({
    clock: now,
    sleep: async (waitMs) => {
      advance(waitMs / 1000);
      await fixture.freeze?.(waitMs);
    },
    ...options.platform,
  });
  const arrived: Relayed[] = [];
  const aws = await createAws({
    table: TABLE,
    bus: BUS,
    secrets: { [SECRET]: platform.apiKey },
    clock: now,
    onEvent: (event, json) => {
      if (event.source !== 'supplier-platform.audit') return;
      const at = json.indexOf('"record":');
      // The record stands last; as text it keeps digits that a double has no room for.
      const record = at < 0 ? '' : json.slice(at + '"record":'.length, -'}}}'.length);
      arrived.push({ detail: event.detail as unknown as RelayEvent, detailType: event['detail-type'], record });
    },
  });
  const env = {
    RELAY_TENANT: 'acme',
    RELAY_BASE_URL: platform.url,
    RELAY_SECRET_ID: SECRET,
    RELAY_TABLE: TABLE,
    RELAY_BUS: BUS,
    RELAY_START: 'PT1H',
    ...options.env,
  };
  const shared = { region: 'us-east-1', credentials: FAKE_CREDENTIALS };
  const dynamo = new DynamoDBClient({ ...shared, endpoint: aws.dynamo.url });
  const eventBridge = new EventBridgeClient({
    ...shared,
    endpoint: aws.bus.url,
    maxAttempts: 1,
    protocol: EngineJsonProtocol,
  });
  const secrets = new SecretsManagerClient({ ...shared, endpoint: aws.secrets.url });
  const table = { client: dynamo, table: TABLE, stream: 'audit' };
  const closers: (() => unknown)[] = [];
  const io = {
    clock: () => nowMs + fixture.localSkewMs,
    sleep: async (waitMs: number) => {
      waits.push(waitMs);
      advance(waitMs / 1000);
    },
    random: () => 0.5,
  };

  function build(variables: Readonly<Record<string, string>>): Poller {
    const { poller, close } = assembleAuditPoller({
      config: readConfig(variables),
      dynamo,
      eventBridge,
      secrets,
      ...io,
    });
    closers.push(close);
    return poller;
  }

  const fixture: RelayFixture = {
    platform,
    aws,
    env,
    now,
    advance,
    localSkewMs: 0,
    freeze: undefined,
    waits,
    poll: ({ runMs = 50_000, ...rest } = {}) => {
      const deadlineMs = io.clock() + runMs;
      return poller.poll({ deadlineMs, endMs: deadlineMs + 5_000, ...rest });
    },
    replay: (window, time) => poller.replay(window, time),
    restart: (changes = {}) => {
      poller = build({ ...env, ...changes });
    },
    add: (count, overSeconds = 3_000) =>
      platform.add(count, { time: (index) => nowMs - Math.floor(((count - index) * overSeconds * 1000) / count) }),
    relayed: () => [...arrived],
    cursors: async () => {
      const command = new GetItemCommand({ TableName: TABLE, Key: { pk: { S: 'audit' }, sk: { S: 'mark' } } });
      const { Item = {} } = await dynamo.send(command);
      return Object.fromEntries(Object.entries(Item.cursors?.M ?? {}).map(([age, { N }]) => [age, Number(N)]));
    },
    items: async (prefix) => {
      const { Items = [] } = await dynamo.send(
        new QueryCommand({
          TableName: TABLE,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': { S: 'audit' }, ':prefix': { S: prefix } },
        }),
      );
      return Items;
    },
    parkingLot: createDynamoParkingLot(table),
  };
  let poller = build(env);
  onTestFinished(async () => {
    for (const close of closers) await close();
    for (const client of [dynamo, eventBridge, secrets]) client.destroy();
    await aws.close();
    await platform.close();
  });
  return fixture;
}

/** Polls, lets more happen, polls in the same process and in a new one. */
export async function pollThrice(relay: RelayFixture): Promise<void> {
  await relay.poll();
  relay.advance(30);
  relay.add(10, 25);
  await relay.poll();
  relay.restart();
  relay.advance(30);
  await relay.poll();
}
