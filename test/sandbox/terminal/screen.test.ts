import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import type { BusEvent } from '../../../sandbox/aws/bus.ts';
import { drawFrame, type Scene } from '../../../sandbox/terminal/frame.ts';
import { createScreenView } from '../../../sandbox/terminal/screen-view.ts';
import type { Place, Status } from '../../../sandbox/terminal/view.ts';
import { describeAlert, describeEvent, describePlace, describeSeconds } from '../../../sandbox/terminal/words.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');

const place: Place = {
  platform: { url: 'http://127.0.0.1:1', what: 'Example, made up' },
  poller: { module: 'functions/poller.ts', everySeconds: 2, start: 'now' },
  bus: { name: 'relay', url: 'http://127.0.0.1:2' },
  table: { name: 'relay', url: 'http://127.0.0.1:3' },
  secrets: { url: 'http://127.0.0.1:4' },
};
const makeStatus = (): Status => ({
  ...{ published: 1234, known: 5, parked: 0, polls: 7, requests: 8 },
  ...{ mark: '2026-11-21T11:59:57Z', checkedThrough: null },
});

function makeEvent({ type = 'profile_updated', summary = 'by Ada', lateby = 0 } = {}): BusEvent {
  return {
    ...{ version: '0', id: '1', source: 'supplier-platform.audit', account: '1', region: 'us-east-1', resources: [] },
    'detail-type': type,
    time: '2026-11-21T11:59:58Z',
    detail: { lateby, data: { summary: `${type} ${summary}` } },
  };
}

const makeScene = (scene: Partial<Scene> = {}): Scene => ({
  ...{ place, status: makeStatus(), feed: [], stopping: false, nowMs, columns: 80, rows: 24 },
  ...scene,
});
const draw = (scene: Partial<Scene> = {}): string[] =>
  drawFrame(makeScene(scene)).map((line) => line.map(({ text }) => text).join(''));

test('never draws more than a terminal of any size holds', () => {
  const feed = Array.from({ length: 90 }, () => describeEvent(makeEvent({ summary: 'é漢👩‍🚀'.repeat(100) })));
  for (const rows of [1, 5, 6, 7, 8, 9, 12, 15, 17, 24, 40]) {
    for (const columns of [1, 2, 10, 49, 50, 80]) {
      const lines = draw({ feed, rows, columns });
      expect(lines.length).toBeLessThanOrEqual(rows);
      for (const line of lines) expect([...new Intl.Segmenter().segment(line)].length).toBeLessThan(columns);
    }
  }
});

test('fills the terminal with the latest events and keeps the status at its foot', () => {
  const feed = Array.from({ length: 90 }, (_, index) => describeEvent(makeEvent({ type: `type_${index}` })));
  const lines = draw({ feed });
  expect(lines).toHaveLength(24);
  expect(lines.slice(-5).join('\n')).toContain('1,234');
  expect(lines.at(-7)).toContain('type_89');
  expect(draw({ feed, rows: 40 }).indexOf(lines.at(-7) ?? '')).toBe(33);
});

test('says how far the mark is behind and that nothing is re-checked yet', () => {
  const text = draw().join('\n');
  expect(text).toMatch(/lag +3 s/);
  expect(text).toMatch(/re-checked +not yet/);
});

test('shows a fault until a poll succeeds, and after that as past', () => {
  const status = makeStatus();
  const look = () => drawFrame(makeScene({ status })).at(-1)?.at(-1);
  status.lastFault = { atMs: nowMs, message: 'TransportError: no answer\nin time', over: false };
  expect(look()).toEqual({ text: expect.stringMatching(/TransportError: no answer in time$/), look: ['red', 'bold'] });
  status.lastFault.over = true;
  expect(look()).toMatchObject({ look: 'bold' });
});

test('takes what could harm a terminal out of the text of an event', () => {
  const event = makeEvent({ type: 'a\x1b[2Jb', summary: 'line\r\nfeed \x9b31m \u202eright to left\u2028' });
  expect(describeEvent(event)).toMatchObject({ type: 'a [2Jb', rest: 'line feed  31m  right to left' });
});

