import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import {
  CreateTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { FAKE_CREDENTIALS } from './credentials.ts';
import { clear, type JsonServer, operationOf, urlOf } from './json-server.ts';

/** A stand-in for DynamoDB. */
export interface DynamoServer extends JsonServer {
  /** Creates the relay's table (keys `pk` and `sk`, both strings, on demand) unless it is there, and waits until it is active. */
  createTable(name: string): Promise<void>;
}

/** Starts dynalite on a free port of loopback. */
export async function createDynamo(
  options: {
    /** Where its files are kept; left out, everything is in memory. */
    readonly folder?: string;
    /** @default 'us-east-1' */
    readonly region?: string;
  } = {},
): Promise<DynamoServer> {
  const { folder, region = 'us-east-1' } = options;
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  const server = dynalite({ createTableMs: 0, ...(folder === undefined ? {} : { path: folder }) });
  const requests: Record<string, number> = {};
  server.on('request', (request) => {
    const name = operationOf(request);
    requests[name] = (requests[name] ?? 0) + 1;
  });
  // Longer than the SDK keeps idle connections, else its next request may meet one that is just closing.
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = urlOf(server);

  return {
    url,
    requests,
    resetCounts: () => clear(requests),
    createTable: async (name) => {
      const client = new DynamoDBClient({ endpoint: url, region, credentials: FAKE_CREDENTIALS });
      try {
        await createTable(client, name);
        await waitUntilTableExists({ client, minDelay: 0.02, maxDelay: 0.1, maxWaitTime: 30 }, { TableName: name });
      } finally {
        client.destroy();
      }
    },
    close: () =>
      new Promise((resolve, reject) => {
        // dynalite closes its database too, and tells so by the callback.
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

async function createTable(client: DynamoDBClient, name: string): Promise<void> {
  const command = new CreateTableCommand({
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
  });
  await client.send(command).catch((error: unknown) => {
    if (!(error instanceof ResourceInUseException)) throw error;
  });
}
