import type { BusEvent } from '../aws/bus.ts';
import type { Place, Status } from './view.ts';

/** An event as people read it. */
export interface EventWords {
  /** Event time, else when it was first seen; NaN where neither can be read. */
  readonly timeMs: number;
  readonly type: string;
  /** What happened, without the type. */
  readonly rest: string;
  /** How late it was first seen, where that is worth a word. */
  readonly late?: string;
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
export function describePlace({ platform, poller, bus, table, folder }: Place): [name: string, words: string][] {
  return [
    ['platform', `${platform.url}  ${platform.what}`],
    ['poller', `${poller.module} in its own process, every ${poller.everySeconds} s, from ${poller.start} on`],
    ['bus', `${bus.url}  EventBridge, bus "${bus.name}"`],
    ['table', `${table.url}  DynamoDB, table "${table.name}"`],
    ...(folder === undefined ? [] : [['state', folder] satisfies [string, string]]),
  ];
}

/** The whole run in a line. */
export function describeStatus({ published, known, parked, polls, requests, mark }: Status): string {
  const asked = requests === undefined ? '' : `, ${describeCount(requests)} requests`;
  const come = mark === null ? 'nothing read whole yet' : `read and published up to ${mark}`;
  return (
    `${describeCount(published)} published, ${describeCount(known)} repeats suppressed, ` +
    `${describeCount(parked)} parked; ${describeCount(polls)} polls${asked}; ${come}`
  );
}
