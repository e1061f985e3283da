import {
  type AttributeValue,
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
  type BatchGetItemCommandOutput,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type Backoff, fullJitterMs } from '../backoff.ts';
import type { Last, LastStore } from '../relay/adapter-ports.ts';
import type { Random, Sleep } from '../relay/ports.ts';

/**
 * Most keys in one BatchGetItem.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
 */
const MOST_KEYS = 100;
const BACKOFF: Backoff = { baseMs: 50, capMs: 2_000 };
const MOST_ATTEMPTS = 10;
const PREFIX = 'last#';

/** Makes the store of a stream's last states in the relay's table. They stay: a count that began anew would repeat an id. */
export function createDynamoLasts(parts: {
  client: DynamoDBClient;
  table: string;
  stream: string;
  sleep: Sleep;
  random: Random;
}): LastStore {
  const { client, table, stream, sleep, random } = parts;
  const keyOf = (key: string) => ({ pk: { S: stream }, sk: { S: `${PREFIX}${key}` } });

  async function readBatch(keys: readonly string[]): Promise<Record<string, AttributeValue>[]> {
    const items: Record<string, AttributeValue>[] = [];
    let requests: BatchGetItemCommandInput['RequestItems'] = {
      [table]: { Keys: keys.map(keyOf), ConsistentRead: true },
    };
    for (let attempt = 0; requests?.[table] !== undefined; attempt++) {
      if (attempt === MOST_ATTEMPTS) throw new Error('DynamoDB left keys of the last states unread');
      if (attempt > 0) await sleep(fullJitterMs(attempt, BACKOFF, random));
      const answer: BatchGetItemCommandOutput = await client.send(new BatchGetItemCommand({ RequestItems: requests }));
      items.push(...(answer.Responses?.[table] ?? []));
      requests = answer.UnprocessedKeys;
    }
    return items;
  }

  return {
    async read(keys) {
      const lasts = new Map<string, Last>();
      for (let at = 0; at < keys.length; at += MOST_KEYS) {
        for (const { sk, hash, count, state } of await readBatch(keys.slice(at, at + MOST_KEYS))) {
          const last = { hash: hash?.S ?? '', count: Number(count?.N ?? 0), state: state?.S as Last['state'] };
          lasts.set(sk?.S?.slice(PREFIX.length) ?? '', last);
        }
      }
      return lasts;
    },

    async write(key, { hash, count, state }) {
      const item = { ...keyOf(key), hash: { S: hash }, count: { N: String(count) }, state: { S: state } };
      await client.send(new PutItemCommand({ TableName: table, Item: item }));
    },
  };
}
