import { setTimeout as sleep } from 'node:timers/promises';
import { RELAY_STREAM, sourceOf } from '../shared/relay/event.ts';
import { startAlerts } from './alerts.ts';
import { type Arguments, NAMES } from './arguments.ts';
import type { BusEvent } from './aws/bus.ts';
import { createFunction } from './aws/function-host.ts';
import { startAws } from './local-aws.ts';
import { createPlatform, type Platform } from './platform/platform.ts';
import { createPolling } from './polling.ts';
import type { Fault, Status, View } from './terminal/view.ts';
import { describeAdapter, type WatchedAdapter, watchAdapter } from './watched-adapter.ts';

const MODULE = 'functions/poller.ts';
/** A stop waits for the poll under way: shorter than a Lambda would get; the next poll goes on with what is left. */
const POLL_TIMEOUT_MS = 20_000;
/** So that the first poll finds something, and the re-check after a day has something to look at, too. */
const HISTORY = { events: 600, days: 2 };

/**
 * Runs everything until `signal` aborts, lets what is under way finish, and takes everything down.
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
      if (status.adapted !== undefined && isAdapted(event)) status.adapted += 1;
      view.event(event, json);
    },
  });
  closing.defer(() => aws.close());
  const env = { ...aws.env, ...settings, RELAY_BASE_URL: url };
  const onLog = (line: string) => {
    if (verbose) view.logged(line);
  };
  const onFault = (fault: Fault) => {
    // It says what happened, not what is: nothing tells when it is over.
    status.lastFault = { atMs: clock(), message: `${fault.from}: ${fault.message}`, over: true };
    view.faulted(fault);
  };

  const alerts =
    platform &&
    (await startAlerts({
      aws,
      tenant: settings.RELAY_TENANT ?? '',
      onMessage: (message) => {
        status.alerts = (status.alerts ?? 0) + 1;
        view.alerted(message);
      },
      onLog,
      onFault: (message) => onFault({ from: 'alerts', message }),
    }));
  if (alerts) status.alerts = 0;
  closing.defer(() => alerts?.close());

  const adapterPlace = describeAdapter(env);
  if (adapterPlace) status.adapted = 0;
  let adapter: WatchedAdapter | undefined;
  closing.defer(() => adapter?.stop());

  const poller = createFunction({
    module: new URL(`../${MODULE}`, import.meta.url),
    name: 'poller',
    env,
    timeoutMs: POLL_TIMEOUT_MS,
    onLog: (line) => {
      polling.watchLog(line);
      onLog(line);
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
      ...(adapterPlace && { adapter: adapterPlace }),
      ...(alerts && { alerts: { url: alerts.url } }),
      ...(source.kind === 'platform' && { folder: source.folder }),
    },
    status,
  );
  while (!signal.aborted) {
    const nextMs = clock() + everySeconds * 1000;
    await polling.poll();
    if (adapterPlace && !signal.aborted) {
      // Not sooner: the first events come earlier where one process starts at a time.
      adapter ??= watchAdapter({
        env,
        interfaces: adapterPlace.interfaces,
        platform,
        signal,
        onLog,
        onFault: (message) => onFault({ from: 'adapter', message }),
      });
    }
    await sleep(Math.max(0, nextMs - clock()), undefined, { signal }).catch(() => undefined);
  }
}

const isAdapted = ({ source }: BusEvent): boolean => source === sourceOf('changes') || source === sourceOf('long-poll');

function describePlatform({ source }: Arguments, platform: Platform | undefined) {
  if (source.kind === 'platform' || !platform) return { what: 'a real platform' };
  const { organisation, apiKey } = platform;
  return { what: `${organisation.name}, made up, ${source.eventsPerMinute} events/min`, apiKey };
}

function countRequests({ requests }: Platform): number {
  const { last: _, reset: __, ...counts } = requests;
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
