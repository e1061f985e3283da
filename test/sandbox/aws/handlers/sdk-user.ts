import { randomUUID } from 'node:crypto';
import { DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** Uses each service once, configured by environment alone. */
export async function handler(event: { secretId: string; table: string; bus: string }): Promise<unknown> {
  const secrets = new SecretsManagerClient();
  const dynamo = new DynamoDBClient();
  const bus = new EventBridgeClient();
  const { SecretString: secret } = await secrets.send(new GetSecretValueCommand({ SecretId: event.secretId }));
  await dynamo.send(new PutItemCommand({ TableName: event.table, Item: { pk: { S: 'a' }, sk: { S: randomUUID() } } }));
  const { Count: items } = await dynamo.send(
    new QueryCommand({
      TableName: event.table,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'a' } },
    }),
  );
  const { FailedEntryCount: failed } = await bus.send(
    new PutEventsCommand({
      Entries: [{ EventBusName: event.bus, Source: 'test', DetailType: 'test', Detail: '{"hello":"bus"}' }],
    }),
  );
  return { secret, items, failed };
}
