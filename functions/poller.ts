import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import middy from '@middy/core';
import * as z from 'zod/mini';
import { EngineJsonProtocol } from '../shared/aws/engine-json.ts';
import { readConfig } from '../shared/config.ts';
import { AuthenticationError, ConfigurationError } from '../shared/errors.ts';
import { createLogger, describeError } from '../shared/log.ts';
import { writeMetrics } from '../shared/metrics.ts';
import type { PollResult, ReplayResult } from '../shared/relay/poller.ts';
import { parseTimeMs, toSeconds } from '../shared/relay/time.ts';
import { AUDIT_STREAM, assembleAuditPoller } from './audit-poller.ts';

/** The part of Lambda's context that the poller looks at. */
interface Context {
  getRemainingTimeInMillis(): number;
}

/** Kept at the end of an invocation for what is in flight and for saving the mark. */
const CLOSING_MS = 5_000;

const moment = z.pipe(
  z.string(),
  z.transform((text, context) => {
    const timeMs = parseTimeMs(text);
    if (timeMs !== undefined) return toSeconds(timeMs);
    context.issues.push({ code: 'custom', message: 'expected an ISO 8601 time', input: undefined });
    return z.NEVER;
  }),
);
const invocation = z.object({
  replay: z.optional(
    z.strictObject({ from: moment, to: moment, types: z.optional(z.array(z.string()).check(z.minLength(1))) }),
  ),
  adoptSource: z.optional(z.boolean()),
});

/** Builds the poller of this process; done once, at the first invocation, so that a fault is that invocation's. */
async function build() {
  const config = readConfig(process.env);
  const log = createLogger({ level: config.logLevel, fields: { tenant: config.tenant, stream: AUDIT_STREAM } });
  const requestHandler = { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true };
  const { poller, bus } = assembleAuditPoller({
    config,
    dynamo: new DynamoDBClient({ requestHandler }),
    // The publisher retries by entry; the client's own retries would repeat what was accepted.
    eventBridge: new EventBridgeClient({ requestHandler, maxAttempts: 1, protocol: EngineJsonProtocol }),
    secrets: new SecretsManagerClient({ requestHandler }),
    clock: Date.now,
    sleep: (waitMs) => sleep(waitMs),
    random: Math.random,
  });
  await bus.verify();
  return { config, log, poller };
}

let built: ReturnType<typeof build> | undefined;

async function poll(event: unknown, context: Context): Promise<PollResult | ReplayResult> {
  const endMs = Date.now() + context.getRemainingTimeInMillis();
  const deadlineMs = endMs - Math.min(CLOSING_MS, context.getRemainingTimeInMillis() / 4);
  built ??= build().catch((error: unknown) => {
    built = undefined;
    throw error;
  });
  const { config, log, poller } = await built;
  const { replay, adoptSource = false } = readInvocation(event);
  if (replay) {
    const { types, ...rest } = replay;
    const window = { fromSeconds: rest.from, toSeconds: rest.to, ...(types && { types }) };
    const result = await poller.replay(window, { deadlineMs });
    log.info('Replayed', { ...result });
    return result;
  }
  const result = await poller.poll({ deadlineMs, endMs, adoptSource });
  log.info('Polled', { ...result });
  if (result.skipped === undefined) {
    writeMetrics({
      nowMs: Date.now(),
      dimensions: { Tenant: config.tenant, Stream: AUDIT_STREAM },
      metrics: {
        Published: [result.published, 'Count'],
        Known: [result.known, 'Count'],
        Parked: [result.parked, 'Count'],
        Gaps: [result.gaps, 'Count'],
        LateSeconds: [result.lateness.sampleSeconds, 'Seconds'],
        BacklogSeconds: [result.backlogSeconds, 'Seconds'],
        ClockSkew: [result.skewSeconds, 'Seconds'],
      },
    });
  }
  return result;
}

/** Anything but the relay's own keys may be in an event: schedules add theirs. */
function readInvocation(event: unknown): z.infer<typeof invocation> {
  const { data, error } = invocation.safeParse(event ?? {});
  if (error)
    throw new ConfigurationError(error.issues.map(({ path, message }) => `event.${path.join('.')}: ${message}`));
  return data;
}

/** Lambda's entry: polls the audit trail once, or replays a window of it. */
export const handler = middy(poll).onError(({ error }) => {
  createLogger({ level: 'error' }).error('The poll failed', describeError(error));
  if (error instanceof AuthenticationError) {
    // The configuration was read, or there would have been no key to refuse.
    const dimensions = { Tenant: process.env.RELAY_TENANT ?? '', Stream: AUDIT_STREAM };
    writeMetrics({ nowMs: Date.now(), dimensions, metrics: { AuthenticationRefused: [1, 'Count'] } });
  }
});
