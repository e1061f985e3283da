import { afterEach, expect, test } from 'vitest';
import { createFunction, type FunctionHost } from '../../../sandbox/aws/function-host.ts';
import { createQueue } from '../../../sandbox/aws/queue.ts';
import { connectQueue } from '../../../sandbox/aws/queue-mapping.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Batch = { size: number; failed: number; error?: unknown };
type Invoke = FunctionHost['invoke'];
type Records = { Records: { messageId: string; body: string; attributes: Record<string, string> }[] };

/** Connects a queue, whose dead letters go to another one, with a function. */
function start(invoke: Invoke, options: Partial<Parameters<typeof connectQueue>[0]> = {}) {
  const time = { ms: Date.now() };
  const parts = { findQueue: () => dead, clock: () => time.ms };
  const dead = createQueue({ ...parts, name: 'dead', arn: 'arn:dead', attributes: {} });
  const queue = createQueue({
    ...parts,
    name: 'alerts',
    arn: 'arn:aws:sqs:us-east-1:111122223333:alerts',
    attributes: { RedrivePolicy: '{"deadLetterTargetArn":"arn:dead","maxReceiveCount":2}' },
  });
  const batches: Batch[] = [];
  const connect = () => {
    const mapping = connectQueue({
      queue,
      function: { invoke },
      onBatch: (batch) => batches.push(batch),
      ...options,
    });
    closers.push(mapping.close);
    return mapping;
  };
  const send = (...bodies: string[]) => bodies.map((body) => queue.send({ body }).id);
  const left = () => {
    const { ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible } = queue.describe();
    return Number(ApproximateNumberOfMessages) + Number(ApproximateNumberOfMessagesNotVisible);
  };
  return { queue, dead, batches, connect, send, left, time };
}

const bodiesOf = (event: unknown) => (event as Records).Records.map(({ body }) => body);

test("calls the function in its own process, with events of Lambda's shape", async () => {
  const host = createFunction({ module: new URL('./handlers/mirror.ts', import.meta.url), env: {}, timeoutMs: 60_000 });
  closers.push(host.close);
  let seen: unknown;
  const { connect, queue, batches, left } = start(async (event) => {
    seen = await host.invoke(event);
    return undefined;
  });
  const attributes = { k: { DataType: 'String', StringValue: 'v' } };
  const { id, bodyMd5 } = queue.send({ body: '{"alert":"a"}', attributes });
  connect();
  await expect.poll(() => batches, { timeout: 60_000 }).toEqual([{ size: 1, failed: 0 }]);
  expect(seen).toEqual({
    Records: [
      {
        messageId: id,
        receiptHandle: expect.any(String),
        body: '{"alert":"a"}',
        attributes: {
          ApproximateReceiveCount: '1',
          SentTimestamp: expect.stringMatching(/^\d{13}$/),
          SenderId: expect.any(String),
          ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
        },
        messageAttributes: { k: { dataType: 'String', stringValue: 'v', stringListValues: [], binaryListValues: [] } },
        md5OfBody: bodyMd5,
        eventSource: 'aws:sqs',
        eventSourceARN: 'arn:aws:sqs:us-east-1:111122223333:alerts',
        awsRegion: 'us-east-1',
      },
    ],
  });
  expect(left()).toBe(0);
});

test('fills batches up to their size, one call at a time', async () => {
  const calls: string[][] = [];
  let running = 0;
  const { connect, send, batches } = start(
    async (event) => {
      running += 1;
      expect(running).toBe(1);
      calls.push(bodiesOf(event));
      await Promise.resolve();
      running -= 1;
    },
    { batchSize: 2 },
  );
  send('a', 'b', 'c');
  connect();
  await expect.poll(() => batches.length).toBe(2);
  expect(calls).toEqual([['a', 'b'], ['c']]);
});

test('waits for a batch to fill up', async () => {
  const calls: string[][] = [];
  const { connect, send } = start(async (event) => void calls.push(bodiesOf(event)), {
    batchSize: 3,
    windowSeconds: 60,
  });
  connect();
  send('a', 'b');
  send('c');
  await expect.poll(() => calls).toEqual([['a', 'b', 'c']]);
});

test('keeps a batch within what a call carries', async () => {
  const calls: number[] = [];
  const { connect, send } = start(async (event) => void calls.push(JSON.stringify(event).length));
  send(...Array.from({ length: 9 }, () => 'x'.repeat(1_000_000)));
  connect();
  await expect.poll(() => calls.length).toBe(2);
  expect(Math.max(...calls)).toBeLessThan(6_291_456);
});

test('deletes what succeeded and gives the rest again, until the queue gives it up', async () => {
  let failing: string[] = [];
  const counts: string[] = [];
  const { connect, send, batches, left, time, dead } = start(
    async (event) => {
      counts.push(...(event as Records).Records.map(({ attributes }) => attributes.ApproximateReceiveCount ?? ''));
      return { batchItemFailures: failing.map((itemIdentifier) => ({ itemIdentifier })) };
    },
    { reportBatchItemFailures: true },
  );
  const [, bad = ''] = send('good', 'bad', 'good');
  failing = [bad];
  connect();
  await expect.poll(() => batches).toEqual([{ size: 3, failed: 1 }]);
  expect(left()).toBe(1);
  time.ms += 30_000;
  await expect.poll(() => batches.length).toBe(2);
  expect(counts).toEqual(['1', '1', '1', '2']);
  time.ms += 30_000;
  await expect.poll(() => dead.describe().ApproximateNumberOfMessages).toBe('1');
  expect(batches).toHaveLength(2);
  expect(left()).toBe(0);
});

test.each([
  ['throws', () => Promise.reject(new Error('mood'))],
  [
    'names a message that was not in the batch',
    () => Promise.resolve({ batchItemFailures: [{ itemIdentifier: 'x' }] }),
  ],
  ['answers something else', () => Promise.resolve({ batchItemFailures: 'all of them' })],
])('deletes nothing where the function %s', async (_, invoke) => {
  const { connect, send, batches, left } = start(invoke, { reportBatchItemFailures: true });
  send('a', 'b');
  connect();
  await expect.poll(() => batches.map(({ size, failed }) => ({ size, failed }))).toEqual([{ size: 2, failed: 2 }]);
  expect(left()).toBe(2);
});

test('does not listen to what the function says of single messages unless it is told to', async () => {
  const { connect, send, batches, left } = start(async () => ({ batchItemFailures: [{ itemIdentifier: 'x' }] }));
  send('a');
  connect();
  await expect.poll(() => batches).toEqual([{ size: 1, failed: 0 }]);
  expect(left()).toBe(0);
});

test('waits for the call under way when it is closed, and receives no more', async () => {
  const { promise: called, resolve: tell } = Promise.withResolvers<void>();
  const { promise: finish, resolve: end } = Promise.withResolvers<void>();
  const { connect, send, left } = start(async () => {
    tell();
    await finish;
  });
  send('a');
  const mapping = connect();
  await called;
  send('b');
  const closed = mapping.close();
  end();
  await closed;
  expect(left()).toBe(1);
});
