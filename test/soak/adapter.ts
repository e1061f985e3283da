import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createAws } from '../../sandbox/aws/aws.ts';
import { createChance } from '../../sandbox/aws/faults.ts';
import { createPlatform } from '../../sandbox/platform/platform.ts';
import { hashRecord } from '../../shared/relay/normalise.ts';

const HELP = `Usage: node test/soak/adapter.ts [--minutes N] [--seed N]

Lets the shipped adapter run for so many minutes (30) between a sandbox platform and a local AWS that misbehave: failing
answers, redeliveries, revoked tokens, throttling and outages of the bus. Prints a line of figures every 30 seconds, and
at the end what was lost, which must be nothing. Exits 1 otherwise.
`;
const ADAPTER = fileURLToPath(new URL('../../functions/adapter.ts', import.meta.url));
const INTERFACE = 'eventbridge';
const HEAP_MB = 64;
const SAMPLE_MS = 30_000;
const MESSAGE_EVERY_MS = 50;
const CHANGE_EVERY_MS = 500;
const TROUBLE_EVERY_MS = 15_000;
const OUTAGE_MS = 4_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(HELP);
else process.exitCode = (await soak(Number(values.minutes), Number(values.seed))) ? 0 : 1;

async function soak(minutes: number, seed: number): Promise<boolean> {
  const platform = await createPlatform({ seed });
  const arrivals = new Map<string, number>();
  /** Per connection, hashes of the states that arrived. */
  const states = new Map<string, Set<string>>();
  const aws = await createAws({
    table: 'relay',
    bus: 'acme',
    secrets: { key: platform.apiKey },
    keep: 0,
    onEvent: ({ detail }) => {
      const { id, type, data } = detail as { id: string; type: string; data: { record: Record<string, unknown> } };
      arrivals.set(id, (arrivals.get(id) ?? 0) + 1);
      if (type !== 'connection_changed') return;
      const publicId = String(data.record.publicId);
      states.set(publicId, (states.get(publicId) ?? new Set()).add(hashRecord(data.record)));
    },
  });
  const child = spawn(process.execPath, [ADAPTER], {
    env: {
      ...aws.env,
      PATH: process.env.PATH ?? '',
      // What leaks ends it.
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
      RELAY_TENANT: 'acme',
      RELAY_BASE_URL: platform.url,
      RELAY_SECRET_ID: 'key',
      RELAY_TABLE: 'relay',
      RELAY_BUS: 'acme',
      RELAY_START: 'now',
      RELAY_ADAPTER: JSON.stringify({
        interfaces: [{ name: INTERFACE, changes: { everySeconds: 10, acknowledge: true } }],
        longPollTimeoutSeconds: 5,
        passthrough: { level: 'warn' },
      }),
      RELAY_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');

  const throttle = createChance({ rate: 0.05, seed });
  Object.assign(platform.faults, { failShare: 0.03, longPollHoldMs: 1_000 });
  aws.bus.faults.entry = () => (throttle() ? 'ThrottlingException' : undefined);
  const sent: string[] = [];
  const forms = ['object', 'array', 'paged'] as const;
  const empties = [204, 304, 408, 504, 'nothing', '{}', '[]', 'null', 'reset'] as const;
  let troubles = 0;
  const timers = [
    setInterval(() => {
      const id = `message-${sent.length}`;
      sent.push(id);
      platform.adapter.send(INTERFACE, { _id: id, type: 'vendor_update', createdAt: new Date().toISOString() });
    }, MESSAGE_EVERY_MS),
    setInterval(() => platform.adapter.changeConnection(), CHANGE_EVERY_MS),
    setInterval(() => {
      troubles += 1;
      platform.faults.longPollForm = forms[troubles % forms.length]!;
      platform.faults.longPollEmpty = empties[troubles % empties.length]!;
      platform.faults.redeliveries = troubles % 2;
      if (troubles % 3 === 0) platform.revokeTokens();
      if (troubles % 4 !== 0) return;
      aws.bus.faults.down = true;
      setTimeout(() => {
        aws.bus.faults.down = false;
      }, OUTAGE_MS);
    }, TROUBLE_EVERY_MS),
  ];
  const report = (): void => {
    const memory = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    const figures = { sent: sent.length, arrived: arrivals.size, waiting: platform.adapter.waiting(INTERFACE) };
    process.stdout.write(
      `${JSON.stringify({ ...figures, troubles, residentMB: Math.round(Number(memory) / 1024) })}\n`,
    );
  };
  timers.push(setInterval(report, SAMPLE_MS));

  await Promise.race([sleep(minutes * 60_000), ended]);
  for (const timer of timers) clearInterval(timer);
  platform.resetFaults();
  Object.assign(platform.faults, { longPollHoldMs: 500 });
  Object.assign(aws.bus.faults, { down: false, entry: () => undefined });
  const buying = () =>
    platform.adapter.connections(INTERFACE).filter(({ connectionRole }) => connectionRole === 'buyer');
  while (child.exitCode === null && (platform.adapter.waiting(INTERFACE) > 0 || buying().length > 0)) await sleep(100);
  child.kill('SIGTERM');
  const [code] = await ended;

  const lost = sent.filter((id) => !arrivals.has(id)).length;
  const repeated = [...arrivals.values()].filter((count) => count > 1).length;
  const unpublished = platform.adapter.acknowledged.filter(({ publicId }) => !states.has(publicId)).length;
  const result = { code, sent: sent.length, lost, repeated, unpublished, changed: states.size };
  process.stdout.write(`${JSON.stringify(result)}\n`);
  await aws.close();
  await platform.close();
  return code === 0 && lost === 0 && unpublished === 0;
}
