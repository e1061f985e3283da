import { toEntry } from '../relay/entry.ts';
import type { RelayEvent } from '../relay/event.ts';
import type { BusEvent, EventSource } from './bus-event.ts';

/** Gives an event the envelope in which EventBridge would deliver it; account and region are made up. */
export function toBusEvent(event: RelayEvent): BusEvent {
  const { source, detailType, timeMs, resources, detail } = toEntry(event);
  return {
    version: '0',
    id: event.id,
    'detail-type': detailType,
    source: source as EventSource,
    account: '111122223333',
    time: `${new Date(timeMs).toISOString().slice(0, 19)}Z`,
    region: 'us-east-1',
    resources,
    detail: JSON.parse(detail) as RelayEvent,
  };
}
