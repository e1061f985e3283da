import type { Series, Summary } from './many.ts';
import { simulate } from './simulation.ts';

/** Plays a series of seeds in this thread, to its end. */
export async function playSeries({ firstSeed, runs, fixed = {} }: Series): Promise<Summary> {
  const summary: Summary = { runs, failures: [], counts: {} };
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const { violation, counts } = await simulate(seed, { fixed });
    if (violation) summary.failures.push({ seed, violation });
    for (const [what, count] of counts) summary.counts[what] = (summary.counts[what] ?? 0) + count;
  }
  return summary;
}
