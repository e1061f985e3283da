import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createEventBridgeBus, type EventBridgeBus } from '../shared/aws/bus.ts';
import { createDynamoSeenStore } from '../shared/aws/ledger.ts';
import { createDynamoMarks } from '../shared/aws/marks.ts';
import { createDynamoGaps, createDynamoParkingLot } from '../shared/aws/parked.ts';
import { createSecretReader } from '../shared/aws/secret.ts';
import type { readConfig } from '../shared/config.ts';
import { createApi } from '../shared/platform/api.ts';
import { createTrail } from '../shared/platform/events.ts';
import { createTokens } from '../shared/platform/token.ts';
import { createTransport } from '../shared/platform/transport.ts';
import { createPoller, type Poller } from '../shared/relay/poller.ts';
import type { Clock, Random, Sleep } from '../shared/relay/ports.ts';
import { createPublisher } from '../shared/relay/publish.ts';

/** The stream of the audit trail. */
export const AUDIT_STREAM = 'audit';

/** The poller of the audit trail, put together from its parts. */
export interface AuditPoller {
  readonly poller: Poller;
  readonly bus: EventBridgeBus;
  /** Closes the connections to the platform. */
  close(): Promise<void>;
}

/** Puts the poller of the audit trail together: what it is told, what it talks to, and what time it is. */
export function assembleAuditPoller(parts: {
  config: ReturnType<typeof readConfig>;
  dynamo: DynamoDBClient;
  eventBridge: EventBridgeClient;
  secrets: SecretsManagerClient;
  clock: Clock;
  sleep: Sleep;
  random: Random;
}): AuditPoller {
  const { config, dynamo, eventBridge, secrets, ...io } = parts;
  const table = { client: dynamo, table: config.table, stream: AUDIT_STREAM };
  const bus = createEventBridgeBus({ client: eventBridge, name: config.bus });
  const readKey = createSecretReader({ client: secrets, secretId: config.secretId, clock: io.clock });
  const transport = createTransport(io);
  const tokens = createTokens({ transport, authUrl: config.authUrl, readKey, clock: io.clock });
  const poller = createPoller({
    ...config,
    stream: AUDIT_STREAM,
    trail: createTrail({ api: createApi({ transport, tokens, baseUrl: config.baseUrl }) }),
    publisher: createPublisher({ ...io, bus, parkingLot: createDynamoParkingLot(table) }),
    marks: createDynamoMarks(table),
    seen: createDynamoSeenStore({ ...table, ...io }),
    gaps: createDynamoGaps(table),
    clock: io.clock,
    owner: randomUUID(),
    fingerprint: async () => `${config.baseUrl.href} account ${await tokens.accountId()}`,
  });
  return { poller, bus, close: () => transport.close() };
}
