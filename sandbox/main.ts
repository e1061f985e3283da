import { ConfigurationError } from '../shared/errors.ts';
import { type Arguments, HELP, parseArguments } from './arguments.ts';
import { FunctionError } from './aws/function-host.ts';
import { runLocalRelay } from './local-relay.ts';
import { createJsonView } from './terminal/json-view.ts';
import { createLineView } from './terminal/line-view.ts';
import { createScreenView } from './terminal/screen-view.ts';
import type { View } from './terminal/view.ts';

const EXIT = { refusedKey: 1, wrongSetting: 2, forced: 130 } as const;
const ONE_KEYPRESS_MS = 300;
const clock = Date.now;
const stop = new AbortController();
let interruptedMs = Number.POSITIVE_INFINITY;

try {
  const args = parseArguments(process.argv.slice(2), process.env);
  if (args) await run(args);
  else process.stdout.write(HELP);
} catch (error) {
  fail(error);
}

async function run(args: Arguments): Promise<void> {
  const view = createView(args, interrupt);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt);
  // Whoever reads has gone, e.g. `head`.
  process.stdout.on('error', () => stop.abort());
  stop.signal.addEventListener('abort', () => view.stopping());
  if (args.endSeconds !== undefined) setTimeout(() => stop.abort(), args.endSeconds * 1000).unref();
  await runLocalRelay({ args, view, signal: stop.signal, clock });
}

function interrupt(): void {
  const nowMs = clock();
  // npm passes on what the terminal has sent here already: two at once are one.
  if (nowMs - interruptedMs > ONE_KEYPRESS_MS) process.exit(EXIT.forced);
  interruptedMs = Math.min(interruptedMs, nowMs);
  stop.abort();
}

function createView({ json }: Arguments, onInterrupt: () => void): View {
  const { stdout, stdin, env } = process;
  const write = (text: string) => void stdout.write(text);
  if (json) return createJsonView({ write });
  if (!stdout.isTTY || env.TERM === 'dumb') return createLineView({ write, clock });
  return createScreenView({ output: stdout, ...(stdin.isTTY && { input: stdin }), onInterrupt, clock });
}

function fail(error: unknown): never {
  const say = (text: string) => process.stderr.write(`${text}\n`);
  if (error instanceof ConfigurationError) {
    say(`${error.faults.join('\n')}\nnpm start -- --help lists all options.`);
    process.exit(EXIT.wrongSetting);
  }
  if (!(error instanceof FunctionError)) throw error;
  say(
    `${error.errorMessage}\nHere the secret is the file of --key-file, and RELAY_TABLE is kept in the folder of --data.`,
  );
  if (error.errorType === 'ConfigurationError') process.exit(EXIT.wrongSetting);
  process.exit(EXIT.refusedKey);
}
