import { type AttributeValue, DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { onTestFinished } from 'vitest';
import { type Aws, createAws } from '../../sandbox/aws/aws.ts';
import { FAKE_CREDENTIALS } from '../../sandbox/aws/credentials.ts';
import { createFunction, type FunctionHost } from '../../sandbox/aws/function-host.ts';
import { createPlatform, type Platform, type PlatformOptions } from '../../sandbox/platform/platform.ts';
import type { RelayEvent } from '../../shared/relay/event.ts';
import { createTap, type OnStep } from './tap.ts';

const MODULE = new URL('../../functions/poller.ts', import.meta.url);
/** Name of the relay's table. */
export const TABLE = 'relay';
const BUS = 'acme';
const SECRET = 'platform-key';
const MARK = { TableName: TABLE, Key: { pk: { S: 'audit' }, sk: { S: 'mark' } } };

/** The shipped handler in a process of its own. */
export interface Poller {
  /** Polls once, in a new process where the last one is gone. */
  poll: () => ReturnType<FunctionHost['invoke']>;
  /** Sends the process a signal; what it resolves with is the end of the process, which only some signals bring about. */
  signal: FunctionHost['kill'];
  /** What happens from now on when it talks to the table or the bus. */
  onStep: OnStep;
}

/** A sandbox platform and a local AWS, between which pollers can be started. */
export interface Stage {
  readonly platform: Platform;
  readonly aws: Aws;
  readonly dynamo: DynamoDBClient;
  /** The audit events on the bus, in order of arrival. */
  readonly arrivals: readonly RelayEvent[];
  /** What happens from now on when a poller talks to the platform; all have one address for it, as the mark demands. */
  onPlatformStep: OnStep;
  startPoller(): Promise<Poller>;
  /** The item with the mark and the lease; empty before the first lease. */
  readMark(): Promise<Readonly<Record<string, AttributeValue>>>;
  /**
   * Lets the lease end now. A lease outlives its process by half a minute; waiting that long is all that a new process
   * would do, and the condition it then meets is the same.
   */
  endLease(): Promise<void>;
}

/** Sets the stage; everything ends with the test. */
export async function setStage(options: {
  readonly platform?: PlatformOptions;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<Stage> {
  const platform = await createPlatform(options.platform);
  const arrivals: RelayEvent[] = [];
  const aws = await createAws({
    table: TABLE,
    bus: BUS,
    secrets: { [SECRET]: platform.apiKey },
    onEvent: ({ source, detail }) => {
      if (source === 'supplier-platform.audit') arrivals.push(detail as unknown as RelayEvent);
    },
  });
  const dynamo = new DynamoDBClient({
    endpoint: aws.dynamo.url,
    region: 'us-east-1',
    credentials: FAKE_CREDENTIALS,
  });
  const closers: (() => Promise<unknown>)[] = [];
  onTestFinished(async () => {
    for (const close of closers.reverse()) await close();
    dynamo.destroy();
    await aws.close();
    await platform.close();
  });

  async function tap(target: string, onStep: OnStep): Promise<string> {
    const { url, close } = await createTap({ target, onStep });
    closers.push(close);
    return url;
  }
  const baseUrl = await tap(platform.url, (step) => stage.onPlatformStep(step));

  async function startPoller(): Promise<Poller> {
    const onStep: OnStep = (step) => poller.onStep(step);
    const host = createFunction({
      module: MODULE,
      timeoutMs: 60_000,
      env: {
        ...aws.env,
        AWS_ENDPOINT_URL_DYNAMODB: await tap(aws.dynamo.url, onStep),
        AWS_ENDPOINT_URL_EVENTBRIDGE: await tap(aws.bus.url, onStep),
        RELAY_TENANT: 'acme',
        RELAY_BASE_URL: baseUrl,
        RELAY_SECRET_ID: SECRET,
        RELAY_TABLE: TABLE,
        RELAY_BUS: BUS,
        RELAY_START: 'P30D',
        RELAY_LOG_LEVEL: 'error',
        ...options.env,
      },
    });
    closers.push(host.close);
    const poller: Poller = { poll: () => host.invoke({}), signal: host.kill, onStep: () => undefined };
    return poller;
  }

  const stage: Stage = {
    platform,
    aws,
    dynamo,
    arrivals,
    onPlatformStep: () => undefined,
    startPoller,
    readMark: async () => (await dynamo.send(new GetItemCommand({ ...MARK, ConsistentRead: true }))).Item ?? {},
    endLease: async () => {
      const command = new UpdateItemCommand({
        ...MARK,
        UpdateExpression: 'SET leaseEndMs = :past',
        ExpressionAttributeValues: { ':past': { N: '0' } },
      });
      await dynamo.send(command);
    },
  };
  return stage;
}
