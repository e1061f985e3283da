import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AttributeValue, DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { onTestFinished, vi } from 'vitest';
import { type Aws, createAws } from '../../sandbox/aws/aws.ts';
import { FAKE_CREDENTIALS } from '../../sandbox/aws/credentials.ts';
import { createPlatform, type Platform } from '../../sandbox/platform/platform.ts';
import type { RelayEvent } from '../../shared/relay/event.ts';
import { createTap, type OnStep } from '../e2e/tap.ts';
import { INTERFACE } from './stage.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const ADAPTER = fileURLToPath(new URL('../../functions/adapter.ts', import.meta.url));
const TABLE = 'relay';
const BUS = 'acme';
const SECRET = 'platform-key';
/** Short, so that a stop need not wait for long. */
const POLL_SECONDS = 3;

/** The shipped adapter in a process of its own. */
export interface AdapterProcess {
  /** Everything it wrote to stdout and stderr. */
  readonly output: () => string;
  /** Its log and metric lines that are JSON. */
  readonly lines: () => Record<string, unknown>[];
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/** A sandbox platform and a local AWS, between which adapter processes can be started. */
export interface ProcessStage {
  readonly platform: Platform;
  readonly aws: Aws;
  /** The working folder of the processes; it is removed with the test. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Events in order of arrival, of one source or of all. */
  arrived(source?: string): RelayEvent[];
  /** What happens when a process talks to the table, the bus or the platform. */
  onStep: OnStep;
  /** Starts a process with these settings of the adapter and this environment. */
  start(settings?: object, env?: Readonly<Record<string, string>>, args?: readonly string[]): AdapterProcess;
  readMark(stream: string): Promise<Readonly<Record<string, AttributeValue>>>;
  /** Lets a lease end now that its process is gone; a new process would only wait for that. */
  endLease(stream: string): Promise<void>;
  /** Every file below the working folder, by its path in it. */
  files(): Record<string, string>;
}

/** Sets the stage; everything ends with the test. */
export async function setProcessStage(): Promise<ProcessStage> {
  const platform = await createPlatform();
  platform.faults.longPollHoldMs = 1_000;
  const arrivals: RelayEvent[] = [];
  const aws = await createAws({
    table: TABLE,
    bus: BUS,
    secrets: { [SECRET]: platform.apiKey },
    onEvent: ({ detail }) => arrivals.push(detail as unknown as RelayEvent),
  });
  const folder = mkdtempSync(join(tmpdir(), 'relay-adapter-'));
  const dynamo = new DynamoDBClient({ region: 'us-east-1', credentials: FAKE_CREDENTIALS, endpoint: aws.dynamo.url });
  const onStep: OnStep = (step) => stage.onStep(step);
  const targets = [platform.url, aws.dynamo.url, aws.bus.url];
  const taps = await Promise.all(targets.map((target) => createTap({ target, onStep })));
  const [platformUrl = '', dynamoUrl = '', busUrl = ''] = taps.map(({ url }) => url);
  const env = {
    ...aws.env,
    AWS_ENDPOINT_URL_DYNAMODB: dynamoUrl,
    AWS_ENDPOINT_URL_EVENTBRIDGE: busUrl,
    PATH: process.env.PATH ?? '',
    TMPDIR: folder,
    RELAY_TENANT: 'acme',
    RELAY_BASE_URL: platformUrl,
    RELAY_SECRET_ID: SECRET,
    RELAY_TABLE: TABLE,
    RELAY_BUS: BUS,
    RELAY_START: 'now',
    RELAY_LOG_LEVEL: 'debug',
  };
  const children: { child: ChildProcess; ended: Promise<unknown> }[] = [];

  function start(settings: object = {}, changes: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
    const adapter = { interfaces: [{ name: INTERFACE }], longPollTimeoutSeconds: POLL_SECONDS, ...settings };
    const child = spawn(process.execPath, [ADAPTER, ...args], {
      cwd: folder,
      env: { ...env, RELAY_ADAPTER: JSON.stringify(adapter), ...changes },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const ended = new Promise<number | string>((resolve) => {
      child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
    });
    children.push({ child, ended });
    return {
      output: () => output,
      lines: () =>
        output
          .split('\n')
          .filter((line) => line.startsWith('{') && line.endsWith('}'))
          .map((line) => JSON.parse(line) as Record<string, unknown>),
      signal: (signal: NodeJS.Signals) => void child.kill(signal),
      ended,
    };
  }

  onTestFinished(async () => {
    for (const { child } of children) child.kill('SIGKILL');
    await Promise.all(children.map(({ ended }) => ended));
    dynamo.destroy();
    for (const { close } of taps) await close();
    await aws.close();
    await platform.close();
    rmSync(folder, { recursive: true });
  });

  const stage: ProcessStage = {
    platform,
    aws,
    folder,
    env,
    arrived: (source) => arrivals.filter(({ stream }) => source === undefined || stream.split('/')[0] === source),
    onStep: () => undefined,
    start,
    readMark: async (stream) => {
      const Key = { pk: { S: stream }, sk: { S: 'mark' } };
      return (await dynamo.send(new GetItemCommand({ TableName: TABLE, Key, ConsistentRead: true }))).Item ?? {};
    },
    endLease: async (stream) => {
      const command = new UpdateItemCommand({
        TableName: TABLE,
        Key: { pk: { S: stream }, sk: { S: 'mark' } },
        UpdateExpression: 'SET leaseEndMs = :past',
        ExpressionAttributeValues: { ':past': { N: '0' } },
      });
      await dynamo.send(command);
    },
    files: () => {
      const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      return Object.fromEntries(
        names.map(({ parentPath, name }) => {
          const path = join(parentPath, name);
          return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
        }),
      );
    },
  };
  return stage;
}
