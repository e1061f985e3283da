import type { NotifierAlert } from './alert.ts';
import { type AlertEvent, readArrival } from './arrival.ts';

/** A message of the queue, in SQS's words. */
export interface QueueItem {
  readonly messageId: string;
  readonly body: string;
}

/** What came together for one alert: its events by id, each with the items that brought it. */
export interface Bundle {
  readonly alert: NotifierAlert;
  readonly events: ReadonlyMap<string, { readonly event: AlertEvent; readonly itemIds: readonly string[] }>;
}

/** A batch, sorted. */
export interface Gathered {
  readonly bundles: readonly Bundle[];
  /** Items that no message can be made of. */
  readonly unusable: readonly { readonly messageId: string; readonly alert?: string; readonly reason: string }[];
  /** Left out because the alert wants no replayed or late events. */
  readonly quiet: number;
  /** Left out because they came twice, or were told of before. */
  readonly repeats: number;
}

/** Sorts a batch by alert, and leaves out what is not to be told. */
export function gatherBundles(parts: {
  items: readonly QueueItem[];
  alerts: ReadonlyMap<string, NotifierAlert>;
  isTold: (alert: NotifierAlert, eventId: string) => boolean;
}): Gathered {
  const { items, alerts, isTold } = parts;
  const bundles = new Map<
    string,
    { alert: NotifierAlert; events: Map<string, { event: AlertEvent; itemIds: string[] }> }
  >();
  const unusable: Gathered['unusable'][number][] = [];
  let [quiet, repeats] = [0, 0];
  for (const { messageId, body } of items) {
    const arrival = readArrival(body);
    const alert = arrival && alerts.get(arrival.alert);
    if (!arrival) {
      unusable.push({ messageId, reason: 'expected {"alert": name, "event": bus event}' });
    } else if (!alert) {
      unusable.push({ messageId, alert: arrival.alert, reason: 'there is no alert of that name' });
    } else if (isQuiet(alert, arrival.event)) {
      quiet++;
    } else if (isTold(alert, arrival.event.id)) {
      repeats++;
    } else {
      const { event } = arrival;
      const bundle = bundles.get(alert.name) ?? { alert, events: new Map() };
      bundles.set(alert.name, bundle);
      const twin = bundle.events.get(event.id);
      if (twin) repeats++;
      // Kept with the first: they are told of together or come again together.
      if (twin) twin.itemIds.push(messageId);
      else bundle.events.set(event.id, { event, itemIds: [messageId] });
    }
  }
  return { bundles: [...bundles.values()], unusable, quiet, repeats };
}

const isQuiet = ({ quiet }: NotifierAlert, { replayed, lateSeconds = 0 }: AlertEvent): boolean =>
  (quiet.replayed && replayed) || lateSeconds > quiet.laterThanSeconds;
