import { createHash } from 'node:crypto';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { CommandLog, CommandState, Outcome } from '../relay/commands.ts';

/** Longer than a command can come again: EventBridge tries for a day, a dead-letter queue keeps it for two weeks. */
const KEPT_SECONDS = 30 * 86_400;
/** Longer ids are kept by their hash: a key may have 1,024 bytes. */
const LONGEST_KEY_ID = 200;

/** Makes the log of a tenant's commands in the relay's table. */
export function createDynamoCommandLog(parts: { client: DynamoDBClient; table: string }): CommandLog {
  const { client, table } = parts;
  const item = (id: string) => ({
    TableName: table,
    Key: { pk: { S: 'commands' }, sk: { S: `command#${keyOf(id)}` } },
  });

  async function set(id: string, name: string, value: AttributeValue): Promise<void> {
    await client.send(
      new UpdateItemCommand({
        ...item(id),
        UpdateExpression: `SET ${name} = :value`,
        ExpressionAttributeValues: { ':value': value },
      }),
    );
  }

  return {
    async begin(id, { hash, owner, nowMs, endMs }) {
      try {
        const { Attributes } = await client.send(
          new UpdateItemCommand({
            ...item(id),
            // The same owner passes, because the SDK repeats a write whose answer was lost.
            ConditionExpression:
              'attribute_not_exists(outcome) AND ' +
              '(attribute_not_exists(leaseEndMs) OR leaseEndMs < :now OR leaseOwner = :owner)',
            UpdateExpression:
              'SET leaseOwner = :owner, leaseEndMs = :end, expiresAt = :expires, contentHash = if_not_exists(contentHash, :hash)',
            ExpressionAttributeValues: {
              ':now': { N: String(nowMs) },
              ':owner': { S: owner },
              ':end': { N: String(endMs) },
              ':expires': { N: String(Math.floor(nowMs / 1000) + KEPT_SECONDS) },
              ':hash': { S: hash },
            },
            ReturnValues: 'ALL_NEW',
          }),
        );
        return readState(Attributes ?? {});
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
      const { Item = {} } = await client.send(new GetItemCommand({ ...item(id), ConsistentRead: true }));
      const state = readState(Item);
      return state.outcome === undefined ? undefined : state;
    },

    settle: (id, outcome) => set(id, 'outcome', { S: JSON.stringify(outcome) }),
    markTold: (id) => set(id, 'told', { BOOL: true }),

    async release(id, owner) {
      try {
        await client.send(
          new UpdateItemCommand({
            ...item(id),
            ConditionExpression: 'leaseOwner = :owner',
            UpdateExpression: 'SET leaseEndMs = :none',
            ExpressionAttributeValues: { ':owner': { S: owner }, ':none': { N: '0' } },
          }),
        );
      } catch (error) {
        // Somebody else has it by now.
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    },
  };
}

const keyOf = (id: string): string =>
  Buffer.byteLength(id) > LONGEST_KEY_ID ? createHash('sha256').update(id).digest('hex') : id;

const readState = ({ contentHash, outcome, told }: Readonly<Record<string, AttributeValue>>): CommandState => ({
  hash: contentHash?.S ?? '',
  told: told?.BOOL === true,
  // Written by this file.
  ...(outcome?.S !== undefined && { outcome: JSON.parse(outcome.S) as Outcome }),
});
