import type { Logger } from '../log.ts';
import type { Clock, Random, Sleep } from '../relay/ports.ts';
import type { Addresses } from './addresses.ts';
import type { NotifierAlert } from './alert.ts';
import { type Bundle, gatherBundles, type QueueItem } from './bundle.ts';
import { toTeams } from './card.ts';
import { createLane, type Lane } from './lane.ts';
import { toMessage } from './message.ts';
import { toSlack } from './slack.ts';
import type { Outcome, Post } from './webhook.ts';

/** What became of a batch. */
export interface Notified {
  /** Messages posted. */
  readonly messages: number;
  /** Events told of in them. */
  readonly events: number;
  /** Left out because the alert wants no replayed or late events. */
  readonly quiet: number;
  /** Left out because they were told of before. */
  readonly repeats: number;
  /** Ids of the items that the queue is to bring again. */
  readonly failed: readonly string[];
}

/** Tells Slack and Teams what fired alerts. */
export interface Notifier {
  /** Posts one message an alert; gives back the items that could not be told of, whatever became of the others. */
  notify(items: readonly QueueItem[], deadlineMs: number): Promise<Notified>;
}

/** How many events are remembered as told: a redelivery is no second message. */
const REMEMBERED = 20_000;

/** Makes the notifier of a tenant; what was told, and which webhook rests, it remembers as long as it lives. */
export function createNotifier(parts: {
  tenant: string;
  alerts: ReadonlyMap<string, NotifierAlert>;
  addresses: Addresses;
  post: Post;
  log: Logger;
  clock: Clock;
  sleep: Sleep;
  random: Random;
}): Notifier {
  const { tenant, alerts, addresses, log } = parts;
  const lanes = new Map<string, Lane>();
  const told = new Set<string>();

  return { notify };

  async function notify(items: readonly QueueItem[], deadlineMs: number): Promise<Notified> {
    const isTold = (alert: NotifierAlert, eventId: string) => told.has(keyOf(alert, eventId));
    const { bundles, unusable, quiet, repeats } = gatherBundles({ items, alerts, isTold });
    for (const fault of unusable) log.error('A queued message cannot be used', { ...fault });
    const failed = unusable.map(({ messageId }) => messageId);
    const counts = { messages: 0, events: 0, quiet, repeats };
    let refreshed: Promise<void> | undefined;
    const byAddress = new Map<string, Bundle[]>();
    for (const bundle of bundles) {
      try {
        const address = await findAddress(bundle.alert.name);
        byAddress.set(address, [...(byAddress.get(address) ?? []), bundle]);
      } catch (error) {
        fail(bundle, (error as Error).message);
      }
    }
    await Promise.all([...byAddress].map(([address, those]) => tellAll(address, those)));
    return { ...counts, failed };

    async function findAddress(alert: string): Promise<string> {
      return addresses.find(alert).catch(async () => {
        await refresh();
        return addresses.find(alert);
      });
    }

    /** Once a batch: whoever has just put a new address into the secret has no wait, and the secret no storm. */
    function refresh(): Promise<void> {
      refreshed ??= addresses.refresh();
      return refreshed;
    }

    async function tellAll(address: string, those: readonly Bundle[]): Promise<void> {
      let down: string | undefined;
      for (const bundle of those) {
        if (down !== undefined) {
          fail(bundle, down);
          continue;
        }
        const outcome = await tell(address, bundle);
        if (outcome.kind === 'later') down = outcome.reason;
        if (outcome.kind !== 'sent') fail(bundle, outcome.reason);
      }
    }

    async function tell(address: string, bundle: Bundle): Promise<Outcome> {
      const outcome = await post(address, bundle);
      if (outcome.kind !== 'dead') return outcome;
      try {
        await refresh();
        const current = await addresses.find(bundle.alert.name);
        return current === address ? outcome : await post(current, bundle);
      } catch (error) {
        return { ...outcome, reason: `${outcome.reason}; ${(error as Error).message}` };
      }
    }

    async function post(address: string, { alert, events }: Bundle): Promise<Outcome> {
      const lane = lanes.get(address) ?? createLane({ ...parts, address });
      lanes.set(address, lane);
      const message = toMessage({ alert, tenant, events: [...events.values().map(({ event }) => event)] });
      const outcome = await lane.send(alert.channel === 'slack' ? toSlack(message) : toTeams(message), deadlineMs);
      if (outcome.kind === 'sent') {
        counts.messages++;
        counts.events += events.size;
        for (const id of events.keys()) remember(keyOf(alert, id));
      }
      return outcome;
    }

    function fail({ alert, events }: Bundle, reason: string): void {
      log.error('An alert could not be sent', {
        alert: alert.name,
        channel: alert.channel,
        events: events.size,
        reason,
      });
      for (const { itemIds } of events.values()) failed.push(...itemIds);
    }
  }

  function remember(key: string): void {
    told.add(key);
    if (told.size <= REMEMBERED) return;
    const [oldest] = told;
    told.delete(oldest ?? '');
  }
}

const keyOf = ({ name }: NotifierAlert, eventId: string): string => `${name}/${eventId}`;
