import { hash } from 'node:crypto';
import type { Actor, RelayEvent, Target } from './event.ts';
import { canonicalJson, isObject, rawNumber } from './json.ts';
import { oneLine } from './text.ts';
import { parseTimeMs } from './time.ts';

/** Dotted paths to where things stand in a record, for a platform that the built-in lists do not fit. */
export interface Fields {
  readonly id?: string | undefined;
  readonly time?: string | undefined;
  readonly type?: string | undefined;
  readonly actor?: string | undefined;
}

/** Where things stand in a record: names of its fields, `none` where a thing is missing. */
export interface Places {
  readonly id: string;
  readonly time: string;
  readonly type: string;
  readonly actor: string;
}

/** A record and what tells it from others. */
export interface Sighting {
  readonly record: unknown;
  readonly id: string;
  /** True where the id is a hash, so that identical twins share it. */
  readonly hashed: boolean;
  readonly timeMs: number | undefined;
}

/** Turns records of one stream into events. */
export interface Normaliser {
  /** Finds the id and the time of a record; both depend on the record alone. */
  identify(record: unknown): Sighting;
  /** Builds the event. */
  toEvent(sighting: Sighting, observedAtMs: number, replayed?: boolean): RelayEvent;
  /** Finds the event type identifier; `unknown` where there is none. */
  typeOf(record: unknown): string;
  /** Tells where it finds what. */
  placesOf(record: unknown): Places;
  /** The field that the time is taken from, once that is decided; goes on from run to run. */
  timeField: string | undefined;
  /**
   * Decides which field the time is taken from, once: the first of the list that fits the window that was asked for.
   * A record may carry other times, e.g. that of the supplier it is about.
   */
  inferTime(records: readonly unknown[], window: { fromMs: number; toMs: number }): void;
}

const ID_NAMES = ['_id', 'id', 'eventId'];
const TIME_NAMES = [
  ...['createdAt', 'timestamp', 'date', 'occurredAt', 'createdOn', 'time', 'eventTime', 'eventDate', 'created'],
  ...[
    'loggedAt',
    'performedAt',
    'happenedAt',
    'created_at',
    'occurred_at',
    'event_time',
    '@timestamp',
    'dateTime',
    'ts',
  ],
];
const TYPE_NAMES = ['eventType', 'type', 'event', 'event_type', 'eventName', 'action'];
const ACTOR_NAMES = ['user', 'actor', 'createdBy', 'performedBy', 'triggeredBy', 'by', 'userId', 'actorId'];
/** The first that a record has is what its event is about; `kind` left out: the target says it itself. */
const TARGET_NAMES: readonly { readonly name: string; readonly kind?: string }[] = [
  { name: 'target' },
  { name: 'profile', kind: 'profile' },
  { name: 'publicId', kind: 'profile' },
  { name: 'profileId', kind: 'profile' },
  { name: 'supplier', kind: 'profile' },
  { name: 'supplierId', kind: 'profile' },
  { name: 'connection', kind: 'connection' },
  { name: 'connectionId', kind: 'connection' },
  { name: 'task', kind: 'task' },
  { name: 'taskId', kind: 'task' },
  { name: 'kit', kind: 'kit' },
  { name: 'kitId', kind: 'kit' },
  { name: 'targetUser', kind: 'user' },
  { name: 'targetUserId', kind: 'user' },
  { name: 'entity' },
  { name: 'resource' },
];
const OBJECT_ID = /^[0-9a-f]{24}$/i;
/** Records to infer from, and the share of them that has to lie in the window: bounds are loose, clocks are off. */
const SAMPLE = 50;
const FITTING_SHARE = 0.9;
/** Longer ids are hashed: they would not fit DynamoDB's keys. */
const LONGEST_ID = 256;

/** Makes the normaliser of a stream; `fields` replace the built-in lists. */
export function createNormaliser(source: { tenant: string; stream: string; fields?: Fields }): Normaliser {
  const { tenant, stream, fields = {} } = source;
  let timeField: string | undefined;

  const readTime = (record: unknown): number | undefined =>
    first(record, fields.time, timeField === undefined ? TIME_NAMES : [timeField, ...TIME_NAMES], toTimeMs);
  const typeOf = (record: unknown): string => first(record, fields.type, TYPE_NAMES, toName) ?? 'unknown';

  return {
    typeOf,

    get timeField() {
      return timeField;
    },
    set timeField(name) {
      timeField = name;
    },

    inferTime(records, { fromMs, toMs }) {
      if (timeField !== undefined || fields.time !== undefined || records.length === 0) return;
      const sample = records.slice(0, SAMPLE).filter(isObject);
      timeField = TIME_NAMES.find((name) => {
        const times = sample.map((record) => toTimeMs(record[name])).filter((timeMs) => timeMs !== undefined);
        const fitting = times.filter((timeMs) => timeMs >= fromMs && timeMs <= toMs);
        return times.length * 2 > sample.length && fitting.length >= times.length * FITTING_SHARE;
      });
    },

    placesOf: (record) => ({
      id: place(record, fields.id, ID_NAMES, toId),
      time: place(record, fields.time, timeField === undefined ? TIME_NAMES : [timeField, ...TIME_NAMES], toTimeMs),
      type: place(record, fields.type, TYPE_NAMES, toName),
      actor: place(record, fields.actor, ACTOR_NAMES, toActor),
    }),

    identify(record) {
      const platformId = first(record, fields.id, ID_NAMES, toId);
      const id = platformId ?? hashRecord(record);
      const timeMs = readTime(record) ?? objectIdTimeMs(platformId);
      return { record, id, hashed: platformId === undefined, timeMs };
    },

    toEvent({ record, id, timeMs }, observedAtMs, replayed = false) {
      const type = typeOf(record);
      const actor = first(record, fields.actor, ACTOR_NAMES, toActor);
      const found = toTarget(record);
      return {
        specversion: '1.0',
        id,
        source: `/tenants/${tenant}/${stream}`,
        type,
        ...(found && { subject: `${found.target.kind}/${found.target.id}` }),
        ...(timeMs !== undefined && { time: new Date(timeMs).toISOString() }),
        datacontenttype: 'application/json',
        tenant,
        stream,
        observedat: new Date(observedAtMs).toISOString(),
        ...(timeMs !== undefined && { lateby: Math.floor((observedAtMs - timeMs) / 1000) }),
        replayed,
        data: {
          ...(actor && { actor }),
          ...(found && { target: found.target }),
          summary: summarise(type, actor, found),
          record,
        },
      };
    },
  };
}

