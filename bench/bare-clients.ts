/** What any function of the SDK's three clients imports: the floor for the bundle of the poller. */
export {
  BatchWriteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  paginateQuery,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
export { DescribeEventBusCommand, EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
export { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
