import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createEventBridgeBus } from '../shared/aws/bus.ts';
import { EngineJsonProtocol } from '../shared/aws/engine-json.ts';
import { createSecretReader } from '../shared/aws/secret.ts';
import { readConfig } from '../shared/config.ts';
import { writeCrashLog } from '../shared/crash-log.ts';
import { AuthenticationError, ConfigurationError } from '../shared/errors.ts';
import { describeError } from '../shared/log.ts';
import { type LogOutputs, openLogOutputs } from '../shared/log-outputs.ts';
import { createPassthrough, type Passthrough } from '../shared/passthrough.ts';
import { createAdapterApi } from '../shared/platform/adapter.ts';
import { createApi } from '../shared/platform/api.ts';
import { createTokens, type Tokens } from '../shared/platform/token.ts';
import { createTransport } from '../shared/platform/transport.ts';
import { createRedactor } from '../shared/redact.ts';
import type { Pause } from '../shared/relay/adapter-ports.ts';
import { assembleInterface } from './adapter/interfaces.ts';
import { isAlive, reportRefusal, showVitalSigns } from './adapter/vital-signs.ts';

const PASSTHROUGH_MS = 5_000;
/** At the end there is little time for what is best effort. */
const LAST_PASSTHROUGH_MS = 3_000;
/** Two signals sooner after each other are one: npm passes on what the terminal has sent to everybody. */
const ONE_KEYPRESS_MS = 300;
/** Of the 120 s that a service gets for its end. */
const LONGEST_STOP_MS = 118_000;
const EXIT = { crashed: 1, aborted: 130 } as const;

const { env } = process;
const clock = Date.now;
const redactor = createRedactor([env.AWS_SECRET_ACCESS_KEY, env.AWS_SESSION_TOKEN]);
const { redact } = redactor;
const stopping = new AbortController();
const fatal = Promise.withResolvers<never>();
/** Until the settings are known. */
let logs: LogOutputs = openLogOutputs({
  outputs: [{ level: 'info', outputPath: 'stdout', jsonLogging: true }],
  fields: { tenant: env.RELAY_TENANT ?? '' },
  redact,
});
let config: ReturnType<typeof readConfig> | undefined;
let passthrough: Passthrough | undefined;
let stoppedMs = Number.POSITIVE_INFINITY;

if (process.argv[2] === '--health') process.exit(isAlive(env.RELAY_TENANT ?? '') ? 0 : 1);
// Whoever waits for it hears of it.
fatal.promise.catch(() => undefined);
process.on('uncaughtException', fatal.reject);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
stopping.signal.addEventListener('abort', () => setTimeout(() => process.exit(EXIT.aborted), LONGEST_STOP_MS).unref());
await run().catch(crash);
await lastWords();
process.exit(process.exitCode ?? 0);