/** Gives the same 32 hexadecimal digits for records that say the same, in whatever order. */
export const hashRecord = (record: unknown): string => sha256Hex(canonicalJson(record));

/** Gives the first 32 hexadecimal digits of a text's SHA-256: enough that two records never share them by chance. */
const sha256Hex = (text: string): string => hash('sha256', text, 'hex').slice(0, 32);

function first<T>(
  record: unknown,
  path: string | undefined,
  names: readonly string[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  if (!isObject(record)) return undefined;
  if (path !== undefined) return read(follow(record, path));
  for (const name of names) {
    const value = record[name];
    if (value === undefined || value === null) continue;
    const found = read(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names the field that `first` takes. */
function place(
  record: unknown,
  path: string | undefined,
  names: readonly string[],
  read: (value: unknown) => unknown,
): string {
  if (path !== undefined) return first(record, path, [], read) === undefined ? 'none' : path;
  if (!isObject(record)) return 'none';
  return names.find((name) => record[name] != null && read(record[name]) !== undefined) ?? 'none';
}

function follow(record: unknown, path: string): unknown {
  let value = record;
  for (const step of path.split('.')) value = isObject(value) ? value[step] : undefined;
  return value;
}

/** Reads an id: a text, a whole number, or MongoDB's `{"$oid": "…"}`. */
function toId(value: unknown): string | undefined {
  const text = isObject(value) ? value.$oid : typeof value === 'number' ? String(value) : (rawNumber(value) ?? value);
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  return text.length > LONGEST_ID ? sha256Hex(text) : text;
}

const toTimeMs = (value: unknown): number | undefined => parseTimeMs(isObject(value) ? value.$date : value);

/** The first 8 hexadecimal digits of an object id are its creation time in epoch seconds. */
const objectIdTimeMs = (id: string | undefined): number | undefined =>
  id !== undefined && OBJECT_ID.test(id) ? parseTimeMs(Number.parseInt(id.slice(0, 8), 16)) : undefined;

function toName(value: unknown): string | undefined {
  const name = isObject(value) ? (value.name ?? value.key ?? value.code ?? value.id ?? value.type) : value;
  return toText(name);
}

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

function toActor(value: unknown): Actor | undefined {
  const text = toText(value);
  if (text !== undefined) return text.includes('@') ? { email: oneLine(text) } : { id: oneLine(text) };
  if (!isObject(value)) return undefined;
  const id = toId(value._id ?? value.id ?? value.userId);
  const email = toText(value.email ?? value.emailAddress);
  const name =
    toText(value.name ?? value.displayName) ?? toText([value.firstName, value.lastName].filter(toText).join(' '));
  const actor = {
    ...(id !== undefined && { id: oneLine(id) }),
    ...(email !== undefined && { email: oneLine(email) }),
    ...(name !== undefined && { name: oneLine(name) }),
  };
  return Object.keys(actor).length === 0 ? undefined : actor;
}

function toTarget(record: unknown): { target: Target; name: string | undefined } | undefined {
  if (!isObject(record)) return undefined;
  for (const { name, kind } of TARGET_NAMES) {
    const value = record[name];
    if (value === undefined || value === null) continue;
    const object = isObject(value) ? value : undefined;
    const id = object ? toId(object.publicId ?? object._id ?? object.id) : toId(value);
    const known = kind ?? toText(object?.kind ?? object?.type);
    if (id === undefined || known === undefined) continue;
    return { target: { kind: oneLine(known), id: oneLine(id) }, name: toText(object?.name ?? record[`${kind}Name`]) };
  }
  return undefined;
}

function summarise(type: string, actor: Actor | undefined, found: ReturnType<typeof toTarget>): string {
  const who = actor?.name ?? actor?.email ?? actor?.id;
  const what = found?.name ?? found?.target.id;
  return [oneLine(type), who && `by ${who}`, what && `on ${oneLine(what)}`].filter(Boolean).join(' ');
}
