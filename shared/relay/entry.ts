import { type RelayEvent, sourceOf } from './event.ts';
import { writeJson } from './json.ts';
import type { BusEntry } from './ports.ts';
import { cutAt, withoutControls } from './text.ts';

/**
 * Longest DetailType; EventBridge drops longer ones without a word.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsRequestEntry.html
 */
const LONGEST_DETAIL_TYPE = 128;
/** What a Time counts in the size of an entry. */
const TIME_BYTES = 14;

/** Builds the bus entry of an event, and adds up what EventBridge counts of it: 14 bytes of time and every text in UTF-8. */
export function toEntry(event: RelayEvent): BusEntry {
  const { actor, target } = event.data;
  const source = sourceOf(event.stream);
  const detailType = toDetailType(event.type);
  const timeMs = Date.parse(event.time ?? event.observedat);
  const detail = writeJson(event);
  const resources = [`tenant/${event.tenant}`];
  if (actor?.id !== undefined) resources.push(`user/${actor.id}`);
  if (target?.kind === 'profile' || target?.kind === 'user') resources.push(`${target.kind}/${target.id}`);
  let bytes = TIME_BYTES + Buffer.byteLength(source) + Buffer.byteLength(detailType) + Buffer.byteLength(detail);
  for (const resource of resources) bytes += Buffer.byteLength(resource);
  return { source, detailType, timeMs, resources, detail, bytes };
}

function toDetailType(type: string): string {
  return cutAt(withoutControls(type).trim(), LONGEST_DETAIL_TYPE) || 'unknown';
}
