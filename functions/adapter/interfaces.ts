import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AdapterSettings } from '../../shared/adapter-config.ts';
import { createDynamoLasts } from '../../shared/aws/lasts.ts';
import { createDynamoSeenStore } from '../../shared/aws/ledger.ts';
import { createDynamoMarks } from '../../shared/aws/marks.ts';
import { createDynamoParkingLot } from '../../shared/aws/parked.ts';
import { createAdapterApi } from '../../shared/platform/adapter.ts';
import { type Api, createApi } from '../../shared/platform/api.ts';
import type { Tokens } from '../../shared/platform/token.ts';
import { createTransport } from '../../shared/platform/transport.ts';
import type { Pause, Tell } from '../../shared/relay/adapter-ports.ts';
import { createChanges } from '../../shared/relay/changes.ts';
import { holdLease } from '../../shared/relay/lease.ts';
import { createLongPoll } from '../../shared/relay/long-poll.ts';
import type { Bus, Clock, Random, Sleep } from '../../shared/relay/ports.ts';
import { createPublisher } from '../../shared/relay/publish.ts';
import { createPulse, type Pulse } from '../../shared/relay/pulse.ts';
import { keepRunning } from '../../shared/relay/source.ts';

/** An interface that is watched: its sources, under one lease. */
export interface WatchedInterface {
  readonly pulses: readonly Pulse[];
  /**
   * Runs until the process is to stop and everything that arrived is settled.
   * @throws {AuthenticationError | ConfigurationError} which only a person can mend
   */
  run(): Promise<void>;
}

/** What a poll may take longer than the platform was told. */
const POLL_MARGIN_MS = 3_000;

/** Puts the sources of one interface together. */
export function assembleInterface(
  { name, longPoll, changes }: AdapterSettings['interfaces'][number],
  parts: {
    tenant: string;
    baseUrl: URL;
    table: string;
    settings: AdapterSettings;
    dynamo: DynamoDBClient;
    bus: Bus;
    api: Api;
    tokens: Tokens;
    owner: string;
    stopping: AbortSignal;
    /** Is told at once of what only a person can mend. */
    onFatal: (error: unknown) => void;
    inWords: (error: unknown) => string;
    tell: Tell;
    pause: Pause;
    sleep: Sleep;
    clock: Clock;
    random: Random;
  },
): WatchedInterface {
  const { tenant, baseUrl, settings, dynamo, bus, api, tokens, stopping, onFatal, tell, pause, ...rest } = parts;
  const { sleep, clock, random } = rest;
  const io = { sleep, clock, random };
  const shared = { tenant, stopping, tell, pause, ...io };
  const endpoints = createAdapterApi({ api, clock, pathPrefix: settings.pathPrefix });

  const storeOf = (stream: string) => ({ client: dynamo, table: rest.table, stream, ...io });
  const publisherOf = (stream: string) =>
    createPublisher({ bus, parkingLot: createDynamoParkingLot(storeOf(stream)), ...io });

  function assembleChanges({ everySeconds, acknowledge, query }: NonNullable<typeof changes>) {
    const stream = `changes/${name}`;
    return createChanges({
      ...shared,
      pulse: createPulse({ stream, clock }),
      list: endpoints.changeList({ interfaceName: name, query }),
      publisher: publisherOf(stream),
      lasts: createDynamoLasts(storeOf(stream)),
      everyMs: everySeconds * 1000,
      acknowledge,
    });
  }

  function assembleLongPoll(onContent: () => void) {
    const stream = `long-poll/${name}`;
    const longestMs = settings.longPollTimeoutSeconds * 1000 + POLL_MARGIN_MS;
    // A connection of its own: others must not wait behind a request that hangs.
    const pollApi = createApi({ transport: createTransport({ ...io, requestTimeoutMs: longestMs }), tokens, baseUrl });
    return createLongPoll({
      ...shared,
      pulse: createPulse({ stream, clock }),
      inbox: endpoints.inbox({ interfaceName: name, api: pollApi, longestMs }),
      publisher: publisherOf(stream),
      parkingLot: createDynamoParkingLot(storeOf(stream)),
      seen: createDynamoSeenStore(storeOf(stream)),
      lasts: createDynamoLasts(storeOf(stream)),
      onContent,
    });
  }

  const changed = changes && assembleChanges(changes);
  const polled = longPoll ? assembleLongPoll(() => changed?.wake()) : undefined;
  const sources = [polled, changed].filter((source) => source !== undefined);
  const pulses = sources.map(({ pulse }) => pulse);
  const stream = pulses[0]?.stream ?? name;

  return {
    pulses,
    run: () =>
      holdLease({
        ...shared,
        stream,
        marks: createDynamoMarks(storeOf(stream)),
        owner: rest.owner,
        fingerprint: async () => `${baseUrl.href} account ${await tokens.accountId()}`,
        pulses,
        inWords: rest.inWords,
        use: async (lease) => {
          const publisher = publisherOf(stream);
          await Promise.all(
            sources.map((source) => keepRunning(source, lease, { ...shared, publisher }).catch(onFatal)),
          );
        },
      }),
  };
}
