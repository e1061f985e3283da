import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAws } from '../sandbox/aws/aws.ts';
import { createPlatform } from '../sandbox/platform/platform.ts';

const INTERFACE = 'eventbridge';
const BUS = 'bench';
const TABLE = 'relay';
const SECRET = 'api-key';
const PROCESSES = { relay: '../functions/adapter.ts', bare: './bare-long-poll.ts' };
/** Connections, caches and the compiler have warmed up after so many. */
const WARM_UP = 50;

/** How long messages took from the platform's answer to the bus, in ms, ascending. */
export interface Latencies {
  readonly relay: readonly number[];
  readonly bare: readonly number[];
}

/** Sends messages one by one to a poll that hangs, to the adapter and to a bare loop in turn, and times their arrival. */
export async function measureLongPoll(options: { messages: number; pairs: number }): Promise<Latencies> {
  const relay: number[] = [];
  const bare: number[] = [];
  for (let pair = 0; pair < options.pairs; pair++) {
    relay.push(...(await measure('relay', options.messages)));
    bare.push(...(await measure('bare', options.messages)));
  }
  const ascending = (one: number, other: number) => one - other;
  return { relay: relay.sort(ascending), bare: bare.sort(ascending) };
}

/** Says it in words: medians, and what the adapter takes more at the median and at the slowest hundredth. */
export function describeLongPoll({ relay, bare }: Latencies): string {
  const at = (times: readonly number[], share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN;
  const both = (share: number) => {
    const [one, other] = [at(relay, share), at(bare, share)];
    return `${one.toFixed(2)} ms, bare loop ${other.toFixed(2)} ms, difference ${(one - other).toFixed(2)} ms`;
  };
  return `A message of a long poll is on the bus after a median of ${both(0.5)}; 99 of 100 after ${both(0.99)}.\n`;
}

async function measure(what: keyof typeof PROCESSES, messages: number): Promise<number[]> {
  const platform = await createPlatform();
  let arrived = () => {};
  const aws = await createAws({
    table: TABLE,
    bus: BUS,
    secrets: { [SECRET]: platform.apiKey },
    keep: 0,
    onEvent: () => arrived(),
  });
  const child = spawn(process.execPath, [fileURLToPath(new URL(PROCESSES[what], import.meta.url))], {
    env: {
      ...aws.env,
      PATH: process.env.PATH ?? '',
      BENCH_INTERFACE: INTERFACE,
      RELAY_TENANT: 'bench',
      RELAY_BASE_URL: platform.url,
      RELAY_SECRET_ID: SECRET,
      RELAY_TABLE: TABLE,
      RELAY_BUS: BUS,
      RELAY_START: 'now',
      RELAY_ADAPTER: JSON.stringify({ interfaces: [{ name: INTERFACE }] }),
      RELAY_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const times: number[] = [];
    for (let sent = 0; sent < WARM_UP + messages; sent++) {
      while (platform.adapter.readers(INTERFACE) === 0) {
        if (child.exitCode !== null) throw new Error(`The ${what} process ended with ${child.exitCode}`);
        await turn();
      }
      const arrival = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const startMs = performance.now();
      platform.adapter.send(INTERFACE);
      await arrival;
      if (sent >= WARM_UP) times.push(performance.now() - startMs);
    }
    return times;
  } finally {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGKILL')) await ended;
    await aws.close();
    await platform.close();
  }
}
