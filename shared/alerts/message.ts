import { isObject } from '../relay/json.ts';
import type { NotifierAlert } from './alert.ts';
import type { AlertEvent } from './arrival.ts';
import { fillLink } from './link.ts';

/** What is to be said, before it takes the form of Slack or Teams; texts of events are in it as they came. */
export interface Message {
  readonly severity: NotifierAlert['severity'];
  readonly title: string;
  readonly lead: string;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  /** The first of several events. */
  readonly lines: readonly { readonly text: string; readonly link: string | undefined }[];
  /** How many events are counted and not listed. */
  readonly more: number;
  readonly link: string | undefined;
  readonly footer: string;
}

/** As many as are taken in at a glance. */
const LISTED = 5;
/** Of an array in a record, so many values are shown. */
const MOST_VALUES = 20;

/** Says what fired an alert: one event in full, several as a digest that counts all and lists the first. */
export function toMessage(parts: { alert: NotifierAlert; events: readonly AlertEvent[]; tenant: string }): Message {
  const { alert, events, tenant } = parts;
  const { name, severity } = alert;
  const words = name.replaceAll('-', ' ');
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  const footer = `${severity} · ${tenant} · alert ${name}`;
  const common = { severity, footer };
  const [event] = events;
  if (events.length === 1 && event) {
    const { link, fields } = pick(alert, event);
    const facts = [
      { label: 'Who', value: event.actor },
      { label: 'On', value: event.target },
      { label: 'When', value: describeTime(event) },
      ...fields,
    ].flatMap(({ label, value }) => (value === undefined ? [] : [{ label, value }]));
    return { ...common, title, lead: event.summary, facts, lines: [], more: 0, link };
  }
  const inOrder = events.toSorted((a, b) => (a.timeMs ?? 0) - (b.timeMs ?? 0));
  return {
    ...common,
    title: `${title} ×${events.length}`,
    lead: sumUp(inOrder),
    facts: [],
    lines: inOrder.slice(0, LISTED).map((listed) => toLine(alert, listed)),
    more: Math.max(0, events.length - LISTED),
    link: undefined,
  };
}

function toLine(alert: NotifierAlert, event: AlertEvent): Message['lines'][number] {
  const { link, fields } = pick(alert, event);
  const chosen = fields.flatMap(({ label, value }) => (value === undefined ? [] : [`${label}: ${value}`]));
  const when = event.timeMs === undefined ? [] : [clockOf(event.timeMs)];
  return { text: [...when, event.summary, ...chosen].join(' · '), link };
}

function pick(alert: NotifierAlert, { detail }: AlertEvent) {
  return {
    link: alert.link && fillLink(alert.link, (path) => textAt(detail, path)),
    fields: Object.entries(alert.fields).map(([label, path]) => ({ label, value: textAt(detail, path) })),
  };
}

/** Says how often which type, by how many people, from when to when, and how late at worst. */
function sumUp(events: readonly AlertEvent[]): string {
  const types = Object.entries(Object.groupBy(events, ({ type }) => type))
    .map(([type, those = []]) => ({ type, count: those.length }))
    .toSorted((a, b) => b.count - a.count);
  const said = types.slice(0, LISTED).map(({ type, count }) => `${type} ×${count}`);
  if (types.length > LISTED) said.push(`${types.length - LISTED} more types`);
  const people = new Set(events.flatMap(({ actor }) => actor ?? [])).size;
  const times = events.flatMap(({ timeMs }) => timeMs ?? []);
  const [first, last] = [times[0], times.at(-1)];
  const late = Math.max(0, ...events.map(({ lateSeconds }) => lateSeconds ?? 0));
  return [
    said.join(', '),
    people > 0 && `by ${people} ${people === 1 ? 'person' : 'people'}`,
    first !== undefined && last !== undefined && describeSpan(first, last),
    late > 0 && `seen up to ${describeSeconds(late)} later`,
  ]
    .filter(Boolean)
    .join(', ');
}

function describeTime({ timeMs, lateSeconds, replayed }: AlertEvent): string | undefined {
  const when = timeMs === undefined ? undefined : momentOf(timeMs);
  const late = lateSeconds !== undefined && lateSeconds > 0 ? `seen ${describeSeconds(lateSeconds)} later` : undefined;
  return [when, late, replayed ? 'replayed' : undefined].filter(Boolean).join(', ') || undefined;
}

/** Says the day once where it is one. */
function describeSpan(firstMs: number, lastMs: number): string {
  const [from, until] = [momentOf(firstMs), momentOf(lastMs)];
  if (from === until) return from;
  return from.slice(0, 10) === until.slice(0, 10)
    ? `${from.slice(0, -4)} to ${until.slice(11)}`
    : `${from} to ${until}`;
}

const momentOf = (timeMs: number): string => `${new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
const clockOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(11, 19);

function describeSeconds(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 2 * 86_400 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

/** Gives what stands at a path as text; a path leads through arrays to all that is in them. */
function textAt(detail: unknown, path: string): string | undefined {
  let values = [detail];
  for (const step of path.split('.')) {
    values = values
      .flatMap((value) => (Array.isArray(value) && !/^\d+$/.test(step) ? value : [value]))
      .flatMap((value) =>
        (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, step) ? [Reflect.get(value, step)] : [],
      );
  }
  const found = values.flat().filter((value) => value !== null && value !== undefined);
  if (found.length === 0) return undefined;
  const shown = found
    .slice(0, MOST_VALUES)
    .map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)));
  if (found.length > MOST_VALUES) shown.push(`${found.length - MOST_VALUES} more`);
  return shown.join(', ');
}
