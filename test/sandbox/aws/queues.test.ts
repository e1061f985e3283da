import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SendMessageCommandInput,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, expect, test } from 'vitest';
import { FAKE_CREDENTIALS } from '../../../sandbox/aws/credentials.ts';
import { createQueues } from '../../../sandbox/aws/queues.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Starts an SQS with one queue and a clock that only the test moves. */
async function start(attributes: Record<string, string> = {}) {
  const time = { ms: Date.parse('2026-01-02T03:04:05.678Z') };
  const queues = await createQueues({ clock: () => time.ms });
  const client = new SQSClient({
    endpoint: queues.url,
    region: 'us-east-1',
    credentials: FAKE_CREDENTIALS,
    maxAttempts: 1,
  });
  closers.push(() => client.destroy(), queues.close);
  const create = async (name: string, own: Record<string, string> = {}) => {
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: name, Attributes: own }));
    return QueueUrl ?? '';
  };
  const url = await create('alerts', attributes);
  const send = (MessageBody: string, more: Partial<SendMessageCommandInput> = {}) =>
    client.send(new SendMessageCommand({ QueueUrl: url, MessageBody, ...more }));
  const receive = async (more: Partial<ReceiveMessageCommandInput> = {}) =>
    (await client.send(new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10, ...more }))).Messages ?? [];
  const bodies = async (more: Partial<ReceiveMessageCommandInput> = {}) =>
    (await receive(more)).map(({ Body }) => Body);
  const attributesOf = async (QueueUrl = url) =>
    (await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes ?? {};
  const pass = (seconds: number) => {
    time.ms += seconds * 1000;
  };
  return { queues, client, url, create, send, receive, bodies, attributesOf, pass };
}

test('gives a message with all that a receiver asks for', async () => {
  const { send, receive } = await start();
  const { MessageId } = await send('{"n":12345678901234567890,"text":"é 🎉"}', {
    MessageAttributes: {
      ERROR_CODE: { DataType: 'String', StringValue: 'NO_RESOURCE' },
      bytes: { DataType: 'Binary', BinaryValue: Buffer.from([0, 255]) },
    },
  });
  const [message] = await receive({
    MessageSystemAttributeNames: ['All'],
    MessageAttributeNames: ['ERROR_*', 'bytes'],
  });
  expect(message).toMatchObject({
    MessageId,
    ReceiptHandle: expect.any(String),
    Body: '{"n":12345678901234567890,"text":"é 🎉"}',
    Attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: String(Date.parse('2026-01-02T03:04:05.678Z')),
      ApproximateFirstReceiveTimestamp: String(Date.parse('2026-01-02T03:04:05.678Z')),
    },
    MessageAttributes: { bytes: { DataType: 'Binary', BinaryValue: new Uint8Array([0, 255]) } },
  });
  expect(message?.MessageAttributes).not.toHaveProperty('ERROR_CODE');
});

test('leaves out the attributes that nobody asks for', async () => {
  const { send, receive } = await start();
  await send('a', { MessageAttributes: { k: { DataType: 'String', StringValue: 'v' } } });
  const [message] = await receive();
  expect(message).not.toHaveProperty('Attributes');
  expect(message).not.toHaveProperty('MessageAttributes');
});

test('hides a received message for the visibility time-out, then gives it again', async () => {
  const { send, receive, bodies, pass } = await start({ VisibilityTimeout: '60' });
  await send('a');
  expect(await bodies()).toEqual(['a']);
  pass(59);
  expect(await bodies()).toEqual([]);
  pass(1);
  const [again] = await receive({ MessageSystemAttributeNames: ['ApproximateReceiveCount'], VisibilityTimeout: 5 });
  expect(again?.Attributes).toEqual({ ApproximateReceiveCount: '2' });
  pass(5);
  expect(await bodies()).toEqual(['a']);
});

test('deletes by the latest receipt only', async () => {
  const { client, url, send, receive, pass } = await start();
  await send('a');
  const [first] = await receive();
  pass(30);
  const [second] = await receive();
  await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: first?.ReceiptHandle }));
  pass(30);
  const [third] = await receive();
  expect(third?.MessageId).toBe(second?.MessageId);
  await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: third?.ReceiptHandle }));
  pass(30);
  expect(await receive()).toEqual([]);
});

