import { type RelayEvent, sourceOf } from './event.ts';
import { writeJson } from './json.ts';
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
  const texts = [entry.source, entry.detailType, entry.detail, ...entry.resources];
  return { ...entry, bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), TIME_BYTES) };
}

function toDetailType(type: string): string {
  const line = type.replace(/\p{Cc}+/gu, ' ').trim();
  return line.slice(0, LONGEST_DETAIL_TYPE).toWellFormed() || 'unknown';
}
