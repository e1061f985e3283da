import { createInterface } from 'node:readline/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Sleep } from '../shared/relay/ports.ts';

/** Whoever read stdout has gone, e.g. `head`: no fault, but nothing more is worth doing. */
export class ReaderGoneError extends Error {
  override readonly name = 'ReaderGoneError';
}

/** What a command touches of the world. */
export interface Io {
  /** Writes to stdout and waits until it may go on. @throws {ReaderGoneError} where nobody reads any more */
  write(text: string): Promise<void>;
  /** Writes a line for people to stderr. */
  note(line: string): void;
  /** Writes over the last line of progress on a terminal, nothing elsewhere; an empty text clears it. */
  progress(text: string): void;
  /** True where somebody at a terminal can be asked. */
  readonly isInteractive: boolean;
  /** Asks a question at the terminal; anything but yes is no. */
  confirm(question: string): Promise<boolean>;
  /** Reads stdin to its end. */
  readInput(): Promise<string>;
  /** Columns of the terminal; left out where stdout is none. */
  readonly columns?: number;
  /** True where stdout is a terminal, which obeys control characters. */
  readonly isTerminal: boolean;
  readonly stdout: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly sleep: Sleep;
}

/** Makes the world of a process. */
export function createProcessIo({ stdout, stderr, stdin, env }: NodeJS.Process): Io {
  let gone = false;
  let progressed = false;
  stdout.on('error', () => {
    gone = true;
  });
  // A warning that nobody reads is no reason to stop.
  stderr.on('error', () => undefined);
  const columns = stdout.isTTY ? stdout.columns : Number(env.COLUMNS) || undefined;

  function progress(text: string): void {
    if (!stderr.isTTY || env.TERM === 'dumb' || (text === '' && !progressed)) return;
    stderr.write(`\r\x1b[K${text}`);
    progressed = text !== '';
  }

  return {
    write: (text) => {
      progress('');
      return new Promise((resolve, reject) => {
        const refuse = () => reject(new ReaderGoneError('Nobody reads the output any more'));
        if (gone) refuse();
        else stdout.write(text, (error) => (error ? refuse() : resolve()));
      });
    },
    note(line) {
      progress('');
      stderr.write(`${line}\n`);
    },
    progress,
    isInteractive: stdin.isTTY && stderr.isTTY,
    async confirm(question) {
      progress('');
      const lines = createInterface({ input: stdin, output: stderr });
      try {
        return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
      } finally {
        lines.close();
      }
    },
    async readInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString();
    },
    ...(columns !== undefined && { columns }),
    isTerminal: stdout.isTTY,
    stdout,
    env,
    clock: Date.now,
    sleep: (waitMs) => delay(waitMs),
  };
}
