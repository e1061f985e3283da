import { join } from 'node:path';
import { type BusEvent, type BusServer, createBus } from './bus.ts';
import { FAKE_CREDENTIALS } from './credentials.ts';
import { createDynamo, type DynamoServer } from './dynamo.ts';
import { createSecrets, type SecretsServer } from './secrets.ts';

/** All of AWS that the relay's processes talk to, on loopback. */
export interface Aws {
  readonly dynamo: DynamoServer;
  readonly bus: BusServer;
  readonly secrets: SecretsServer;
  /** The environment that makes the AWS SDK of a process talk to it. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts a database with one table, a bus and a secret store. */
export async function createAws(options: {
  /** Name of the relay's table. */
  readonly table: string;
  /** Name of the bus. */
  readonly bus: string;
  /** Secret name to value. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Where the table and the events are kept; left out, everything is in memory. */
  readonly folder?: string;
  /** Is told every event of the bus, with its JSON. */
  readonly onEvent?: (event: BusEvent, json: string) => void;
  /** How many events the bus keeps in memory. @default Infinity */
  readonly keep?: number;
  /** @default Date.now */
  readonly clock?: () => number;
  /** @default '111122223333' */
  readonly accountId?: string;
  /** @default 'us-east-1' */
  readonly region?: string;
}): Promise<Aws> {
  const { table, bus: name, secrets: values, folder, region = 'us-east-1', ...shared } = options;
  const dynamo = await createDynamo({ region, ...(folder === undefined ? {} : { folder: join(folder, 'dynamo') }) });
  await dynamo.createTable(table);
  const bus = await createBus({ name, region, ...shared, ...(folder === undefined ? {} : { folder }) });
  const secrets = await createSecrets({ values, region, ...shared });
  return {
    dynamo,
    bus,
    secrets,
    env: {
      AWS_ENDPOINT_URL_DYNAMODB: dynamo.url,
      AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: FAKE_CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: FAKE_CREDENTIALS.secretAccessKey,
    },
    close: async () => {
      await Promise.all([dynamo.close(), bus.close(), secrets.close()]);
    },
  };
}