test('changes how long a message stays hidden, while it is in flight', async () => {
  const { client, url, send, receive, bodies, pass } = await start();
  await send('a');
  const [message] = await receive();
  const change = (VisibilityTimeout: number) =>
    client.send(
      new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle: message?.ReceiptHandle, VisibilityTimeout }),
    );
  await change(300);
  pass(299);
  expect(await bodies()).toEqual([]);
  await change(0);
  await expect(change(0)).rejects.toMatchObject({ name: 'MessageNotInflight' });
  expect(await bodies()).toEqual(['a']);
});

test('waits for a message to come', async () => {
  const { queues, send, bodies } = await start();
  const waiting = bodies({ WaitTimeSeconds: 20 });
  await expect.poll(() => queues.requests.ReceiveMessage, { interval: 5 }).toBe(1);
  await send('late');
  expect(await waiting).toEqual(['late']);
});

test('waits for a hidden message to become visible', async () => {
  const { queues, send, bodies, pass } = await start();
  await send('a');
  await bodies();
  const waiting = bodies({ WaitTimeSeconds: 20 });
  await expect.poll(() => queues.requests.ReceiveMessage, { interval: 5 }).toBe(2);
  pass(30);
  expect(await waiting).toEqual(['a']);
});

test('answers a wait with nothing when its time is over', async () => {
  const { bodies } = await start();
  expect(await bodies({ WaitTimeSeconds: 1 })).toEqual([]);
});

test('takes nothing out for a receiver that is gone', async () => {
  const { queues, url, send, bodies, client } = await start();
  const gone = new AbortController();
  const waiting = client.send(new ReceiveMessageCommand({ QueueUrl: url, WaitTimeSeconds: 20 }), {
    abortSignal: gone.signal,
  });
  await expect.poll(() => queues.requests.ReceiveMessage, { interval: 5 }).toBe(1);
  gone.abort();
  await expect(waiting).rejects.toThrow();
  await send('a');
  expect(await bodies()).toEqual(['a']);
});

test('takes nothing out for a receiver that was gone before', async () => {
  const { queues, send, bodies } = await start();
  await send('a');
  const queue = queues.find('arn:aws:sqs:us-east-1:111122223333:alerts');
  expect(await queue?.receive({ most: 1, signal: AbortSignal.abort() })).toEqual([]);
  expect(await bodies()).toEqual(['a']);
});

test('holds back a delayed message', async () => {
  const { send, bodies, pass, attributesOf } = await start({ DelaySeconds: '10' });
  await send('later');
  await send('now', { DelaySeconds: 0 });
  expect(await bodies()).toEqual(['now']);
  expect(await attributesOf()).toMatchObject({
    ApproximateNumberOfMessages: '0',
    ApproximateNumberOfMessagesNotVisible: '1',
    ApproximateNumberOfMessagesDelayed: '1',
  });
  pass(10);
  expect(await bodies()).toEqual(['later']);
});

test('forgets a message after its retention', async () => {
  const { send, bodies, pass } = await start({ MessageRetentionPeriod: '60' });
  await send('a');
  pass(60);
  expect(await bodies()).toEqual([]);
});

test('gives up a message that was received too often, to the dead-letter queue', async () => {
  const { client, url, create, send, receive, bodies, pass, attributesOf } = await start();
  const dead = await create('dead');
  const { QueueArn } = await attributesOf(dead);
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: QueueArn, maxReceiveCount: 2 });
  await client.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: { RedrivePolicy } }));
  const { MessageId } = await send('poison', { MessageAttributes: { k: { DataType: 'String', StringValue: 'v' } } });
  for (const _ of [1, 2]) {
    expect(await bodies()).toEqual(['poison']);
    pass(30);
  }
  expect(await bodies()).toEqual([]);
  const [message] = await receive({
    QueueUrl: dead,
    MessageSystemAttributeNames: ['DeadLetterQueueSourceArn'],
    MessageAttributeNames: ['All'],
  });
  expect(message).toMatchObject({
    MessageId,
    Body: 'poison',
    Attributes: { DeadLetterQueueSourceArn: 'arn:aws:sqs:us-east-1:111122223333:alerts' },
    MessageAttributes: { k: { StringValue: 'v' } },
  });
  await client.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: { RedrivePolicy: '' } }));
  expect(await attributesOf()).toMatchObject({ RedrivePolicy: '' });
});

