import { readFileSync, statSync } from 'node:fs';
import { readUrl } from '../shared/config.ts';
import { ConfigurationError } from '../shared/errors.ts';
import { type Entry, readEntry } from './config-file.ts';
import type { Io } from './io.ts';

/** The options that say which platform is meant. */
export interface PlatformOptions extends Entry {
  /** The name of an entry of the config file. */
  readonly platform: string;
}

/** Where the platform is and who asks. */
export interface PlatformSettings {
  readonly baseUrl: URL;
  readonly authUrl: URL;
  readonly keyFile: string;
  readonly pathPrefix?: string | undefined;
}

/** Puts options, environment and config file together, in this order. @throws {ConfigurationError} naming what is missing or wrong */
export function resolvePlatform(options: PlatformOptions, env: Io['env']): PlatformSettings {
  const kept = readEntry(options.platform, env);
  const givenBase = options.baseUrl ?? (env.RELAY_BASE_URL || undefined);
  const givenAuth = options.authUrl ?? (env.RELAY_AUTH_URL || undefined);
  // What is kept of one platform is of no use to another; above all, no key goes where it was not meant for.
  const isKept = givenBase === undefined || givenBase === kept.baseUrl;
  const baseUrl = givenBase ?? kept.baseUrl;
  const authUrl = givenAuth ?? (isKept ? kept.authUrl : undefined);
  const keyIsMeant = isKept && authUrl === kept.authUrl;
  const keyFile = options.keyFile ?? (env.RELAY_KEY_FILE || (keyIsMeant ? kept.keyFile : undefined));

  const faults: string[] = [];
  if (!baseUrl)
    faults.push('--base-url is missing: give the address of the platform, or keep it with relay config set');
  if (!keyFile) {
    faults.push(
      keyIsMeant || !kept.keyFile
        ? '--key-file is missing: give a file with the API key, or keep its name with relay config set'
        : '--key-file is missing: the one in the config file belongs to another address',
    );
  }
  if (!baseUrl || !keyFile) throw new ConfigurationError(faults);
  return {
    baseUrl: toUrl('--base-url', baseUrl),
    authUrl: toUrl('--auth-url', authUrl ?? baseUrl),
    keyFile,
    pathPrefix: checkPrefix(options.pathPrefix ?? (isKept ? kept.pathPrefix : undefined)),
  };
}

/** Gives the name of the relay's table. @throws {ConfigurationError} where none is given */
export function resolveTable(options: Pick<PlatformOptions, 'platform' | 'table'>, env: Io['env']): string {
  const table = options.table ?? (env.RELAY_TABLE || readEntry(options.platform, env).table);
  if (table) return table;
  throw new ConfigurationError(['--table is missing: give the DynamoDB table of the relay, or set RELAY_TABLE']);
}

/** Reads the API key; says on stderr where others can read it, too. @throws {ConfigurationError} without a word of the key */
export function readKeyFile(path: string, io: Pick<Io, 'note'>): string {
  let key: string;
  try {
    key = readFileSync(path, 'utf8').trim();
    if (process.platform !== 'win32' && statSync(path).mode & 0o077) {
      io.note('Others on this machine can read the file of --key-file: chmod 600 keeps the key yours.');
    }
  } catch (error) {
    // Without the path: somebody may have given the key itself.
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError([`--key-file is wrong: no file can be read there (${code})`]);
  }
  if (key === '') throw new ConfigurationError(['--key-file is wrong: the file is empty, expected the API key in it']);
  return key;
}

/** Checks what is to be kept of a platform. @throws {ConfigurationError} */
export function checkEntry({ baseUrl, authUrl, pathPrefix }: Entry): void {
  if (baseUrl) toUrl('--base-url', baseUrl);
  if (authUrl) toUrl('--auth-url', authUrl);
  checkPrefix(pathPrefix);
}

function toUrl(option: string, text: string): URL {
  const url = readUrl(text);
  if (url) return url;
  throw new ConfigurationError([`${option} is wrong: expected an https address (http only on this machine)`]);
}

function checkPrefix(text: string | undefined): string | undefined {
  if (text === undefined || /^(\/[\w.~-]+)*$/.test(text)) return text;
  throw new ConfigurationError(['--path-prefix is wrong: expected a path such as /api/public/api/v1']);
}
