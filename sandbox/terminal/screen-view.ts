import type { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { styleText } from 'node:util';
import { drawFrame, type Span } from './frame.ts';
import type { Place, Status, View } from './view.ts';
import { clean, describeAlert, describeEvent, describeStatus, type EventWords } from './words.ts';

const CONTROL = {
  /** The other screen, without a cursor and without wrapping. */
  open: '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J',
  close: '\x1b[?7h\x1b[?25h\x1b[?1049l',
  clear: '\x1b[2J',
  /** Around a frame: terminals that know it show all of it at once. */
  begin: '\x1b[?2026h',
  end: '\x1b[?2026l',
  clearRight: '\x1b[K',
} as const;
const CTRL_C = '\x03';
/** More lines than a terminal has. */
const KEPT = 500;
const FRAME_MS = 80;
const TICK_MS = 1000;

/** Makes the view for a person: events scroll by, the status stays where it is, only lines that changed are written. */
export function createScreenView(parts: {
  /** A terminal; its size where it tells, else 80 by 24. */
  output: Writable & { columns?: number; rows?: number };
  /** Left out where nobody types. */
  input?: ReadStream;
  /** Called on Ctrl-C, which a terminal in raw mode does not turn into a signal. */
  onInterrupt: () => void;
  clock: () => number;
}): View {
  const { output, input, onInterrupt, clock } = parts;
  const feed: (EventWords | string)[] = [];
  let scene: { place: Place; status: Status } | undefined;
  let stopping = false;
  let drawn: string[] = [];
  let pending: NodeJS.Timeout | undefined;
  let ticks: NodeJS.Timeout | undefined;

  function paint(): void {
    pending = undefined;
    if (!scene) return;
    const size = { columns: output.columns || 80, rows: output.rows || 24 };
    const lines = drawFrame({ ...scene, feed, stopping, nowMs: clock(), ...size }).map(toText);
    const changed = lines.flatMap((line, row) =>
      line === drawn[row] ? [] : [`\x1b[${row + 1};1H${line}${CONTROL.clearRight}`],
    );
    drawn = lines;
    if (changed.length > 0) output.write(`${CONTROL.begin}${changed.join('')}${CONTROL.end}`);
  }

  const toText = (line: readonly Span[]): string =>
    line.map(({ text, look }) => (look === undefined ? text : styleText(look, text, { stream: output }))).join('');

  /** Many events make one frame. */
  function repaint(): void {
    pending ??= setTimeout(paint, FRAME_MS);
  }

  function add(item: EventWords | string): void {
    feed.push(item);
    if (feed.length > KEPT) feed.shift();
    repaint();
  }

  function resize(): void {
    output.write(CONTROL.clear);
    drawn = [];
    repaint();
  }

  function type(keys: Buffer): void {
    if (keys.includes(CTRL_C)) onInterrupt();
  }

  function open(): void {
    output.write(CONTROL.open);
    output.on('resize', resize);
    ticks = setInterval(repaint, TICK_MS);
    // Nothing that is typed appears, and Ctrl-C reaches this process only, not the poller's.
    input?.setRawMode(true).on('data', type);
    process.on('exit', close).on('uncaughtExceptionMonitor', close);
  }

  function close(): void {
    clearInterval(ticks);
    clearTimeout(pending);
    output.off('resize', resize);
    input?.off('data', type).setRawMode(false).pause();
    process.off('exit', close).off('uncaughtExceptionMonitor', close);
    output.write(CONTROL.close);
  }

  return {
    started(place, status) {
      scene = { place, status };
      open();
      paint();
    },
    event: (event) => add(describeEvent(event)),
    polled: repaint,
    alerted: (message) => add(describeAlert(message)),
    faulted: repaint,
    logged: (line) => add(clean(line)),
    stopping() {
      stopping = true;
      paint();
    },
    stopped() {
      if (!scene) return;
      close();
      output.write(`Stopped: ${describeStatus(scene.status)}\n`);
      scene = undefined;
    },
  };
}
