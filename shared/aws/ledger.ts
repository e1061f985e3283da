import { BatchWriteItemCommand, type DynamoDBClient, paginateQuery, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { type Backoff, fullJitterMs } from '../backoff.ts';
import type { Random, SeenItem, SeenStore, Sleep } from '../relay/ports.ts';

/**
 * Most items in one BatchWriteItem.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
 */
const MOST_ITEMS = 25;
const HASH_BYTES = 12;
const BACKOFF: Backoff = { baseMs: 50, capMs: 2_000 };
const MOST_ATTEMPTS = 10;

/** Makes the store of a stream's ledger in the relay's table. */
export function createDynamoSeenStore(parts: {
  client: DynamoDBClient;
  table: string;
  stream: string;
  sleep: Sleep;
  random: Random;
}): SeenStore {
  const { client, table, stream, sleep, random } = parts;

  async function writeBatch(items: readonly SeenItem[]): Promise<void> {
    let requests: WriteRequest[] = items.map(({ bucket, serial, hashes, expiresAtSeconds }) => ({
      PutRequest: {
        Item: {
          pk: { S: stream },
          sk: { S: `seen#${bucket}#${serial}` },
          hashes: { B: Buffer.from(hashes.join(''), 'base64') },
          expiresAt: { N: String(expiresAtSeconds) },
        },
      },
    }));
    for (let attempt = 0; requests.length > 0; attempt++) {
      if (attempt === MOST_ATTEMPTS) throw new Error(`DynamoDB left ${requests.length} items of the ledger unwritten`);
      if (attempt > 0) await sleep(fullJitterMs(attempt, BACKOFF, random));
      const { UnprocessedItems: left } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [table]: requests } }),
      );
      requests = left?.[table] ?? [];
    }
  }

  return {
    async read(fromBucket, toBucket) {
      const items: { bucket: string; hashes: string[] }[] = [];
      const pages = paginateQuery(
        { client },
        {
          TableName: table,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: {
            ':pk': { S: stream },
            ':from': { S: `seen#${fromBucket}#` },
            ':to': { S: `seen#${toBucket}#~` },
          },
        },
      );
      for await (const { Items = [] } of pages) {
        for (const { sk, hashes } of Items) {
          const bucket = sk?.S?.split('#')[1];
          if (bucket !== undefined && hashes?.B) items.push({ bucket, hashes: splitHashes(hashes.B) });
        }
      }
      return items;
    },

    async write(items) {
      for (let at = 0; at < items.length; at += MOST_ITEMS) await writeBatch(items.slice(at, at + MOST_ITEMS));
    },
  };
}

function splitHashes(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString('base64');
  // 12 bytes are 16 digits of base64 without a rest, so that hashes can be cut from the whole.
  const digits = (HASH_BYTES / 3) * 4;
  return Array.from({ length: text.length / digits }, (_, index) => text.slice(index * digits, (index + 1) * digits));
}
