import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { ConfigurationError } from '../shared/errors.ts';
import type { Io } from './io.ts';

const entry = z.strictObject({
  baseUrl: z.optional(z.string()),
  authUrl: z.optional(z.string()),
  keyFile: z.optional(z.string()),
  pathPrefix: z.optional(z.string()),
  table: z.optional(z.string()),
});
const configFile = z.strictObject({ platforms: z.record(z.string(), entry) });

/** What is kept of a platform; the key itself stays in its own file. */
export type Entry = z.infer<typeof entry>;

/** Entries by name. */
export type Entries = Readonly<Record<string, Entry>>;

/** Gives the place of the config file. */
export const configPath = (env: Io['env']): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'supplier-relay', 'config.json');

/** Reads all entries; none where there is no file. @throws {ConfigurationError} */
export function readEntries(env: Io['env']): Entries {
  const path = configPath(env);
  try {
    return configFile.parse(JSON.parse(readFileSync(path, 'utf8'))).platforms;
  } catch (error) {
    const why = inWords(error);
    if (why === 'ENOENT' || why === 'ENOTDIR') return {};
    throw new ConfigurationError([`The config file ${path} cannot be used (${why}): mend it or remove it`]);
  }
}

/** Reads one entry; an empty one where `default` is not kept. @throws {ConfigurationError} */
export function readEntry(name: string, env: Io['env']): Entry {
  const entries = readEntries(env);
  if (Object.hasOwn(entries, name)) return entries[name] ?? {};
  if (name === 'default') return {};
  throw new ConfigurationError([
    `--platform is wrong: the config file has no such entry, it has ${Object.keys(entries).join(', ') || 'none'}`,
  ]);
}

/** Changes an entry; an empty text takes a setting away. @throws {ConfigurationError} */
export function saveEntry(name: string, changes: Entry, env: Io['env']): void {
  if (!/^[a-z0-9][\w.-]*$/i.test(name)) {
    throw new ConfigurationError(['--platform is wrong: expected a name of letters, digits, dots and hyphens']);
  }
  const entries = readEntries(env);
  const keyFile = changes.keyFile && resolve(changes.keyFile);
  const merged = { ...entries[name], ...changes, ...(keyFile && { keyFile }) };
  const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value));
  const path = configPath(env);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, `${JSON.stringify({ platforms: { ...entries, [name]: kept } }, null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new ConfigurationError([
      `The config file ${path} cannot be written (${inWords(error)}): set XDG_CONFIG_HOME to a folder of yours`,
    ]);
  }
}

function inWords(error: unknown): string {
  if (error instanceof z.core.$ZodError) {
    return error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`).join('; ');
  }
  if (error instanceof SyntaxError) return 'it is not JSON';
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
