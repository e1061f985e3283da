import { parseArgs } from 'node:util';
import { type Drained, drainBacklog } from './backlog.ts';
import { type BundleCost, describeBundle, measureBundle } from './bundle.ts';
import { describeLongPoll, type Latencies, measureLongPoll } from './long-poll.ts';

const HELP = `Usage: npm run bench -- [options]

Lets the real poller drain the past of a made-up platform onto a local bus, and beside it, in the same run, a bare
loop of the same libraries that keeps no state and checks nothing: the floor. Each runs in a process of its own,
whose CPU time and memory are counted. Ratios are medians over pairs; absolute times say more of the machine.

  --events N         events of the past (200000)
  --days N           over how many days (60)
  --pairs N          how often both are run, in turn (3)
  --invocation N     seconds an invocation of the poller may take (20)
  --seed N           another past (1)
  --json             one line of JSON instead of the table
  --help             show this
`;

/** Pairs of imports: a process each, a tenth of a second. */
const IMPORTS = 15;
/** Messages of a long poll, one after the other; a few milliseconds each. */
const MESSAGES = 300;

interface Row {
  readonly name: string;
  readonly relay: number;
  readonly bare: number;
  readonly unit: string;
}

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '200000' },
    days: { type: 'string', default: '60' },
    pairs: { type: 'string', default: '3' },
    invocation: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(HELP);
else await main();

async function main(): Promise<void> {
  const numbers = { events: values.events, days: values.days, pairs: values.pairs, invocation: values.invocation };
  for (const [name, text] of Object.entries({ ...numbers, seed: values.seed })) {
    if (!/^[1-9]\d{0,8}$/.test(text)) {
      process.stderr.write(`--${name}: expected a whole number from 1 up\n`);
      process.exitCode = 2;
      return;
    }
  }
  const backlog = { events: Number(values.events), days: Number(values.days), seed: Number(values.seed) };
  const relays: Drained[] = [];
  const bares: Drained[] = [];
  for (let pair = 1; pair <= Number(values.pairs); pair++) {
    const progress = (what: string) => (published: number) =>
      say(`pair ${pair} of ${values.pairs}: ${what}: ${published.toLocaleString('en')} events`);
    const invocationMs = Number(values.invocation) * 1000;
    relays.push(await drainBacklog({ ...backlog, what: 'relay', invocationMs, onProgress: progress('relay') }));
    // The floor has no deadline: it could not go on where it was cut.
    bares.push(
      await drainBacklog({ ...backlog, what: 'bare', invocationMs: 900_000, onProgress: progress('bare loop') }),
    );
  }
  say('');
  say('the bundle');
  const bundle = await measureBundle(IMPORTS);
  say('the long poll');
  const longPoll = await measureLongPoll({ messages: MESSAGES, pairs: Number(values.pairs) });
  say('');
  report(relays, bares, { bundle, longPoll });
}

function report(
  relays: readonly Drained[],
  bares: readonly Drained[],
  { bundle, longPoll }: { bundle: BundleCost; longPoll: Latencies },
): void {
  const of = (runs: readonly Drained[], figure: (run: Drained) => number) => median(runs.map(figure));
  const row = (name: string, unit: string, figure: (run: Drained) => number): Row => {
    return { name, unit, relay: of(relays, figure), bare: of(bares, figure) };
  };
  const rows = [
    row('CPU per event', 'µs', ({ cpuMs, events }) => (cpuMs * 1000) / events),
    row('events a second', '', ({ wallMs, events }) => (events * 1000) / wallMs),
    row('GETs, head', '', ({ headReads }) => headReads),
    row('GETs, re-checks', '', ({ recheckReads }) => recheckReads),
    row('PutEvents', '', ({ puts }) => puts),
    row('invocations', '', ({ invocations }) => invocations),
    row('peak memory', 'MB', ({ peakRssBytes }) => peakRssBytes / 2 ** 20),
    row('heap, first invocation', 'MB', ({ heapBytes }) => (heapBytes[0] ?? 0) / 2 ** 20),
    row('heap, last invocation', 'MB', ({ heapBytes }) => (heapBytes.at(-1) ?? 0) / 2 ** 20),
    row('lost', '', ({ lost }) => lost),
    row('repeated', '', ({ repeated }) => repeated),
  ];
  const ratios = {
    cpu: median(relays.map((relay, pair) => relay.cpuMs / (bares[pair] as Drained).cpuMs)),
    eventsPerSecond: median(relays.map((relay, pair) => (bares[pair] as Drained).wallMs / relay.wallMs)),
    headReads: median(relays.map(({ headReads, events }) => headReads / Math.ceil(events / 1000))),
    puts: median(relays.map(({ puts, events }) => puts / Math.ceil(events / 10))),
  };
  if (values.json) {
    process.stdout.write(`${JSON.stringify({ ratios, rows, bundle, longPoll, relays, bares })}\n`);
    return;
  }
  const line = (cells: readonly string[]) =>
    `${cells[0]?.padEnd(26)}${cells
      .slice(1)
      .map((cell) => cell.padStart(12))
      .join('')}\n`;
  process.stdout.write(
    [
      `A backlog of ${Number(values.events).toLocaleString('en')} events over ${values.days} days; medians of ${values.pairs} pairs\n\n`,
      line(['', 'relay', 'bare loop', 'ratio']),
      ...rows.map(({ name, unit, relay, bare }) => {
        const ratio =
          name === 'CPU per event' ? ratios.cpu : name === 'events a second' ? ratios.eventsPerSecond : undefined;
        return line([
          `${name}${unit && ` (${unit})`}`,
          show(relay),
          show(bare),
          ratio === undefined ? '' : ratio.toFixed(2),
        ]);
      }),
      `\nGETs of the head are ${ratios.headReads.toFixed(3)} of the pages that the events fill, PutEvents ${ratios.puts.toFixed(4)} of the batches.\n\n`,
      describeBundle(bundle),
      describeLongPoll(longPoll),
    ].join(''),
  );
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

function show(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 });
}

/** Progress goes where it does not mix with the table. */
function say(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${text}`);
}
