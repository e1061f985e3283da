import { resolve } from 'node:path';
import { ConfigurationError } from '../../../shared/errors.ts';
import { parseOptions } from '../../parse-options.ts';

/** What the command line of the platform alone asks for. */
export interface ServeArguments {
  readonly seed: number;
  readonly eventsPerMinute: number;
  readonly holdSeconds: number;
  readonly port: number;
  readonly https: boolean;
  readonly json: boolean;
  /** Left out: everything lives in memory. */
  readonly folder?: string;
}

/** What `--help` prints. */
export const SERVE_HELP = `Usage: npm run sandbox -- [options]

Runs the made-up supplier platform alone: the whole public API with an organisation that keeps
working, and the interactive console.

  --port N           port on 127.0.0.1, 0 takes a free one (8640)
  --seed N           another organisation and another course of events (1)
  --rate N           events a minute (40)
  --hold SECONDS     how long a long poll waits for something to say (30)
  --data FOLDER      keep everything there; a further run goes on with the same key, organisation,
                     audit trail, connections and answers, and --seed has no effect on it
  --https            answer over TLS with a certificate of its own, kept with --data
  --json             one line of JSON with address and key once it answers, and nothing else on stdout
  --help             show this

Ctrl-C ends it. Exit code: 0 after a stop, 2 where an option is wrong.
`;

const OPTIONS = {
  port: { type: 'string', default: '8640' },
  seed: { type: 'string', default: '1' },
  rate: { type: 'string', default: '40' },
  hold: { type: 'string', default: '30' },
  data: { type: 'string' },
  https: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;
const MOST = { port: 65_535, seed: 2 ** 32 - 1, rate: 60_000, hold: 3600 };
const WHOLE: readonly string[] = ['port', 'seed'] satisfies (keyof typeof MOST)[];

/**
 * Reads the command line; undefined where help is asked for.
 * @throws {ConfigurationError} naming every option that is unknown or wrong
 */
export function parseServeArguments(args: readonly string[]): ServeArguments | undefined {
  const values = parseOptions(args, OPTIONS);
  if (values.help) return undefined;
  const faults: string[] = [];
  const number = (name: keyof typeof MOST) => {
    const value = Number(values[name]);
    const whole = !WHOLE.includes(name) || Number.isInteger(value);
    if (!(values[name].trim() !== '' && whole && value >= 0 && value <= MOST[name])) {
      faults.push(`--${name} is wrong: expected a number from 0 to ${MOST[name]}`);
    }
    return value;
  };
  const numbers = {
    seed: number('seed'),
    eventsPerMinute: number('rate'),
    holdSeconds: number('hold'),
    port: number('port'),
  };
  if (values.data === '') faults.push('--data is wrong: expected the path of a folder');
  if (faults.length > 0) throw new ConfigurationError(faults);
  const { https, json, data } = values;
  return { ...numbers, https, json, ...(data !== undefined && { folder: resolve(data) }) };
}
