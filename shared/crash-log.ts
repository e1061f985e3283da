import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inspect } from 'node:util';

/** What is told of an end that nobody wanted. */
export interface Crash {
  readonly error: unknown;
  /** Settings that are no secrets; left out where they could not be read. */
  readonly config?: object | undefined;
  /** The latest lines of the log. */
  readonly lastLines: readonly string[];
}

/**
 * Writes a crash log into a file of its own and gives its path: the chain of causes with their stacks, the settings, the
 * end of the log. What `redact` knows as secret is not in it.
 * @throws where the disk cannot be written
 */
export function writeCrashLog(crash: Crash, to: { folder: string; redact: (text: string) => string }): string {
  const { error, config, lastLines } = crash;
  const now = new Date().toISOString();
  const folder = resolve(to.folder);
  const path = join(folder, `crash-${now.replaceAll(/[:.]/g, '-')}-${process.pid}-${randomUUID().slice(0, 8)}.log`);
  const sections = {
    'What happened': inspect(error, { depth: 10 }),
    Process: inspect({
      time: now,
      pid: process.pid,
      node: process.version,
      uptimeSeconds: Math.round(process.uptime()),
    }),
    Settings: inspect(config, { depth: 10 }),
    'The end of the log': lastLines.join('\n'),
  };
  const text = Object.entries(sections).map(([title, body]) => `== ${title} ==\n${body}\n`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, to.redact(text.join('\n')), { flag: 'wx', mode: 0o600 });
  return path;
}