/** Runs until a signal comes; what hangs ends by itself, and what arrived is settled. */
async function run(): Promise<void> {
  config = readConfig(env);
  const { tenant, adapter: settings, baseUrl, table, logLevel } = config;
  if (settings === undefined) throw new ConfigurationError(['RELAY_ADAPTER is missing: expected JSON with interfaces']);
  logs = openLogOutputs({
    outputs: settings.logging ?? [{ level: logLevel, outputPath: 'stdout', jsonLogging: true }],
    fields: { tenant },
    redact,
    tap: settings.passthrough && { ...settings.passthrough, take: (entry) => passthrough?.take(entry) },
  });
  const tell = logs.log;

  const io = { clock, sleep: (waitMs: number) => sleep(waitMs), random: Math.random };
  const pause: Pause = (waitMs, signal) => sleep(waitMs, undefined, { signal }).catch(() => undefined);
  const requestHandler = { connectionTimeout: 3_000, requestTimeout: 5_000, throwOnRequestTimeout: true };
  const bus = createEventBridgeBus({
    // The publisher retries by entry; the client's own retries would repeat what was accepted.
    client: new EventBridgeClient({ requestHandler, maxAttempts: 1, protocol: EngineJsonProtocol }),
    name: config.bus,
  });
  const dynamo = new DynamoDBClient({ requestHandler });
  const transport = createTransport(io);
  const tokens = createHiddenTokens(config, createTransport(io));
  const api = createApi({ transport, tokens, baseUrl });
  const [first] = settings.interfaces;
  if (settings.passthrough && first) {
    const endpoints = createAdapterApi({ api, clock, pathPrefix: settings.pathPrefix });
    passthrough = createPassthrough({
      send: (entries) => endpoints.sendLogs(first.name, entries, clock() + PASSTHROUGH_MS),
      aside: () => logs.aside,
      clock,
    });
    setInterval(() => passthrough?.flush(), PASSTHROUGH_MS).unref();
  }

  await bus.verify();
  const owner = randomUUID();
  const inWords = (error: unknown): string => redact(String(describeError(error).error));
  const { signal } = stopping;
  const shared = { tenant, baseUrl, table, settings, dynamo, bus, api, tokens, owner, inWords, tell, pause, ...io };
  const interfaces = settings.interfaces.map((watched) =>
    assembleInterface(watched, { ...shared, stopping: signal, onFatal: fatal.reject }),
  );
  const endVitalSigns = showVitalSigns({
    tenant,
    pulses: interfaces.flatMap(({ pulses }) => pulses),
    onFault: (error) => tell.error('The health check has no file to look at', { error }),
  });
  tell.info('Started', { interfaces: settings.interfaces.map(({ name }) => name) });
  const ends = Promise.all(interfaces.map((watched) => watched.run().catch(fatal.reject)));
  try {
    await Promise.race([ends, fatal.promise]);
  } catch (error) {
    writeCrash(error);
    // What the others were handed must not be lost with this one.
    stopping.abort();
    await ends;
    process.exitCode = EXIT.crashed;
  }
  endVitalSigns();
  tell.info('Stopped');
}

/** Keeps from every log what the secret and the platform give. */
function createHiddenTokens(
  { secretId, authUrl }: ReturnType<typeof readConfig>,
  transport: ReturnType<typeof createTransport>,
): Tokens {
  const readSecret = createSecretReader({ client: new SecretsManagerClient(), secretId, clock });
  const readKey: typeof readSecret = async (options) => {
    const key = await readSecret(options);
    redactor.hideKey(key);
    return key;
  };
  const tokens = createTokens({ transport, authUrl, readKey, clock });
  const hidden = async (token: Promise<string>): Promise<string> => {
    redactor.hide(await token);
    return token;
  };
  return {
    current: (deadlineMs) => hidden(tokens.current(deadlineMs)),
    renew: (refused, deadlineMs) => hidden(tokens.renew(refused, deadlineMs)),
    accountId: () => tokens.accountId(),
  };
}

/** Writes the crash log: to the log first, for the disk may be what is broken. */
function writeCrash(error: unknown): void {
  logs.log.error('The adapter cannot go on', { error });
  if (error instanceof AuthenticationError && config) reportRefusal(config.tenant);
  try {
    const { lastLines } = logs;
    const folder = config?.adapter?.crashLogFolder ?? 'crash';
    const path = writeCrashLog({ error, config, lastLines: lastLines() }, { folder, redact });
    logs.log.error('A crash log was written', { path });
  } catch (fault) {
    logs.log.error('The crash log could not be written', { error: fault });
  }
}

function crash(error: unknown): void {
  writeCrash(error);
  process.exitCode = EXIT.crashed;
}

async function lastWords(): Promise<void> {
  await Promise.race([passthrough?.flush(), sleep(LAST_PASSTHROUGH_MS)]);
}

function stop(signal: NodeJS.Signals): void {
  const nowMs = clock();
  if (nowMs - stoppedMs > ONE_KEYPRESS_MS) process.exit(EXIT.aborted);
  if (stopping.signal.aborted) return;
  stoppedMs = nowMs;
  logs.log.info('Stopping: no new request begins, what hangs ends by itself', { signal });
  stopping.abort();
}
