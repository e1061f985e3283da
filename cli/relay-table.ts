import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createDynamoInspector, type Inspector } from '../shared/aws/inspect.ts';
import { createDynamoParkingLot, type DynamoParkingLot } from '../shared/aws/parked.ts';

/** What can be seen of a stream. */
export interface RelayTable extends Inspector, Pick<DynamoParkingLot, 'read'>, Disposable {}

/** Opens the relay's table with the account and region that the AWS SDK finds. */
export function openTable({ table, stream }: { table: string; stream: string }): RelayTable {
  const client = new DynamoDBClient({ requestHandler: { connectionTimeout: 3_000, requestTimeout: 10_000 } });
  const source = { client, table, stream };
  const { read } = createDynamoParkingLot(source);
  return { ...createDynamoInspector(source), read, [Symbol.dispose]: () => client.destroy() };
}
