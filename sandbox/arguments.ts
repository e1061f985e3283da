import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readConfig } from '../shared/config.ts';
import { ConfigurationError } from '../shared/errors.ts';
import { parseOptions } from './parse-options.ts';

/** What is polled: a platform that is made up for this run, or one that exists. */
type Source =
  | { readonly kind: 'sandbox'; readonly seed: number; readonly eventsPerMinute: number }
  | { readonly kind: 'platform'; readonly baseUrl: string; readonly apiKey: string; readonly folder: string };

/** What the command line asks for. */
export interface Arguments {
  readonly source: Source;
  readonly everySeconds: number;
  /** Left out: until it is stopped. */
  readonly endSeconds?: number;
  readonly json: boolean;
  readonly verbose: boolean;
  /** The environment of the poller and the adapter, checked, without what is known only once everything runs. */
  readonly settings: Readonly<Record<string, string>>;
}

/** What `--help` prints. */
export const HELP = `Usage: npm start -- [options]

Runs the whole relay on this machine, without an account: a made-up supplier platform, a local
DynamoDB, EventBridge, SQS and Secrets Manager, and the real poller, adapter and notifier in
processes of their own; a page shows what the notifier tells Slack and Teams.

  --every SECONDS    how often to poll (2; 5 with --base-url)
  --start WHERE      where a first run begins: now, an ISO time, or a duration back such as P1D
                     (P2D; now with --base-url)
  --seconds N        end after N seconds
  --json             a line of JSON for everything that happens, and nothing else on stdout;
                     run it as npm -s start -- --json, or npm adds lines of its own
  --verbose          show what the poller, the adapter and the notifier log
  --help             show this

The made-up platform; it lives in memory and ends with the program:
  --seed N           another organisation and another course of events (1)
  --rate N           events a minute (40)

A real platform:
  --base-url URL     its address; nothing is made up then
  --key-file FILE    a file with the API key, <account_id>.<key_id>.<key_secret>
  --auth-url URL     where tokens are given, if not at the base URL
  --data FOLDER      where the table and events.jsonl, the events on the bus, are kept (./data);
                     a further run goes on where the last one ended

From the environment the poller is given RELAY_TENANT, RELAY_EVENT_TYPES, RELAY_FIELDS,
RELAY_OVERLAP_SECONDS, RELAY_RECHECK_SECONDS, RELAY_LOG_LEVEL and NODE_EXTRA_CA_CERTS; the adapter,
too, and RELAY_ADAPTER, without which no adapter runs for a real platform. Alerts belong to the
made-up platform.

Ctrl-C lets what is under way finish and ends; a second Ctrl-C ends at once.
Exit code: 0 after a stop, 1 where the platform refuses the API key, 2 where a setting is wrong.
`;

/** Names in the sandbox's AWS. */
export const NAMES = { table: 'relay', bus: 'relay', secret: 'api-key' } as const;

const OPTIONS = {
  every: { type: 'string' },
  start: { type: 'string' },
  seconds: { type: 'string' },
  json: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  seed: { type: 'string' },
  rate: { type: 'string' },
  'base-url': { type: 'string' },
  'key-file': { type: 'string' },
  'auth-url': { type: 'string' },
  data: { type: 'string' },
} as const;
const OF_THE_SANDBOX = ['seed', 'rate'] as const;
const OF_A_PLATFORM = ['key-file', 'auth-url', 'data'] as const;

const HANDED_ON = [
  'RELAY_TENANT',
  'RELAY_EVENT_TYPES',
  'RELAY_FIELDS',
  'RELAY_OVERLAP_SECONDS',
  'RELAY_RECHECK_SECONDS',
  'RELAY_LOG_LEVEL',
  'RELAY_ADAPTER',
  'NODE_EXTRA_CA_CERTS',
] as const;
/** What the adapter does for the made-up platform; whatever changes there leaves its list once it is published. */
const ADAPTER = {
  interfaces: [{ name: 'eventbridge', changes: { acknowledge: true, everySeconds: 10 } }],
  crashLogFolder: join(tmpdir(), 'supplier-event-relay'),
};
/** The variables of the poller that have an option here, and should be named by it. */
const OPTION_OF = { RELAY_START: '--start', RELAY_BASE_URL: '--base-url', RELAY_AUTH_URL: '--auth-url' } as const;

