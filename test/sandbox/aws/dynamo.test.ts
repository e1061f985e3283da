import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, expect, test } from 'vitest';
import { FAKE_CREDENTIALS } from '../../../sandbox/aws/credentials.ts';
import { createDynamo } from '../../../sandbox/aws/dynamo.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const TableName = 'relay';
const key = (sk: string) => ({ pk: { S: 'audit' }, sk: { S: sk } });

async function start(folder?: string) {
  const dynamo = await createDynamo(folder === undefined ? {} : { folder });
  await dynamo.createTable(TableName);
  dynamo.resetCounts();
  const client = new DynamoDBClient({ endpoint: dynamo.url, region: 'us-east-1', credentials: FAKE_CREDENTIALS });
  const close = async () => {
    client.destroy();
    await dynamo.close();
  };
  closers.push(close);
  return { dynamo, client, close };
}

test('has an active table, whose creation may be repeated', async () => {
  const { dynamo, client } = await start();
  await dynamo.createTable(TableName);
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  expect(Table).toMatchObject({ TableStatus: 'ACTIVE', BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' } });
});

test('updates under a condition and returns the new item', async () => {
  const { client, dynamo } = await start();
  const acquire = (owner: string, now: number) =>
    client.send(
      new UpdateItemCommand({
        TableName,
        Key: key('mark'),
        UpdateExpression:
          'SET #owner = :owner, #end = :end, seen = list_append(if_not_exists(seen, :none), :seen) ADD epoch :one',
        ConditionExpression: 'attribute_not_exists(pk) OR #end < :now OR #owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner', '#end': 'end' },
        ExpressionAttributeValues: {
          ':owner': { S: owner },
          ':now': { N: String(now) },
          ':end': { N: String(now + 60) },
          ':one': { N: '1' },
          ':none': { L: [] },
          ':seen': { L: [{ S: owner }] },
        },
        ReturnValues: 'ALL_NEW',
      }),
    );
  expect((await acquire('a', 100)).Attributes).toEqual({
    ...key('mark'),
    owner: { S: 'a' },
    end: { N: '160' },
    epoch: { N: '1' },
    seen: { L: [{ S: 'a' }] },
  });
  await expect(acquire('b', 150)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
  expect((await acquire('b', 161)).Attributes).toMatchObject({
    epoch: { N: '2' },
    seen: { L: [{ S: 'a' }, { S: 'b' }] },
  });
  expect(dynamo.requests).toEqual({ UpdateItem: 3 });
});

test('lets one of many win a condition', async () => {
  const { client } = await start();
  const attempts = Array.from({ length: 20 }, (_, owner) =>
    client.send(
      new PutItemCommand({
        TableName,
        Item: { ...key('mark'), owner: { N: String(owner) } },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    ),
  );
  const results = await Promise.allSettled(attempts);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('writes 25 items at once and reads a range of them, page by page', async () => {
  const { client } = await start();
  const bytes = new Uint8Array(100_000).fill(200);
  const items = Array.from({ length: 25 }, (_, n) => ({
    ...key(`seen#${String(n).padStart(2, '0')}`),
    b: { B: bytes },
  }));
  const written = await client.send(
    new BatchWriteItemCommand({ RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } }),
  );
  expect(written.UnprocessedItems).toEqual({});

  const pages: Record<string, AttributeValue>[][] = [];
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': { S: 'audit' }, ':from': { S: 'seen#01' }, ':to': { S: 'seen#23' } },
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    );
    pages.push(page.Items ?? []);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  // Eleven items of 100 kB pass the megabyte that ends a page.
  expect(pages.map((page) => page.length)).toEqual([11, 11, 1]);
  expect(pages.flat()).toEqual(items.slice(1, 24));
});

test('refuses an item over 400 KB', async () => {
  const { client } = await start();
  const put = (bytes: number) =>
    client.send(new PutItemCommand({ TableName, Item: { ...key('x'), b: { B: new Uint8Array(bytes) } } }));
  await put(409_000);
  await expect(put(409_700)).rejects.toMatchObject({ name: 'ValidationException' });
});

test('finds what it kept on disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dynamo-'));
  closers.push(() => rm(folder, { recursive: true }));
  const Item = { ...key('mark'), n: { N: '1' } };
  const before = await start(folder);
  await before.client.send(new PutItemCommand({ TableName, Item }));
  await before.close();
  closers.pop();
  const after = await start(folder);
  const read = await after.client.send(new GetItemCommand({ TableName, Key: key('mark'), ConsistentRead: true }));
  expect(read.Item).toEqual(Item);
  // The folder goes last.
  closers.reverse();
});
