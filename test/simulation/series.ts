import type { Series, Summary } from './many.ts';
import { simulate } from './simulation.ts';

/** Plays a series of seeds in this thread, until enough of them failed. */
export async function playSeries({ firstSeed, runs, mostFailures, fixed = {} }: Series): Promise<Summary> {
  const summary: Summary = { runs: 0, failures: [], counts: {} };
  for (let seed = firstSeed; seed < firstSeed + runs && summary.failures.length < mostFailures; seed++) {
    const { violation, counts } = await simulate(seed, { fixed });
    summary.runs += 1;
    if (violation) summary.failures.push({ seed, violation });
    for (const [what, count] of counts) summary.counts[what] = (summary.counts[what] ?? 0) + count;
  }
  return summary;
}
