import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError } from '../shared/errors.ts';
import { RELAY_STREAM, sourceOf } from '../shared/relay/event.ts';
import { type Arguments, NAMES } from './arguments.ts';
import { type Aws, createAws } from './aws/aws.ts';
import type { BusEvent } from './aws/bus.ts';
import { createFunction } from './aws/function-host.ts';
import { createPlatform, type Platform } from './platform/platform.ts';
import { createPolling } from './polling.ts';
import type { Status, View } from './terminal/view.ts';

const MODULE = 'functions/poller.ts';
/** A stop waits for the poll under way: shorter than a Lambda would get; the next poll goes on with what is left. */
const POLL_TIMEOUT_MS = 20_000;
/** So that the first poll finds something, and the re-check after a day has something to look at, too. */
const HISTORY = { events: 600, days: 2 };

/**
 * Runs everything until `signal` aborts, lets the poll under way finish, and takes everything down.
 * @throws {FunctionError} of type AuthenticationError or ConfigurationError, where only a person can help
 * @throws {ConfigurationError} where the folder of the state cannot be used
 */
export async function runLocalRelay(parts: {
  args: Arguments;
  view: View;
  signal: AbortSignal;
  clock: () => number;
}): Promise<void> {
  const { args, view, signal, clock } = parts;
  const { source, settings, everySeconds, verbose } = args;
  const status: Status = { published: 0, known: 0, parked: 0, polls: 0, mark: null, checkedThrough: null };

  await using closing = new AsyncDisposableStack();
  closing.defer(() => view.stopped());
  const platform = source.kind === 'sandbox' ? await createPlatform({ ...source, history: HISTORY }) : undefined;
  closing.defer(() => platform?.close());
  const url = platform?.url ?? settings.RELAY_BASE_URL ?? '';
  const aws = await startAws(args, {
    apiKey: platform?.apiKey,
    onEvent: (event, json) => {
      if (event.source !== sourceOf(RELAY_STREAM)) status.published += 1;
      view.event(event, json);
    },
  });
  closing.defer(() => aws.close());

  const poller = createFunction({
    module: new URL(`../${MODULE}`, import.meta.url),
    name: 'poller',
    env: { ...aws.env, ...settings, RELAY_BASE_URL: url },
    timeoutMs: POLL_TIMEOUT_MS,
    onLog: (line) => {
      polling.watchLog(line);
      if (verbose) view.logged(line);
    },
  });
  closing.defer(() => poller.close());
  const polling = createPolling({
    invoke: () => poller.invoke({}),
    status,
    onPoll: (outcome) => {
      if (platform) status.requests = countRequests(platform);
      view.polled(outcome);
    },
    clock,
  });

  view.started(
    {
      platform: { url, ...describePlatform(args, platform) },
      poller: { module: MODULE, everySeconds, start: settings.RELAY_START ?? '' },
      bus: { name: NAMES.bus, url: aws.bus.url },
      table: { name: NAMES.table, url: aws.dynamo.url },
      secrets: { url: aws.secrets.url },
      ...(source.kind === 'platform' && { folder: source.folder }),
    },
    status,
  );
  while (!signal.aborted) {
    const nextMs = clock() + everySeconds * 1000;
    await polling.poll();
    await sleep(Math.max(0, nextMs - clock()), undefined, { signal }).catch(() => undefined);
  }
}

function describePlatform({ source }: Arguments, platform: Platform | undefined) {
  if (source.kind === 'platform' || !platform) return { what: 'a real platform' };
  const { organisation, apiKey } = platform;
  return { what: `${organisation.name}, made up, ${source.eventsPerMinute} events/min`, apiKey };
}

function countRequests({ requests }: Platform): number {
  const { last: _, reset: __, ...counts } = requests;
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Starts the sandbox's AWS, on disk where the platform is real. */
async function startAws(
  { source }: Arguments,
  { apiKey = '', onEvent }: { apiKey?: string | undefined; onEvent: (event: BusEvent, json: string) => void },
): Promise<Aws> {
  const options = { table: NAMES.table, bus: NAMES.bus, keep: 0, onEvent };
  if (source.kind === 'sandbox') return createAws({ ...options, secrets: { [NAMES.secret]: apiKey } });
  const { folder } = source;
  const { promise: failed, reject } = Promise.withResolvers<never>();
  // dynalite opens its files at the first request, and throws past everybody where another process has them open.
  process.once('uncaughtException', reject);
  try {
    return await Promise.race([createAws({ ...options, folder, secrets: { [NAMES.secret]: source.apiKey } }), failed]);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigurationError([`--data: ${folder} cannot be used: ${message}. Is another run using it?`]);
  } finally {
    process.off('uncaughtException', reject);
  }
}