/**
 * Reads the command line; undefined where help is asked for.
 * @throws {ConfigurationError} naming every option that is unknown or wrong, never a key
 */
export function parseArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Arguments | undefined {
  const values = parseOptions(args, OPTIONS);
  if (values.help) return undefined;
  const faults: string[] = [];
  const baseUrl = values['base-url'];

  function number(name: 'every' | 'seconds' | 'seed' | 'rate', { least, most }: { least: number; most: number }) {
    const text = values[name];
    if (text === undefined) return undefined;
    const value = Number(text);
    if (text.trim() !== '' && value >= least && value <= most) return value;
    faults.push(`--${name} is wrong: expected a number from ${least} to ${most}`);
    return undefined;
  }

  function readKey(): string {
    const file = values['key-file'];
    if (file === undefined) faults.push('--key-file is missing: --base-url needs a file with the API key');
    else {
      try {
        const key = readFileSync(file, 'utf8').trim();
        if (key !== '') return key;
        faults.push('--key-file is wrong: the file is empty, expected the API key in it');
      } catch (error) {
        // Without the value: somebody may have given the key itself.
        faults.push(`--key-file is wrong: no file can be read there (${(error as NodeJS.ErrnoException).code})`);
      }
    }
    return '';
  }

  const strangers = baseUrl === undefined ? OF_A_PLATFORM : OF_THE_SANDBOX;
  const why =
    baseUrl === undefined
      ? 'belongs to a real platform: give --base-url, too'
      : 'belongs to the made-up platform and has no effect with --base-url';
  for (const name of strangers) if (values[name] !== undefined) faults.push(`--${name} ${why}`);

  const timing = { least: 0.1, most: 86_400 };
  const everySeconds = number('every', timing) ?? (baseUrl === undefined ? 2 : 5);
  const endSeconds = number('seconds', timing);
  const seed = number('seed', { least: 0, most: 2 ** 32 - 1 }) ?? 1;
  const eventsPerMinute = number('rate', { least: 0, most: 60_000 }) ?? 40;
  const source: Source =
    baseUrl === undefined
      ? { kind: 'sandbox', seed, eventsPerMinute }
      : { kind: 'platform', baseUrl, apiKey: readKey(), folder: resolve(values.data ?? 'data') };

  const settings: Record<string, string> = {
    RELAY_TENANT: 'local',
    RELAY_START: values.start ?? (baseUrl === undefined ? 'P2D' : 'now'),
    RELAY_TABLE: NAMES.table,
    RELAY_BUS: NAMES.bus,
    RELAY_SECRET_ID: NAMES.secret,
    ...(baseUrl === undefined ? { RELAY_ADAPTER: JSON.stringify(ADAPTER) } : { RELAY_BASE_URL: baseUrl }),
    ...(values['auth-url'] !== undefined && { RELAY_AUTH_URL: values['auth-url'] }),
  };
  for (const name of HANDED_ON) {
    const value = environment[name];
    if (value !== undefined) settings[name] = value;
  }
  faults.push(...faultsOf(settings));
  if (faults.length > 0) throw new ConfigurationError(faults);
  const { json, verbose } = values;
  return { source, everySeconds, ...(endSeconds !== undefined && { endSeconds }), json, verbose, settings };
}

/** The poller checks its settings itself; asked here, nothing is started in vain. */
function faultsOf(settings: Readonly<Record<string, string>>): string[] {
  try {
    readConfig({ RELAY_BASE_URL: 'http://127.0.0.1', ...settings });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.faults.map((fault) => fault.replace(/^RELAY_\w+/, (name) => nameOption(name)));
  }
}

const nameOption = (variable: string): string => OPTION_OF[variable as keyof typeof OPTION_OF] ?? variable;
