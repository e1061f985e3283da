import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CreateQueueCommand, DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantInput } from '../../infra/tenant.ts';
import { createWebhooks, type Webhooks } from '../../sandbox/console/webhooks.ts';
import { createPlatform, type Platform } from '../../sandbox/platform/platform.ts';
import { type Deployed, deployTenant } from './deploy-tenant.ts';
import { ACCOUNT, type Ministack, REGION, startMinistack } from './ministack.ts';

/** An event as a subscriber finds it in a queue. */
interface Delivered {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: { readonly id: string; readonly type: string; readonly data: { readonly record: unknown } };
}

const closers: (() => unknown)[] = [];
let platform: Platform;
let webhooks: Webhooks;
let ministack: Ministack;
let deployed: Deployed;
let sqs: SQSClient;
let eventBridge: EventBridgeClient;
const urls: Record<string, string> = {};

beforeAll(async () => {
  platform = await createPlatform();
  closers.push(() => platform.close());
  webhooks = await createWebhooks();
  closers.push(() => webhooks.close());
  ministack = await startMinistack();
  closers.push(() => ministack.close());
  const client = {
    endpoint: ministack.url,
    region: REGION,
    credentials: { accessKeyId: ACCOUNT, secretAccessKey: 'test' },
  };
  sqs = new SQSClient(client);
  eventBridge = new EventBridgeClient(client);
  for (const name of ['audit', 'adapter', 'relay']) {
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: name }));
    urls[name] = QueueUrl ?? '';
  }
  deployed = await deployTenant(ministack, describeTenant());
  closers.push(() => deployed.remove());
  console.log(`Not in this deployment, because the emulator does not know it:\n  ${deployed.leftOut.join('\n  ')}`);
  console.log(
    'Not shown by it: permissions (IAM is not enforced), retries and dead letters of rules and schedules, alarms, ' +
      'time to live, recovery, Fargate (the adapter runs as a process). The tests of the template assert these.',
  );

  const secrets = new SecretsManagerClient(client);
  const put = (command: string | undefined, SecretString: string) => {
    const [, SecretId] = /--secret-id (\S+)/.exec(command ?? '') ?? [];
    return secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
  };
  await put(deployed.outputs.PutApiKey, platform.apiKey);
  await put(deployed.outputs.PutWebhooks, JSON.stringify({ keys: webhooks.open('slack', 'keys') }));
});

afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

test('a deployed poller publishes what the platform shows, once, and a rule delivers it', async () => {
  const ids = idsOf(platform.add(250));
  expect(await poll()).toMatchObject({ published: 250, parked: 0 });
  expect(await poll()).toMatchObject({ published: 0 });
  const events = await receive('audit', 250);
  expect(events.map(({ detail }) => detail.id).sort()).toEqual(ids.sort());
});

test('the schedule polls by itself', async () => {
  const ids = idsOf(platform.add(7));
  const events = await receive('audit', 7);
  expect(events.map(({ detail }) => detail.id).sort()).toEqual(ids.sort());
});

test('an alert reaches its webhook by way of rule, queue and notifier', async () => {
  const eventTime = new Date().toISOString();
  platform.add([{ id: 'alerting', eventType: 'api_key_created', eventTime, keyName: 'made-by-the-test' }]);
  await poll();
  const received = () => JSON.stringify(webhooks.received.filter(({ channel }) => channel === 'slack'));
  await expect.poll(received, { timeout: 120_000, interval: 200 }).toContain('made-by-the-test');
  await receive('audit', 1);
});

test('a command of a named account updates a profile, and its outcome is an event', async () => {
  const { publicId } = platform.organisation.suppliers[0] ?? expect.fail('there is no supplier');
  const command = {
    id: 'command-1',
    type: 'profile.update',
    data: { publicId, answers: { bankAccountHolder: 'Made by the test' } },
  };
  await eventBridge.send(
    new PutEventsCommand({
      Entries: [
        {
          EventBusName: deployed.outputs.BusArn,
          Source: 'supplier-platform.command',
          DetailType: command.type,
          Detail: JSON.stringify(command),
        },
      ],
    }),
  );
  const [outcome] = await receive('relay', 1);
  expect(outcome?.['detail-type']).toBe('profile.updated');
});

test('the adapter runs with the environment of its task and publishes what it is handed', async () => {
  const adapter = spawn(process.execPath, [`${deployed.bundles}/adapter/adapter.mjs`], {
    cwd: deployed.bundles,
    env: { PATH: process.env.PATH, ...ministack.env, ...(await readTaskEnvironment()) },
    stdio: 'ignore',
  });
  const exited = once(adapter, 'exit');
  const sent = platform.adapter.send('eventbridge');
  const [event] = await receive('adapter', 1);
  expect(event?.source).toBe('supplier-platform.long-poll');
  expect(event?.detail.data.record).toEqual(sent);
  adapter.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

function describeTenant(): TenantInput {
  const queue = (name: string) => `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`;
  return {
    id: 'acme',
    baseUrl: platform.url,
    start: 'P1D',
    alerts: [{ name: 'keys', pattern: 'api-key-changed', channel: 'slack', fields: { Key: 'data.record.keyName' } }],
    subscriptions: [
      { name: 'audit', pattern: { source: ['supplier-platform.audit'] }, target: queue('audit') },
      { name: 'adapter', pattern: { source: ['supplier-platform.long-poll'] }, target: queue('adapter') },
      { name: 'relay', pattern: { source: ['supplier-platform.relay'] }, target: queue('relay') },
    ],
    adapter: { interfaces: [{ name: 'eventbridge' }], longPollTimeoutSeconds: 5 },
    adapterImage: 'adapter:test',
    profileUpdates: { accounts: [ACCOUNT] },
  };
}

/** Invokes the deployed function as `aws lambda invoke` does. */
function poll(): Promise<unknown> {
  const path = `/2015-03-31/functions/${deployed.outputs.PollerName}/invocations`;
  return ministack.ask({ service: 'lambda', path, body: {} });
}

/** Receives so many events from a queue, each once. */
async function receive(name: string, count: number): Promise<Delivered[]> {
  const QueueUrl = urls[name];
  const events: Delivered[] = [];
  while (events.length < count) {
    const receiveSome = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 5 });
    const { Messages: messages = [] } = await sqs.send(receiveSome);
    if (messages.length === 0) continue;
    events.push(...messages.map(({ Body }) => JSON.parse(Body ?? '')));
    const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
  return events;
}

const idsOf = (rows: ReturnType<Platform['add']>): string[] => rows.map(({ id }) => id);

/** Reads the environment of the task that was deployed, as Fargate would give it to the process. */
async function readTaskEnvironment(): Promise<Record<string, string>> {
  const target = (name: string) => `AmazonEC2ContainerServiceV20141113.${name}`;
  const { taskDefinitionArns } = (await ministack.ask({
    service: 'ecs',
    target: target('ListTaskDefinitions'),
    body: {},
  })) as { taskDefinitionArns: string[] };
  const { taskDefinition } = (await ministack.ask({
    service: 'ecs',
    target: target('DescribeTaskDefinition'),
    body: { taskDefinition: taskDefinitionArns[0] },
  })) as { taskDefinition: { containerDefinitions: { environment: { name: string; value: string }[] }[] } };
  const [container] = taskDefinition.containerDefinitions;
  return Object.fromEntries((container?.environment ?? []).map(({ name, value }) => [name, value]));
}
