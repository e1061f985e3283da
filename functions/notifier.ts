import { setTimeout as sleep } from 'node:timers/promises';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import middy from '@middy/core';
import { createAddresses } from '../shared/alerts/addresses.ts';
import type { QueueItem } from '../shared/alerts/bundle.ts';
import { readNotifierConfig } from '../shared/alerts/config.ts';
import { createNotifier } from '../shared/alerts/notifier.ts';
import { createPost } from '../shared/alerts/webhook.ts';
import { createLogger, describeError } from '../shared/log.ts';
import { writeMetrics } from '../shared/metrics.ts';

/** The part of Lambda's context that the notifier looks at. */
interface Context {
  getRemainingTimeInMillis(): number;
}

/** What Lambda takes from a function that reports which items of a batch failed. */
interface BatchResult {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/** Kept at the end of an invocation: a batch whose answer comes too late is told again. */
const CLOSING_MS = 3_000;

function build() {
  const { tenant, alerts, webhooksSecretId } = readNotifierConfig(process.env);
  const log = createLogger({ level: 'info', fields: { tenant } });
  const requestHandler = { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true };
  const secrets = new SecretsManagerClient({ requestHandler });
  const clock = Date.now;
  const addresses = createAddresses({
    read: async () =>
      (await secrets.send(new GetSecretValueCommand({ SecretId: webhooksSecretId }))).SecretString ?? '',
    clock,
  });
  const notifier = createNotifier({
    tenant,
    alerts,
    addresses,
    post: createPost({ clock }),
    log,
    clock,
    sleep: (waitMs) => sleep(waitMs),
    random: Math.random,
  });
  return { tenant, log, notifier };
}

let built: ReturnType<typeof build> | undefined;

async function notify({ Records }: { Records: readonly QueueItem[] }, context: Context): Promise<BatchResult> {
  const leftMs = context.getRemainingTimeInMillis();
  const deadlineMs = Date.now() + leftMs - Math.min(CLOSING_MS, leftMs / 4);
  built ??= build();
  const { tenant, log, notifier } = built;
  const { failed, ...counts } = await notifier.notify(Records, deadlineMs);
  log.info('Notified', { ...counts, failed: failed.length });
  writeMetrics({
    nowMs: Date.now(),
    dimensions: { Tenant: tenant, Stream: 'alerts' },
    metrics: { AlertMessages: [counts.messages, 'Count'], AlertFailures: [failed.length, 'Count'] },
  });
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

/** Lambda's entry for batches of the alert queue, `{"alert": name, "event": bus event}` each. */
export const handler = middy(notify).onError(({ error }) => {
  createLogger({ level: 'error' }).error('The notifier failed', describeError(error));
});
