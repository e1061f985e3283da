import { createPlatform } from '../../sandbox/platform/platform.ts';
import { createNormaliser } from '../../shared/relay/normalise.ts';
import { toBusEvent } from '../../shared/subscribing/to-bus-event.ts';

const TIME_MS = Date.parse('2026-11-21T07:45:19Z');
const platform = await createPlatform();
// Records can be made all the same.
await platform.close();
const normaliser = createNormaliser({ tenant: 'acme', stream: 'audit' });
let made = 0;

/** Makes an event as the bus delivers it: of the sandbox's activity, or of this record, seen `lateMs` later. */
export function busEvent({
  record,
  lateMs = 12_000,
  replayed = false,
  timeMs = TIME_MS,
}: {
  record?: object;
  lateMs?: number;
  replayed?: boolean;
  timeMs?: number;
} = {}) {
  const event = normaliser.toEvent(
    normaliser.identify(record ?? platform.add(1, { time: () => timeMs })[0]?.record),
    timeMs + lateMs,
    replayed,
  );
  return toBusEvent(event);
}

/** A record in which every text is the one given, wherever an alert may show it. */
export const recordOf = (text: string, more: object = {}) => ({
  _id: `id-${made++}`,
  eventType: text,
  createdAt: new Date(TIME_MS).toISOString(),
  user: { _id: text, email: text, name: text },
  profile: { publicId: text, name: text },
  ...more,
});
