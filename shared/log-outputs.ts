import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import pino from 'pino';
import type { LoggerSettings } from './adapter-config.ts';
import type { LogLevel } from './config.ts';
import { describeError, type LogFields, type Logger } from './log.ts';
import { withoutControls } from './relay/text.ts';

/** A log that goes to several places at once. */
export interface LogOutputs {
  readonly log: Logger;
  /** The same without the tap, for what the tap itself has to say. */
  readonly aside: Logger;
  /** The latest lines of whatever level, oldest first, without secrets. */
  lastLines(): readonly string[];
}

/** Takes entries as they are logged, from a level up. */
export interface LogTap {
  readonly level: LogLevel;
  readonly take: (entry: object) => void;
}

const KEPT_LINES = 50;

/** Opens a log on pino; nothing that fails here stops its caller. */
export function openLogOutputs(options: {
  outputs: readonly LoggerSettings[];
  /** Goes with every message. */
  fields: LogFields;
  /** Takes secrets out of a line. */
  redact: (text: string) => string;
  tap?: LogTap | undefined;
  /** @default process.stdout */
  write?: (line: string) => void;
}): LogOutputs {
  const { outputs, fields, redact, tap, write = (line: string) => void process.stdout.write(line) } = options;
  const lastLines: string[] = [];
  const streams: pino.StreamEntry[] = outputs.map(({ level, outputPath, jsonLogging }) => {
    const append = outputPath === 'stdout' ? write : createFile(outputPath, write);
    return { level, stream: { write: (line) => append(redact(jsonLogging ? line : toText(line))) } };
  });
  streams.push({
    level: 'debug',
    stream: {
      write(line) {
        lastLines.push(redact(line).trimEnd());
        if (lastLines.length > KEPT_LINES) lastLines.shift();
      },
    },
  });
  const tapped: pino.StreamEntry[] = tap
    ? [{ level: tap.level, stream: { write: (line) => tap.take(JSON.parse(redact(line)) as object) } }]
    : [];
  return {
    log: createLogger([...streams, ...tapped], fields),
    aside: createLogger(streams, fields),
    lastLines: () => lastLines,
  };
}

/** Writes lines like those of the functions, which are too small for a logging library. */
function createLogger(streams: pino.StreamEntry[], fields: LogFields): Logger {
  const logger = pino(
    {
      level: 'debug',
      base: fields,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    pino.multistream(streams),
  );
  const at =
    (level: LogLevel) =>
    (message: string, { error, ...rest }: LogFields = {}): void =>
      logger[level]({ ...rest, ...(error !== undefined && describeError(error)) }, message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** A line for people: time, level, message, and the facts as `name=value`. */
function toText(line: string): string {
  const { time, level, message, ...facts } = JSON.parse(line) as Record<string, unknown>;
  const pairs = Object.entries(facts).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${withoutControls([time, String(level).padEnd(5), message, ...pairs].join(' '))}\n`;
}

/** Opens the file anew for every line, so that one that was rotated away or deleted is none the worse for it. */
function createFile(path: string, write: (line: string) => void): (line: string) => void {
  let failing = false;
  return (line) => {
    try {
      mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, line);
      failing = false;
    } catch (error) {
      if (failing) return;
      failing = true;
      const time = new Date().toISOString();
      const message = `The log file ${path} cannot be written; it is tried again with every line`;
      write(`${JSON.stringify({ level: 'error', time, message, ...describeError(error) })}\n`);
    }
  };
}
