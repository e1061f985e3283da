import { onTestFinished } from 'vitest';
import { createWebhooks, type Webhooks } from '../../sandbox/console/webhooks.ts';
import { createAddresses } from '../../shared/alerts/addresses.ts';
import type { AlertInput } from '../../shared/alerts/alert.ts';
import type { QueueItem } from '../../shared/alerts/bundle.ts';
import { readNotifierConfig } from '../../shared/alerts/config.ts';
import { createNotifier, type Notifier } from '../../shared/alerts/notifier.ts';
import { createPost } from '../../shared/alerts/webhook.ts';
import { createLogger } from '../../shared/log.ts';
import { busEvent } from './bus-event.ts';

/** A notifier with real webhooks over HTTP, and a clock that only the test and the notifier's own waits move. */
export interface NotifierStage {
  readonly webhooks: Webhooks;
  readonly clock: { nowMs: number };
  readonly log: Record<string, unknown>[];
  /** How often the secret was read. */
  readonly reads: () => number;
  /** What stands in the secret. */
  readonly secret: Record<string, unknown>;
  readonly notifier: Notifier;
  /** A run with 50 s of time. */
  run(items: readonly QueueItem[]): ReturnType<Notifier['notify']>;
}

/** Starts webhooks of these alerts and a notifier that knows them. */
export async function setStage(alerts: readonly Partial<AlertInput>[] = [{}]): Promise<NotifierStage> {
  const clock = { nowMs: Date.parse('2026-11-21T08:00:00Z') };
  const webhooks = await createWebhooks({ clock: () => clock.nowMs, keep: 5000 });
  onTestFinished(() => webhooks.close());
  const written = alerts.map((alert) => ({ name: 'everything', channel: 'slack' as const, ...alert }));
  const secret: Record<string, unknown> = Object.fromEntries(
    written.map(({ name, channel }) => [name, webhooks.open(channel, name)]),
  );
  const { tenant, alerts: known } = readNotifierConfig({
    RELAY_TENANT: 'acme',
    RELAY_ALERTS: JSON.stringify(written),
    RELAY_WEBHOOKS_SECRET_ID: 'webhooks',
  });
  let reads = 0;
  const log: Record<string, unknown>[] = [];
  const now = () => clock.nowMs;
  const notifier = createNotifier({
    tenant,
    alerts: known,
    addresses: createAddresses({
      read: async () => {
        reads++;
        return JSON.stringify(secret);
      },
      clock: now,
    }),
    post: createPost({ clock: now }),
    log: createLogger({ level: 'debug', write: (line) => log.push(JSON.parse(line)) }),
    clock: now,
    sleep: async (waitMs) => {
      clock.nowMs += waitMs;
    },
    random: () => 0.5,
  });
  return {
    webhooks,
    clock,
    log,
    reads: () => reads,
    secret,
    notifier,
    run: (items) => notifier.notify(items, clock.nowMs + 50_000),
  };
}

let items = 0;

/** Queues an event for an alert. */
export function queued(event: object = busEvent(), alert = 'everything'): QueueItem {
  items++;
  return { messageId: `item-${items}`, body: JSON.stringify({ alert, event }) };
}

/** Queues so many different events for an alert. */
export const manyQueued = (count: number, alert?: string): QueueItem[] =>
  Array.from({ length: count }, () => queued(busEvent(), alert));
