import type { BusEvent } from '../aws/bus.ts';
import type { ReceivedMessage } from '../console/webhooks.ts';
import type { Place, Status } from './view.ts';

/** An event, or an alert, as people read it. */
export interface EventWords {
  /** Event time, else when it was first seen; NaN where neither can be read. */
  readonly timeMs: number;
  readonly type: string;
  /** What happened, without the type. */
  readonly rest: string;
  /** How late it was first seen, where that is worth a word. */
  readonly late?: string;
  /** Whether somebody was told something. */
  readonly isAlert?: true;
}

/** Up to here an event counts as prompt: a poll or two. */
const PROMPT_SECONDS = 5;
const HALF_A_DAY_MS = 12 * 3_600_000;

/** Makes text from outside harmless for a terminal: one line, no control or formatting characters. */
export const clean = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** Puts an event into words, from whatever its detail has. */
export function describeEvent({ 'detail-type': detailType, time, detail }: BusEvent): EventWords {
  const { lateby, data } = detail;
  const type = clean(detailType);
  const { summary } = (typeof data === 'object' && data !== null ? data : {}) as { summary?: unknown };
  const text = clean(typeof summary === 'string' ? summary : '');
  return {
    timeMs: Date.parse(time),
    type,
    rest: text.startsWith(type) ? text.slice(type.length).trim() : text,
    ...(typeof lateby === 'number' && lateby > PROMPT_SECONDS && { late: `${describeSeconds(lateby)} late` }),
  };
}

/** Puts a message to Slack or Teams into words: its title and what leads it. */
export function describeAlert({ channel, receivedMs, payload }: ReceivedMessage): EventWords {
  const { blocks, attachments } = payload as { blocks?: unknown; attachments?: unknown };
  const [title = '', lead = ''] = findTexts(blocks ?? attachments);
  const rest = clean(`${title.replace(/^\p{Extended_Pictographic}\ufe0f?\s*/u, '')}: ${lead}`);
  return { timeMs: receivedMs, type: channel === 'slack' ? '→ Slack' : '→ Teams', rest, isAlert: true };
}

/** Gives what is said in a message, in its order. */
function findTexts(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) =>
    name === 'text' && typeof value === 'string' ? [value] : findTexts(value),
  );
}

/** E.g. `7 s`, `12 min`, `3 h`, `2 d`. */
export function describeSeconds(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
  ] as const;
  for (const [name, length] of units) if (seconds >= 2 * length) return `${Math.floor(seconds / length)} ${name}`;
  return `${Math.max(0, Math.floor(seconds))} s`;
}

/** The time of day here, e.g. `07:45:19`; only the day of what is long past, e.g. `19 Nov`. */
export function describeTime(timeMs: number, nowMs: number): string {
  if (Number.isNaN(timeMs)) return '?';
  const date = new Date(timeMs);
  return Math.abs(nowMs - timeMs) < HALF_A_DAY_MS
    ? date.toTimeString().slice(0, 8)
    : date.toLocaleDateString('en-GB', { day: '2-digit', month: 'short' });
}

/** E.g. `12,345`. */
export const describeCount = (count: number): string => count.toLocaleString('en');

/** What runs where, a name and its words a line. */
export function describePlace({
  platform,
  poller,
  adapter,
  bus,
  table,
  alerts,
  folder,
}: Place): [name: string, words: string][] {
  return [
    ['platform', `${platform.url}  ${platform.what}`],
    ['poller', `${poller.module} in its own process, every ${poller.everySeconds} s, from ${poller.start} on`],
    ...(adapter === undefined ? [] : [['adapter', describeAdapter(adapter)] satisfies [string, string]]),
    ['bus', `${bus.url}  EventBridge, bus "${bus.name}"`],
    ['table', `${table.url}  DynamoDB, table "${table.name}"`],
    ...(alerts === undefined ? [] : [['alerts', `${alerts.url}  what Slack and Teams got`] satisfies [string, string]]),
    ...(folder === undefined ? [] : [['state', folder] satisfies [string, string]]),
  ];
}

const describeAdapter = ({ module, interfaces }: NonNullable<Place['adapter']>): string =>
  `${module} in its own process, for ${interfaces.map((name) => `"${name}"`).join(' and ')}`;

/** The whole run in a line. */
export function describeStatus({ published, known, parked, polls, alerts, requests, mark }: Status): string {
  const told = alerts === undefined ? '' : `, ${describeCount(alerts)} alerts`;
  const asked = requests === undefined ? '' : `, ${describeCount(requests)} requests`;
  const come = mark === null ? 'nothing read whole yet' : `read and published up to ${mark}`;
  return (
    `${describeCount(published)} published, ${describeCount(known)} repeats suppressed, ` +
    `${describeCount(parked)} parked${told}; ${describeCount(polls)} polls${asked}; ${come}`
  );
}
