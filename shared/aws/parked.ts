import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  type AttributeValue,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  paginateQuery,
} from '@aws-sdk/client-dynamodb';
import type { GapStore, HoldingLot, ParkedRecord } from '../relay/ports.ts';

/** Keeps what could not be relayed as it should, for an operator. */
export interface DynamoParkingLot extends HoldingLot {
  /** Reads a record back as it was parked; undefined where there is none of this id, or not all of it. */
  read(id: string): Promise<ParkedRecord | undefined>;
}

/** Of the 400 KB of an item, with room for the other attributes. */
const PART_BYTES = 350_000;
/** Longer ids are kept by their hash: a key may have 1,024 bytes. */
const LONGEST_KEY_ID = 200;
const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Makes the parking lot of a stream in the relay's table. */
export function createDynamoParkingLot(parts: {
  client: DynamoDBClient;
  table: string;
  stream: string;
}): DynamoParkingLot {
  const { client, table, stream } = parts;

  async function find(prefix: string): Promise<Record<string, AttributeValue>[]> {
    const items: Record<string, AttributeValue>[] = [];
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': { S: stream }, ':prefix': { S: prefix } },
      },
    );
    for await (const { Items = [] } of pages) items.push(...Items);
    return items;
  }

  return {
    async park({ id, type, why, sinceMs, record, held = false }) {
      const bytes = await compress(record);
      const count = Math.max(1, Math.ceil(bytes.length / PART_BYTES));
      for (let part = 0; part < count; part++) {
        const item: Record<string, AttributeValue> = {
          pk: { S: stream },
          sk: { S: `${keyOf(id)}${String(part).padStart(4, '0')}` },
          id: { S: id },
          type: { S: type.slice(0, 1000) },
          why: { S: why },
          since: { S: new Date(sinceMs).toISOString() },
          parts: { N: String(count) },
          ...(held && { held: { BOOL: true } }),
          gzip: { B: bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES) },
        };
        await client.send(new PutItemCommand({ TableName: table, Item: item }));
      }
    },

    async read(id) {
      // Another id may begin with this one and a number sign.
      return readRecord((await find(keyOf(id))).filter((item) => item.id?.S === id));
    },

    async listHeld() {
      const held = (await find(PREFIX)).filter((item) => item.held?.BOOL === true);
      const records = await Promise.all(
        Map.groupBy(held, (item) => item.id?.S)
          .values()
          .map(readRecord),
      );
      return records.filter((record) => record !== undefined);
    },

    async release(id) {
      for (const { pk, sk, ...item } of await find(keyOf(id))) {
        if (item.id?.S !== id || item.held?.BOOL !== true || !pk || !sk) continue;
        await client.send(new DeleteItemCommand({ TableName: table, Key: { pk, sk } }));
      }
    },
  };
}

/** Puts the parts of a record together; undefined where not all of them are there. */
async function readRecord(items: readonly Record<string, AttributeValue>[]): Promise<ParkedRecord | undefined> {
  const [first] = items;
  if (first === undefined || items.length < Number(first.parts?.N)) return undefined;
  const bytes = Buffer.concat(items.map(({ gzip: part }) => part?.B ?? Buffer.alloc(0)));
  return {
    id: first.id?.S ?? '',
    type: first.type?.S ?? '',
    why: first.why?.S ?? '',
    sinceMs: Date.parse(first.since?.S ?? ''),
    record: (await decompress(bytes)).toString(),
    held: first.held?.BOOL === true,
  };
}

const PREFIX = 'parked#';
const keyOf = (id: string): string =>
  `${PREFIX}${Buffer.byteLength(id) > LONGEST_KEY_ID ? createHash('sha256').update(id).digest('hex') : id}#`;

/** Makes the store of a stream's gaps in the relay's table; a gap noted again is written over. */
export function createDynamoGaps(parts: { client: DynamoDBClient; table: string; stream: string }): GapStore {
  const { client, table, stream } = parts;
  return {
    async note({ fromSeconds, toSeconds, rows, why }) {
      await client.send(
        new PutItemCommand({
          TableName: table,
          Item: {
            pk: { S: stream },
            sk: { S: `gap#${new Date(fromSeconds * 1000).toISOString()}` },
            until: { S: new Date(toSeconds * 1000).toISOString() },
            rows: { N: String(rows) },
            why: { S: why },
          },
        }),
      );
    },
  };
}