test('sends and deletes batches, and says which entries failed', async () => {
  const { client, url, bodies, receive } = await start();
  const entries = ['a', 'b', ''].map((MessageBody, index) => ({ Id: `e${index}`, MessageBody }));
  const sent = await client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: entries }));
  expect(sent.Successful?.map(({ Id }) => Id)).toEqual(['e0', 'e1']);
  expect(sent.Failed).toMatchObject([{ Id: 'e2', SenderFault: true, Code: 'MissingParameter' }]);
  const received = await receive();
  const gone = received.map(({ ReceiptHandle }, index) => ({ Id: `d${index}`, ReceiptHandle }));
  const deleted = await client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries: gone }));
  expect(deleted.Successful?.map(({ Id }) => Id)).toEqual(['d0', 'd1']);
  expect(await bodies()).toEqual([]);
});

test.each([
  ['EmptyBatchRequest', []],
  ['TooManyEntriesInBatchRequest', Array.from({ length: 11 }, (_, index) => `e${index}`)],
  ['BatchEntryIdsNotDistinct', ['a', 'a']],
  ['InvalidBatchEntryId', ['a b']],
])('refuses a batch with %s', async (name, ids) => {
  const { client, url, bodies } = await start();
  const Entries = ids.map((Id) => ({ Id, MessageBody: 'x' }));
  const error = await client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries })).catch((e: unknown) => e);
  expect(error).toMatchObject({ name, Error: { Code: `AWS.SimpleQueueService.${name}` } });
  expect(await bodies()).toEqual([]);
});

test('refuses a batch that is too large as a whole', async () => {
  const { client, url } = await start();
  const Entries = ['a', 'b'].map((Id) => ({ Id, MessageBody: 'x'.repeat(600_000) }));
  await expect(client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }))).rejects.toMatchObject({
    name: 'BatchRequestTooLong',
  });
});

test('takes a message up to its limit in bytes, attributes included', async () => {
  const { send } = await start();
  const attribute = { MessageAttributes: { k: { DataType: 'String', StringValue: 'v' } } };
  const room = 1_048_576 - 'kStringv'.length;
  await send('é'.repeat(room / 2), attribute);
  await expect(send(`${'é'.repeat(room / 2)}x`, attribute)).rejects.toThrow(/must be shorter than 1048576 bytes/);
});

test('refuses characters that XML cannot carry', async () => {
  const { send } = await start();
  await send('tab\t and emoji 🎉');
  await expect(send('bell \u0007')).rejects.toMatchObject({ name: 'InvalidMessageContents' });
});

test('creates a queue once, and not with other attributes', async () => {
  const { create, url } = await start({ VisibilityTimeout: '60' });
  expect(await create('alerts')).toBe(url);
  expect(await create('alerts', { VisibilityTimeout: '60' })).toBe(url);
  await expect(create('alerts', { VisibilityTimeout: '61' })).rejects.toMatchObject({ name: 'QueueNameExists' });
});

test.each([
  [{ FifoQueue: 'true' }, 'InvalidAttributeName'],
  [{ VisibilityTimeout: '43201' }, 'InvalidAttributeValue'],
  [{ VisibilityTimeout: 'long' }, 'InvalidAttributeValue'],
  [{ RedrivePolicy: '{"maxReceiveCount":3}' }, 'InvalidAttributeValue'],
  [
    { RedrivePolicy: '{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:111122223333:none","maxReceiveCount":3}' },
    'InvalidParameterValue',
  ],
])('refuses to create a queue with %j', async (attributes, name) => {
  const { create, client } = await start();
  await expect(create('other', attributes)).rejects.toMatchObject({ name });
  expect((await client.send(new ListQueuesCommand({ QueueNamePrefix: 'other' }))).QueueUrls).toBeUndefined();
});

test('lists, purges and deletes queues', async () => {
  const { client, url, create, send, bodies, attributesOf } = await start();
  const other = await create('other');
  expect((await client.send(new ListQueuesCommand({}))).QueueUrls).toEqual([url, other]);
  expect((await client.send(new ListQueuesCommand({ QueueNamePrefix: 'o' }))).QueueUrls).toEqual([other]);
  await send('a');
  expect(await attributesOf()).toMatchObject({ ApproximateNumberOfMessages: '1', VisibilityTimeout: '30' });
  await client.send(new PurgeQueueCommand({ QueueUrl: url }));
  expect(await bodies()).toEqual([]);
  await client.send(new DeleteQueueCommand({ QueueUrl: url }));
  const error = await client.send(new GetQueueUrlCommand({ QueueName: 'alerts' })).catch((e: unknown) => e);
  expect(error).toMatchObject({
    name: 'QueueDoesNotExist',
    Error: { Code: 'AWS.SimpleQueueService.NonExistentQueue' },
  });
});
