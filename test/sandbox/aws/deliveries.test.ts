import { CreateEventBusCommand, EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterEach, expect, test } from 'vitest';
import { FAKE_CREDENTIALS } from '../../../sandbox/aws/credentials.ts';
import { createFunction, FunctionError } from '../../../sandbox/aws/function-host.ts';
import { createFunctions } from '../../../sandbox/aws/functions.ts';
import { countMessages, startAws } from './stage.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(options: Parameters<typeof startAws>[0] = {}) {
  const stage = await startAws(options);
  closers.push(stage.close);
  return stage;
}

const EVERYTHING = { source: ['supplier-platform.audit'] };
const texts = (messages: { Body?: string | undefined }[]) => messages.map(({ Body = '' }) => Body);

test('brings an event to a queue, in the shape of EventBridge and with every digit', async () => {
  const { aws, makeQueue, putRule, putTargets, put, receive } = await start();
  await putRule('r', EVERYTHING);
  await putTargets('r', [{ Id: 't', Arn: makeQueue('q') }]);
  await put(['profile_updated']);
  const [body = ''] = texts(await receive('q'));
  expect(body).toContain('"detail":{"n":12345678901234567890}');
  expect(JSON.parse(body)).toEqual(aws.bus.events[0]);
  expect(JSON.parse(body)).toMatchObject({
    version: '0',
    'detail-type': 'profile_updated',
    source: 'supplier-platform.audit',
    account: '111122223333',
    time: '2026-11-21T07:45:19Z',
    region: 'us-east-1',
    resources: ['tenant/acme'],
  });
});

test('brings an event once to each target of each rule that matches', async () => {
  const { aws, makeQueue, putRule, putTargets, put, receive } = await start();
  await putRule('one', EVERYTHING);
  await putRule('two', { 'detail-type': ['b'] });
  await putTargets('one', [
    { Id: 't', Arn: makeQueue('q') },
    { Id: 'u', Arn: makeQueue('other') },
  ]);
  await putTargets('two', [{ Id: 't', Arn: makeQueue('q') }]);
  await put(['a', 'b']);
  const types = texts(await receive('q', 3)).map((body) => JSON.parse(body)['detail-type']);
  expect(types.toSorted()).toEqual(['a', 'b', 'b']);
  await receive('other', 2);
  expect(aws.bus.deliveries).toEqual({ delivered: 5, deadLettered: 0, lost: 0 });
});

test('brings an event to another bus, by whose rules it goes on to a queue but to no third bus', async () => {
  const { aws, events, makeQueue, putRule, putTargets, put, receive } = await start();
  const second = await events.send(new CreateEventBusCommand({ Name: 'second' }));
  const third = await events.send(new CreateEventBusCommand({ Name: 'third' }));
  await putRule('on', EVERYTHING);
  await putTargets('on', [{ Id: 't', Arn: second.EventBusArn }]);
  await putRule('r', EVERYTHING, { EventBusName: 'second' });
  const DeadLetterConfig = { Arn: makeQueue('dead') };
  await putTargets(
    'r',
    [
      { Id: 'q', Arn: makeQueue('q') },
      { Id: 'b', Arn: third.EventBusArn, DeadLetterConfig },
    ],
    'second',
  );
  await put(['a']);
  expect(JSON.parse(texts(await receive('q'))[0] ?? '')).toEqual(aws.bus.events[0]);
  const [dead] = await receive('dead');
  expect(dead?.MessageAttributes).toMatchObject({ ERROR_CODE: { StringValue: 'THIRD_ACCOUNT_HOP_DETECTED' } });
});

test("brings an event to another account's bus, where it keeps its account", async () => {
  const here = await start();
  const there = await start({ accountId: '444455556666', bus: 'theirs' });
  here.aws.link(there.aws);
  await here.putRule('share', EVERYTHING);
  await here.putTargets('share', [{ Id: 't', Arn: 'arn:aws:events:us-east-1:444455556666:event-bus/theirs' }]);
  await there.putRule('all', EVERYTHING, { EventBusName: 'theirs' });
  await there.putTargets('all', [{ Id: 't', Arn: there.makeQueue('q') }], 'theirs');
  await here.put(['a']);
  expect(JSON.parse(texts(await there.receive('q'))[0] ?? '')).toMatchObject({ account: '111122223333' });
  expect(there.aws.bus.events).toEqual(here.aws.bus.events);
});

test('takes what another account puts on its bus by the ARN', async () => {
  const here = await start();
  const there = await start({ accountId: '444455556666', bus: 'theirs' });
  there.aws.link(here.aws);
  await there.put(['command'], here.aws.bus.arn);
  expect(here.aws.bus.events).toMatchObject([{ 'detail-type': 'command', account: '444455556666' }]);
});

test('calls a function in its own process', async () => {
  const { aws, putRule, putTargets, put, receive, makeQueue } = await start();
  const host = createFunction({
    module: new URL('./handlers/forwarder.ts', import.meta.url),
    env: { ...aws.env, QUEUE_URL: `${aws.queues.url}/q` },
    timeoutMs: 60_000,
  });
  closers.push(() => host.close());
  makeQueue('q');
  await putRule('r', EVERYTHING);
  await putTargets('r', [{ Id: 't', Arn: aws.functions.add('forwarder', host) }]);
  await put(['a', 'b']);
  const types = texts(await receive('q', 2)).map((body) => JSON.parse(body)['detail-type']);
  expect(types.toSorted()).toEqual(['a', 'b']);
});

