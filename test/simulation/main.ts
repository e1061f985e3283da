import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Summary, simulateMany } from './many.ts';
import type { ScenarioFixed } from './scenario.ts';
import { simulate } from './simulation.ts';

/** Lines of a trace that are shown from its beginning and from its end. */
const HEAD_LINES = 1;
const TAIL_LINES = 40;
/** Failures that are named; the count is always whole. */
const MOST_SHOWN = 50;
const PROGRESS_EVERY = 2_000;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    fixed: { type: 'string', default: '{}' },
    failures: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
  },
});
const series = {
  firstSeed: Number(values.seed),
  runs: Number(values.runs),
  mostFailures: Number(values.failures),
  fixed: JSON.parse(values.fixed) as ScenarioFixed,
};
const say = (line: string): void => {
  if (!values.json) console.log(line);
};

say(`${series.runs} runs from seed ${series.firstSeed}`);
const begunMs = Date.now();
let told = 0;
const summary = await simulateMany(series, ({ runs }) => {
  if (runs < told + PROGRESS_EVERY) return;
  told = runs;
  say(`${runs} runs, ${((Date.now() - begunMs) / 1000).toFixed(0)} s`);
});
if (values.json) console.log(JSON.stringify(summary));
else report(summary);
if (!values.json && (values.trace || summary.failures.length === 1))
  await showTrace(summary.failures[0]?.seed ?? series.firstSeed);
process.exitCode = summary.failures.length > 0 ? 1 : 0;

function report({ runs, failures, counts }: Summary): void {
  for (const what of Object.keys(counts).sort()) say(`${String(counts[what]).padStart(10)}  ${what}`);
  for (const { seed, violation } of failures.slice(0, MOST_SHOWN))
    say(`Seed ${seed} breaks "${violation.check}": ${violation.message}`);
  say(`${runs} runs in ${((Date.now() - begunMs) / 1000).toFixed(0)} s, ${failures.length} failed`);
}

/** Plays one seed again: whole with `--trace`, else the end of it. */
async function showTrace(seed: number): Promise<void> {
  const lines: string[] = [];
  await simulate(seed, { fixed: series.fixed, trace: (line) => lines.push(line) });
  const broken = lines.findIndex((line) => line.includes('VIOLATION'));
  const end = broken === -1 ? lines.length : broken + 1;
  const shown = values.trace
    ? lines
    : [...lines.slice(0, HEAD_LINES), '…', ...lines.slice(Math.max(HEAD_LINES, end - TAIL_LINES), end)];
  say(`\nSeed ${seed}, seconds since the first poll:\n${shown.join('\n')}`);
}
