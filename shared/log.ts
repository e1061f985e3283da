import type { LogLevel } from './config.ts';

/** Facts that go with a message; never a key, a token or a body. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes log lines. */
export type Logger = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>;

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** Makes a logger that writes a line of JSON a message, from `level` up. */
export function createLogger(options: {
  level: LogLevel;
  /** Goes with every message. */
  fields?: LogFields;
  write?: (line: string) => void;
}): Logger {
  const { level, fields: always = {}, write = (line) => process.stdout.write(`${line}\n`) } = options;
  const least = LEVELS.indexOf(level);
  const at =
    (own: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (LEVELS.indexOf(own) < least) return;
      write(JSON.stringify({ level: own, time: new Date().toISOString(), message, ...always, ...fields }));
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Gives what may be said of an error in a log: its chain of names and messages, and where it was thrown. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) };
  const causes: string[] = [];
  for (let cause: unknown = error; cause instanceof Error && causes.length < 5; cause = cause.cause) {
    causes.push(`${cause.name}: ${cause.message}`);
  }
  return { error: causes.join(' < '), stack: error.stack };
}