test('says that an event is late only where it is', () => {
  expect(describeEvent(makeEvent({ lateby: 4 }))).not.toHaveProperty('late');
  expect(describeEvent(makeEvent({ lateby: 600 })).late).toBe('10 min late');
});

test('puts a message to Slack or Teams into a line', () => {
  const common = { number: 1, name: 'bank', receivedMs: nowMs };
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: '⚠️ Bank details' } },
    { type: 'section', text: { type: 'plain_text', text: 'by Ada\x1b[2J on Acme' } },
    { type: 'context', elements: [{ type: 'plain_text', text: 'footer' }] },
  ];
  const slack = describeAlert({ ...common, channel: 'slack', payload: { text: 'for notifications', blocks } });
  expect(slack).toEqual({ timeMs: nowMs, type: '→ Slack', rest: 'Bank details: by Ada [2J on Acme', isAlert: true });
  const body = [
    { type: 'TextBlock', text: 'ℹ️ 5 kits' },
    { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: 'approved' }] },
  ];
  const teams = describeAlert({ ...common, channel: 'teams', payload: { attachments: [{ content: { body } }] } });
  expect(teams).toMatchObject({ type: '→ Teams', rest: '5 kits: approved' });
});

test('says of adapter and alerts only where there are any', () => {
  expect(draw().join('\n')).not.toMatch(/adapter|alerts/);
  const status = { ...makeStatus(), adapted: 12, alerts: 3 };
  const alerting = {
    ...place,
    adapter: { module: 'functions/adapter.ts', interfaces: ['one', 'two'] },
    alerts: { url: 'http://127.0.0.1:5/' },
  };
  const text = draw({ status, place: alerting, rows: 40 }).join('\n');
  expect(text).toMatch(/adapter +12 events +alerts +3 messages/);
  expect(describePlace(alerting)).toContainEqual([
    'adapter',
    'functions/adapter.ts in its own process, for "one" and "two"',
  ]);
  expect(text).toContain('http://127.0.0.1:5/');
});

test('puts durations into one unit', () => {
  expect([0, 119, 120, 7200, 200_000, -3].map(describeSeconds)).toEqual(['0 s', '119 s', '2 min', '2 h', '2 d', '0 s']);
});

/** A screen that is no terminal, so that nothing is coloured. */
function createScreen() {
  const output = Object.assign(new PassThrough({ encoding: 'utf8' }), { columns: 80, rows: 24 });
  const written = () => (output.read() as string | null) ?? '';
  const view = createScreenView({ output, onInterrupt: () => undefined, clock: () => nowMs });
  return { output, written, view };
}

/** Every line starts with a move of the cursor to its first column. */
const countLines = (text: string): number => text.split(';1H').length - 1;

test('gives the terminal back as it was, with a summary', () => {
  const { view, written } = createScreen();
  view.started(place, makeStatus());
  expect(written().startsWith('\x1b[?1049h\x1b[?25l\x1b[?7l')).toBe(true);
  view.stopped();
  const [returned, summary] = written().split('Stopped: ');
  expect(returned?.endsWith('\x1b[?7h\x1b[?25h\x1b[?1049l')).toBe(true);
  expect(summary).toMatch(/^1,234 published, .*\n$/);
});

test('writes only the lines that changed', async () => {
  const { view, written } = createScreen();
  const status = makeStatus();
  view.started(place, status);
  written();
  status.published += 1;
  view.polled({});
  const text = await vi.waitUntil(written);
  view.stopped();
  expect(countLines(text)).toBe(1);
  expect(text).toContain('1,235');
});

test('draws everything anew when the size changes', async () => {
  const { view, written, output } = createScreen();
  view.started(place, makeStatus());
  written();
  Object.assign(output, { rows: 10 });
  output.emit('resize');
  expect(written()).toBe('\x1b[2J');
  const text = await vi.waitUntil(written);
  view.stopped();
  expect(countLines(text)).toBe(10);
});
