import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import middy from '@middy/core';
import { createEventBridgeBus } from '../shared/aws/bus.ts';
import { createDynamoCommandLog } from '../shared/aws/commands.ts';
import { createDynamoParkingLot } from '../shared/aws/parked.ts';
import { createSecretReader } from '../shared/aws/secret.ts';
import { readConfig } from '../shared/config.ts';
import { createLogger, describeError } from '../shared/log.ts';
import { writeMetrics } from '../shared/metrics.ts';
import { createApi } from '../shared/platform/api.ts';
import { updateProfile } from '../shared/platform/profiles.ts';
import { createTokens } from '../shared/platform/token.ts';
import { createTransport } from '../shared/platform/transport.ts';
import { createCommands, type Outcome } from '../shared/relay/commands.ts';
import { RELAY_STREAM } from '../shared/relay/event.ts';
import { createPublisher } from '../shared/relay/publish.ts';

/** The part of Lambda's context that the updater looks at. */
interface Context {
  getRemainingTimeInMillis(): number;
}

/** Builds what carries out commands in this process; done once, at the first invocation, so that a fault is that invocation's. */
async function build() {
  const config = readConfig(process.env);
  const log = createLogger({ level: config.logLevel, fields: { tenant: config.tenant, stream: RELAY_STREAM } });
  const io = { clock: Date.now, sleep: (waitMs: number) => sleep(waitMs), random: Math.random };
  const requestHandler = { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true };
  const table = { client: new DynamoDBClient({ requestHandler }), table: config.table };
  const secrets = new SecretsManagerClient({ requestHandler });
  // The publisher retries by entry; the client's own retries would repeat what was accepted.
  const eventBridge = new EventBridgeClient({ requestHandler, maxAttempts: 1 });
  const bus = createEventBridgeBus({ client: eventBridge, name: config.bus });
  const readKey = createSecretReader({ client: secrets, secretId: config.secretId, clock: io.clock });
  const transport = createTransport(io);
  const tokens = createTokens({ transport, authUrl: config.authUrl, readKey, clock: io.clock });
  const api = createApi({ transport, tokens, baseUrl: config.baseUrl });
  const commands = createCommands({
    tenant: config.tenant,
    log: createDynamoCommandLog(table),
    updateProfile: (publicId, answers, deadlineMs) =>
      updateProfile({ api, deadline: () => deadlineMs, pathPrefix: config.adapter?.pathPrefix }, publicId, answers),
    publisher: createPublisher({ ...io, bus, parkingLot: createDynamoParkingLot({ ...table, stream: RELAY_STREAM }) }),
    // An instance of a Lambda function carries out one invocation at a time.
    owner: randomUUID(),
    clock: io.clock,
  });
  await bus.verify();
  return { config, log, commands };
}

let built: ReturnType<typeof build> | undefined;

async function update(event: unknown, context: Context): Promise<Outcome> {
  const endMs = Date.now() + context.getRemainingTimeInMillis();
  built ??= build().catch((error: unknown) => {
    built = undefined;
    throw error;
  });
  const { config, log, commands } = await built;
  const outcome = await commands.carryOut(event, { endMs });
  log[outcome.type === 'profile.updated' ? 'info' : 'warn'](outcome.summary, outcome.facts);
  writeMetrics({
    nowMs: Date.now(),
    dimensions: { Tenant: config.tenant, Stream: RELAY_STREAM },
    metrics: { CommandsFailed: [outcome.type === 'profile.updated' ? 0 : 1, 'Count'] },
  });
  return outcome;
}

/** Lambda's entry: carries out the command of one bus event. */
export const handler = middy(update).onError(({ error }) => {
  createLogger({ level: 'error' }).error('The command was not carried out; it is tried again', describeError(error));
});