test('tries a function that fails twice again, as Lambda does', async () => {
  const failures: string[] = [];
  const functions = createFunctions({
    region: 'us-east-1',
    accountId: '111122223333',
    onFailure: (name, { errorType }) => failures.push(`${name} ${errorType}`),
    retryMs: [1, 1],
  });
  closers.push(functions.close);
  const calls: unknown[] = [];
  const arn = functions.add('moody', {
    invoke: async (event) => {
      calls.push(event);
      throw new FunctionError({ errorType: 'Bad', errorMessage: 'mood', trace: [] });
    },
  });
  const event = { detail: {} } as never;
  await functions.find(arn)?.accept({ body: '{"n":1}', event, json: '' });
  await expect.poll(() => failures.length).toBe(3);
  expect(calls).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }]);
  expect(failures).toEqual(['moody Bad', 'moody Bad', 'moody Bad']);
});

test('keeps the event in the dead-letter queue where the target is gone, and says why', async () => {
  const { aws, makeQueue, putRule, putTargets, put, receive } = await start();
  await putRule('r', EVERYTHING);
  const Arn = 'arn:aws:sqs:us-east-1:111122223333:gone';
  await putTargets('r', [{ Id: 't', Arn, InputPath: '$.detail', DeadLetterConfig: { Arn: makeQueue('dead') } }]);
  await put(['a']);
  const [message] = await receive('dead');
  expect(JSON.parse(message?.Body ?? '')).toEqual(aws.bus.events[0]);
  expect(message?.MessageAttributes).toEqual({
    RULE_ARN: { DataType: 'String', StringValue: 'arn:aws:events:us-east-1:111122223333:rule/relay/r' },
    TARGET_ARN: { DataType: 'String', StringValue: Arn },
    ERROR_CODE: { DataType: 'String', StringValue: 'NO_RESOURCE' },
    ERROR_MESSAGE: { DataType: 'String', StringValue: `The target ${Arn} does not exist.` },
  });
  await expect.poll(() => aws.bus.deliveries).toEqual({ delivered: 0, deadLettered: 1, lost: 0 });
});

test('tries again until the target answers', async () => {
  const { aws, makeQueue, putRule, putTargets, put, receive } = await start();
  await putRule('r', EVERYTHING);
  await putTargets('r', [{ Id: 't', Arn: makeQueue('q') }]);
  let refused = 0;
  aws.queues.faults.refuse = (operation) => {
    if (operation !== 'SendMessage' || refused === 2) return undefined;
    refused += 1;
    return { status: 503, code: 'ServiceUnavailable' };
  };
  await put(['a']);
  await receive('q');
  expect(refused).toBe(2);
  expect(countMessages(aws, 'q')).toBe(1);
});

test('gives up after the attempts of the retry policy', async () => {
  const { aws, makeQueue, putRule, putTargets, put } = await start();
  await putRule('r', EVERYTHING);
  await putTargets('r', [
    {
      Id: 't',
      Arn: makeQueue('q'),
      RetryPolicy: { MaximumRetryAttempts: 1 },
      DeadLetterConfig: { Arn: makeQueue('dead') },
    },
  ]);
  let asked = 0;
  // The queue answers again when the dead letter comes.
  aws.queues.faults.refuse = (operation) =>
    operation === 'SendMessage' && asked++ < 2 ? { status: 503, code: 'ServiceUnavailable' } : undefined;
  await put(['a']);
  await expect.poll(() => aws.bus.deliveries).toEqual({ delivered: 0, deadLettered: 1, lost: 0 });
  const [message] = await aws.queues
    .find('arn:aws:sqs:us-east-1:111122223333:dead')!
    .receive({ most: 1, signal: AbortSignal.timeout(60_000) });
  expect(message?.attributes).toMatchObject({
    ERROR_CODE: { StringValue: 'ERROR_FROM_TARGET' },
    EXHAUSTED_RETRY_CONDITION: { StringValue: 'MaximumRetryAttempts' },
    RETRY_ATTEMPTS: { StringValue: '1' },
  });
});

test('gives up once the event is too old', async () => {
  let nowMs = Date.now();
  const { aws, makeQueue, putRule, putTargets, put } = await start({ clock: () => nowMs });
  await putRule('r', EVERYTHING);
  await putTargets('r', [{ Id: 't', Arn: makeQueue('q'), RetryPolicy: { MaximumEventAgeInSeconds: 60 } }]);
  aws.queues.faults.refuse = (operation) => {
    if (operation !== 'SendMessage') return undefined;
    nowMs += 30_000;
    return { status: 503, code: 'ServiceUnavailable' };
  };
  await put(['a']);
  await expect.poll(() => aws.bus.deliveries).toEqual({ delivered: 0, deadLettered: 0, lost: 1 });
});

test('stops trying when it is closed', async () => {
  const { aws, makeQueue, putRule, putTargets, put } = await start();
  await putRule('r', EVERYTHING);
  await putTargets('r', [{ Id: 't', Arn: makeQueue('q') }]);
  let refused = 0;
  aws.queues.faults.refuse = () => {
    refused += 1;
    return { status: 503, code: 'ServiceUnavailable' };
  };
  await put(['a']);
  await aws.bus.close();
  const before = refused;
  const client = new EventBridgeClient({
    endpoint: aws.bus.url,
    region: 'us-east-1',
    credentials: FAKE_CREDENTIALS,
    maxAttempts: 1,
  });
  await expect(client.send(new PutEventsCommand({ Entries: [] }))).rejects.toThrow();
  expect(refused).toBe(before);
  expect(aws.bus.deliveries.delivered).toBe(0);
});
