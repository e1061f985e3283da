import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { ProtocolError } from '../errors.ts';
import type { Learned, Mark, Marks } from '../relay/ports.ts';

/** Makes the mark of a stream in the relay's table: one item that carries the lease, too. */
export function createDynamoMarks(parts: { client: DynamoDBClient; table: string; stream: string }): Marks {
  const { client, table, stream } = parts;
  const item = { TableName: table, Key: { pk: { S: stream }, sk: { S: 'mark' } } };

  return {
    async acquire({ owner, nowMs, endMs, startSeconds, fingerprint }) {
      const command = new UpdateItemCommand({
        ...item,
        // The same owner passes, because the SDK repeats a write whose answer was lost.
        ConditionExpression: 'attribute_not_exists(leaseEndMs) OR leaseEndMs < :now OR leaseOwner = :owner',
        UpdateExpression:
          'SET leaseOwner = :owner, leaseEndMs = :end, startSeconds = if_not_exists(startSeconds, :start), ' +
          'fingerprint = if_not_exists(fingerprint, :fingerprint) ADD epoch :one',
        ExpressionAttributeValues: {
          ':now': number(nowMs),
          ':owner': { S: owner },
          ':end': number(endMs),
          ':start': number(startSeconds),
          ':fingerprint': { S: fingerprint },
          ':one': number(1),
        },
        ReturnValues: 'ALL_NEW',
      });
      const answer = await unlessRefused(client.send(command));
      return answer === undefined ? undefined : readMark(stream, answer.Attributes ?? {});
    },

    async save(epoch, { cursors, learned, places, fingerprint, release, leaseEndMs, lastSuccessMs, lastError }) {
      const values: Record<string, AttributeValue | undefined> = {
        cursors: cursors && { M: mapNumbers(cursors) },
        learned: learned && { S: JSON.stringify(learned) },
        places: places && { S: JSON.stringify(places) },
        fingerprint: fingerprint === undefined ? undefined : { S: fingerprint },
        leaseEndMs: release ? number(0) : leaseEndMs === undefined ? undefined : number(leaseEndMs),
        lastSuccessMs: lastSuccessMs === undefined ? undefined : number(lastSuccessMs),
        lastError: lastError === undefined ? undefined : lastError === null ? { NULL: true } : { S: lastError },
      };
      const written = Object.entries(values).filter((pair): pair is [string, AttributeValue] => pair[1] !== undefined);
      const command = new UpdateItemCommand({
        ...item,
        ConditionExpression: 'epoch = :epoch',
        UpdateExpression: `SET ${written.map(([name]) => `${name} = :${name}`).join(', ')}`,
        ExpressionAttributeValues: {
          ':epoch': number(epoch),
          ...Object.fromEntries(written.map(([name, value]) => [`:${name}`, value])),
        },
      });
      return (await unlessRefused(client.send(command))) !== undefined;
    },

    async countReplay() {
      await client.send(
        new UpdateItemCommand({
          ...item,
          UpdateExpression: 'ADD replays :one',
          ExpressionAttributeValues: { ':one': number(1) },
        }),
      );
    },
  };
}

const number = (value: number): AttributeValue => ({ N: String(value) });

const mapNumbers = (values: Readonly<Record<string, number>>): Record<string, AttributeValue> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, number(value)]));

/** Gives undefined where the condition of a write did not hold. */
async function unlessRefused<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/** Reads the item of a mark. @throws {ProtocolError} where it is not one of this relay's */
export function readMark(stream: string, item: Readonly<Record<string, AttributeValue>>): Mark {
  const read = (value: AttributeValue | undefined): number | undefined =>
    value?.N === undefined ? undefined : Number(value.N);
  const startSeconds = read(item.startSeconds);
  const epoch = read(item.epoch);
  const fingerprint = item.fingerprint?.S;
  if (startSeconds === undefined || epoch === undefined || fingerprint === undefined) {
    throw new ProtocolError(`The item ${stream}/mark in RELAY_TABLE is not one of this relay's`);
  }
  const cursors = Object.entries(item.cursors?.M ?? {}).map(([age, cursor]) => [age, read(cursor) ?? startSeconds - 1]);
  return {
    startSeconds,
    epoch,
    fingerprint,
    cursors: Object.fromEntries(cursors),
    replays: read(item.replays) ?? 0,
    learned: readJson<Learned>(item.learned),
    places: readJson<Record<string, string>>(item.places),
  };
}

/** What the relay itself wrote; it only makes the next run quicker. */
function readJson<T>(value: AttributeValue | undefined): T | undefined {
  try {
    return value?.S === undefined ? undefined : (JSON.parse(value.S) as T);
  } catch {
    return undefined;
  }
}
