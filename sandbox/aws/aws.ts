import { join } from 'node:path';
import { type BusEvent, type BusServer, createBus } from './bus.ts';
import { FAKE_CREDENTIALS } from './credentials.ts';
import { createDynamo, type DynamoServer } from './dynamo.ts';
import type { FunctionError } from './function-host.ts';
import { createFunctions, type Functions } from './functions.ts';
import { createQueues, type QueuesServer } from './queues.ts';
import { createSecrets, type SecretsServer } from './secrets.ts';

/** All of AWS that the relay's processes talk to, on loopback. */
export interface Aws {
  readonly dynamo: DynamoServer;
  readonly bus: BusServer;
  readonly secrets: SecretsServer;
  readonly queues: QueuesServer;
  /** What rules can call; nothing is in it at the start. */
  readonly functions: Functions;
  /** Lets rules of this account send to buses of another one, and processes of this one put events there. */
  link(other: Aws): void;
  /** The environment that makes the AWS SDK of a process talk to it. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts a database with one table, a bus, queues and a secret store. */
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
  /** Is told what a function failed with that a rule called. @default nobody is told */
  readonly onFailure?: (name: string, error: FunctionError) => void;
  /** @default Date.now */
  readonly clock?: () => number;
  /** @default '111122223333' */
  readonly accountId?: string;
  /** @default 'us-east-1' */
  readonly region?: string;
}): Promise<Aws> {
  const { table, bus: name, secrets: values, folder, onFailure = () => undefined, ...shared } = options;
  const { region = 'us-east-1', accountId = '111122223333' } = options;
  const others: Aws[] = [];
  const dynamo = await createDynamo({ region, ...(folder === undefined ? {} : { folder: join(folder, 'dynamo') }) });
  await dynamo.createTable(table);
  const queues = await createQueues(shared);
  const functions = createFunctions({ region, accountId, onFailure });
  const bus = await createBus({
    ...shared,
    name,
    ...(folder === undefined ? {} : { folder }),
    findDestination: (arn) => queues.findDestination(arn) ?? functions.find(arn),
    findBus: (arn) => others.map((other) => other.bus.find(arn)).find((found) => found !== undefined),
  });
  const secrets = await createSecrets({ ...shared, values });
  return {
    dynamo,
    bus,
    secrets,
    queues,
    functions,
    link: (other) => void others.push(other),
    env: {
      AWS_ENDPOINT_URL_DYNAMODB: dynamo.url,
      AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      AWS_ENDPOINT_URL_SQS: queues.url,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: FAKE_CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: FAKE_CREDENTIALS.secretAccessKey,
    },
    close: async () => {
      await functions.close();
      await Promise.all([dynamo.close(), bus.close(), secrets.close(), queues.close()]);
    },
  };
}
