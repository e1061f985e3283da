import { type RelayEvent, sourceOf } from './event.ts';
import { writeJson } from './json.ts';
import { oneLine } from './normalise.ts';
import type { BusEntry } from './ports.ts';

/**
 * Longest DetailType; EventBridge drops longer ones without a word.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsRequestEntry.html
 */
const LONGEST_DETAIL_TYPE = 128;
/** What a Time counts in the size of an entry. */
const TIME_BYTES = 14;

/** Builds the bus entry of an event. */
export function toEntry(event: RelayEvent): BusEntry {
  const { actor, target } = event.data;
  return makeEntry({
    source: sourceOf(event.stream),
    detailType: toDetailType(event.type),
    timeMs: Date.parse(event.time ?? event.observedat),
    resources: [
      `tenant/${event.tenant}`,
      ...(actor?.id === undefined ? [] : [`user/${actor.id}`]),
      ...(target?.kind === 'profile' || target?.kind === 'user' ? [`${target.kind}/${target.id}`] : []),
    ],
    detail: writeJson(event),
  });
}

/** Adds up what EventBridge counts: 14 bytes of time and every text in UTF-8. */
export function makeEntry(entry: Omit<BusEntry, 'bytes'>): BusEntry {
  const { source, detailType, timeMs, resources, detail } = entry;
  let bytes = TIME_BYTES + Buffer.byteLength(source) + Buffer.byteLength(detailType) + Buffer.byteLength(detail);
  for (const resource of resources) bytes += Buffer.byteLength(resource);
  return { source, detailType, timeMs, resources, detail, bytes };
}

function toDetailType(type: string): string {
  return oneLine(type, LONGEST_DETAIL_TYPE).trim() || 'unknown';
}
