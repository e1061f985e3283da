import {
  type AttributeValue,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  paginateQuery,
} from '@aws-sdk/client-dynamodb';
import type { Gap, Mark, ParkedRecord } from '../relay/ports.ts';
import { parseTimeMs, toSeconds } from '../relay/time.ts';
import { readMark } from './marks.ts';

/** Where a stream stands, and how its last runs went. */
export interface StreamStatus extends Mark {
  /** End of the lease in ms since the Unix epoch; in the past where no run holds it. */
  readonly leaseEndMs: number;
  /** Left out before the first run that succeeded. */
  readonly lastSuccessMs?: number;
  /** In words; left out where the last run succeeded. */
  readonly lastError?: string;
}

/** Reads what the relay keeps of a stream, for an operator. */
export interface Inspector {
  /** Gives undefined where the stream was never read. */
  readStatus(): Promise<StreamStatus | undefined>;
  /** Lists parked records without the records themselves. */
  listParked(): AsyncIterable<Omit<ParkedRecord, 'record'>>;
  listGaps(): AsyncIterable<Gap>;
  /** Forgets a gap; false where there is none that begins then. */
  clearGap(fromSeconds: number): Promise<boolean>;
}

/** Makes the inspector of a stream in the relay's table; it takes no lease and disturbs no run. */
export function createDynamoInspector(parts: { client: DynamoDBClient; table: string; stream: string }): Inspector {
  const { client, table, stream } = parts;

  async function* query(prefix: string, attributes: string): AsyncGenerator<Readonly<Record<string, AttributeValue>>> {
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        // Names of attributes may be words of DynamoDB's own.
        ProjectionExpression: attributes.replace(/\w+/g, '#$&'),
        ExpressionAttributeNames: Object.fromEntries(attributes.split(', ').map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: { ':pk': { S: stream }, ':prefix': { S: prefix } },
      },
    );
    for await (const { Items = [] } of pages) yield* Items;
  }

  return {
    async readStatus() {
      const key = { pk: { S: stream }, sk: { S: 'mark' } };
      const { Item: item } = await client.send(
        new GetItemCommand({ TableName: table, Key: key, ConsistentRead: true }),
      );
      if (item === undefined) return undefined;
      const lastSuccessMs = item.lastSuccessMs?.N;
      const lastError = item.lastError?.S;
      return {
        ...readMark(stream, item),
        leaseEndMs: Number(item.leaseEndMs?.N ?? 0),
        ...(lastSuccessMs !== undefined && { lastSuccessMs: Number(lastSuccessMs) }),
        ...(lastError !== undefined && { lastError }),
      };
    },

    async *listParked() {
      for await (const { sk, id, type, why, since } of query('parked#', 'sk, id, type, why, since')) {
        // A record in several parts is listed by its first.
        if (!sk?.S?.endsWith('#0000')) continue;
        yield { id: id?.S ?? '', type: type?.S ?? '', why: why?.S ?? '', sinceMs: Date.parse(since?.S ?? '') };
      }
    },

    async *listGaps() {
      for await (const { sk, until, rows, why } of query('gap#', 'sk, until, rows, why')) {
        yield {
          fromSeconds: readSeconds(sk?.S?.slice('gap#'.length)),
          toSeconds: readSeconds(until?.S),
          rows: Number(rows?.N ?? 0),
          why: why?.S ?? '',
        };
      }
    },

    async clearGap(fromSeconds) {
      const key = { pk: { S: stream }, sk: { S: `gap#${new Date(fromSeconds * 1000).toISOString()}` } };
      const command = new DeleteItemCommand({ TableName: table, Key: key, ReturnValues: 'ALL_OLD' });
      return (await client.send(command)).Attributes !== undefined;
    },
  };
}

const readSeconds = (text: string | undefined): number => toSeconds(parseTimeMs(text) ?? 0);
