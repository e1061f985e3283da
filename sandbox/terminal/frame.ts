import type { styleText } from 'node:util';
import type { Place, Status } from './view.ts';
import { clean, describeCount, describePlace, describeSeconds, describeTime, type EventWords } from './words.ts';

type Look = Parameters<typeof styleText>[0];

/** A piece of a line and how it looks. */
export interface Span {
  readonly text: string;
  readonly look?: Look;
}

/** What a frame shows. */
export interface Scene {
  readonly place: Place;
  readonly status: Status;
  /** The latest last: events, and lines of the log. */
  readonly feed: readonly (EventWords | string)[];
  readonly stopping: boolean;
  readonly nowMs: number;
  readonly columns: number;
  readonly rows: number;
}

/** Below, the status stands in one column. */
const TWO_COLUMNS = 50;
/** The heading gives way to this many lines of the feed. */
const LEAST_FEED = 5;
/** The longest usual event types have 23 characters. */
const WIDEST_TYPE = 23;
const WIDEST_CELL = 36;
/** A poll that takes longer is worth a word. */
const LONG_POLL_SECONDS = 2;
const graphemes = new Intl.Segmenter();

/** Draws at most `rows` lines of at most `columns - 1` characters, the status always at the same place below. */
export function drawFrame(scene: Scene): Span[][] {
  const { rows, columns } = scene;
  const status = drawStatus(scene);
  const heading = drawHeading(scene);
  const spare = rows - status.length - 2;
  const head = spare - heading.length >= LEAST_FEED ? heading : heading.slice(0, 1);
  const room = spare - head.length;
  const frame = room > 0 ? [...head, [], ...drawFeed(scene, room), [], ...status] : status.slice(0, rows);
  return frame.map((line) => cut(line, columns - 1));
}

function drawHeading({ place, stopping }: Scene): Span[][] {
  const hint = stopping ? 'finishing what is under way; Ctrl-C ends at once' : 'Ctrl-C ends';
  return [
    [
      { text: 'Supplier event relay', look: 'bold' },
      { text: `  ${hint}`, look: stopping ? 'yellow' : 'dim' },
    ],
    ...describePlace(place).map(([name, words]) => [{ text: name.padEnd(10), look: 'dim' as const }, { text: words }]),
  ];
}

function drawFeed({ feed, nowMs, columns }: Scene, room: number): Span[][] {
  const shown = feed.slice(-room);
  const width = Math.min(WIDEST_TYPE, Math.floor(columns / 3));
  const lines = shown.map((item): Span[] => {
    if (typeof item === 'string') return [{ text: item, look: 'dim' }];
    const { timeMs, type, rest, late, isAlert } = item;
    return [
      { text: describeTime(timeMs, nowMs).padEnd(10), look: 'dim' },
      { text: type.padEnd(width), look: isAlert ? 'magenta' : 'cyan' },
      ...(late === undefined ? [] : [{ text: `  ${late}`, look: 'yellow' as const }]),
      { text: `  ${rest}` },
    ];
  });
  return [...lines, ...Array.from({ length: room - lines.length }, () => [])];
}

function drawStatus({ status, nowMs, columns }: Scene): Span[][] {
  const { published, known, parked, polls, requests, mark, checkedThrough, pollingSinceMs = nowMs } = status;
  const { adapted, alerts, lastFault } = status;
  const polling = Math.floor((nowMs - pollingSinceMs) / 1000);
  const markMs = mark === null ? undefined : Date.parse(mark);
  const checkedMs = checkedThrough === null ? undefined : Date.parse(checkedThrough);
  const cells: Span[][] = [
    cell('published', describeCount(published)),
    cell('mark', markMs === undefined ? 'not yet' : describeTime(markMs, nowMs)),
    cell('parked', describeCount(parked), parked > 0),
    cell('lag', markMs === undefined ? 'not yet' : describeSeconds((nowMs - markMs) / 1000)),
    cell('suppressed', `${describeCount(known)} repeats`),
    cell('re-checked', checkedMs === undefined ? 'not yet' : `to ${describeSeconds((nowMs - checkedMs) / 1000)} ago`),
    cell('polls', `${describeCount(polls)}${polling >= LONG_POLL_SECONDS ? `, one for ${polling} s` : ''}`),
    ...(requests === undefined ? [] : [cell('requests', describeCount(requests))]),
    ...(adapted === undefined ? [] : [cell('adapter', `${describeCount(adapted)} events`)]),
    ...(alerts === undefined ? [] : [cell('alerts', `${describeCount(alerts)} messages`)]),
  ];
  const fault =
    lastFault === undefined
      ? cell('last fault', 'none')
      : cell('last fault', `${describeTime(lastFault.atMs, nowMs)}  ${clean(lastFault.message)}`, !lastFault.over);
  return [...(columns < TWO_COLUMNS ? cells : inPairs(cells, columns)), fault];
}

function cell(name: string, value: string, alarming = false): Span[] {
  return [
    { text: name.padEnd(12), look: 'dim' },
    { text: value, look: alarming ? ['red', 'bold'] : 'bold' },
  ];
}

function inPairs(cells: readonly Span[][], columns: number): Span[][] {
  const width = Math.min(WIDEST_CELL, columns >> 1);
  return Array.from({ length: Math.ceil(cells.length / 2) }, (_, row) => {
    const [left = [], right = []] = cells.slice(2 * row, 2 * row + 2);
    const length = left.reduce((sum, { text }) => sum + text.length, 0);
    return [...left, { text: ' '.repeat(Math.max(1, width - length)) }, ...right];
  });
}

/** Cuts by what people see as characters; a terminal that does not wrap clips what is wider. */
function cut(line: readonly Span[], columns: number): Span[] {
  let left = Math.max(0, columns);
  return line.flatMap((span) => {
    const seen = Array.from(graphemes.segment(span.text), ({ segment }) => segment);
    const kept = seen.length <= left ? seen : left > 0 ? [...seen.slice(0, left - 1), '…'] : [];
    left -= kept.length;
    return kept.length === 0 ? [] : [{ ...span, text: kept.join('') }];
  });
}
