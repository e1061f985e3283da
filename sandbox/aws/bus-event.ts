import { randomUUID } from 'node:crypto';
import type { BusEvent } from './bus.ts';
import type { ValidEntry } from './put-events.ts';

/** Makes the event that targets get of an entry that was put. */
export function makeEvent(
  { Source, DetailType, Time, Resources, detail }: ValidEntry,
  { nowMs, account, region }: { nowMs: number; account: string; region: string },
): BusEvent {
  const timeMs = Time === undefined ? nowMs : Time * 1000;
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': DetailType,
    source: Source,
    account,
    time: `${new Date(timeMs).toISOString().split('.')[0]}Z`,
    region,
    resources: Resources,
    detail,
  };
}

/** Writes an event on one line; a detail keeps its own text, so that numbers beyond a double survive. */
export function writeEvent({ detail, ...envelope }: BusEvent, detailJson: string): string {
  const onOneLine = /[\r\n]/.test(detailJson) ? JSON.stringify(detail) : detailJson;
  return `${JSON.stringify(envelope).slice(0, -1)},"detail":${onOneLine}}`;
}
