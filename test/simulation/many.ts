import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ScenarioFixed } from './scenario.ts';
import type { Violation } from './watch.ts';

/** Seeds to play: `firstSeed`, the next one, and so on. */
export interface Series {
  readonly firstSeed: number;
  readonly runs: number;
  /** Failures after which no further seed is played. */
  readonly mostFailures: number;
  readonly fixed?: ScenarioFixed;
}

/** What a series came to. */
export interface Summary {
  runs: number;
  readonly failures: { readonly seed: number; readonly violation: Violation }[];
  readonly counts: Record<string, number>;
}

/** Seeds that a thread takes at a time. */
const PORTION = 50;

/** Plays a series on all cores. */
export async function simulateMany(series: Series, progress?: (summary: Summary) => void): Promise<Summary> {
  const summary: Summary = { runs: 0, failures: [], counts: {} };
  const end = series.firstSeed + series.runs;
  let next = series.firstSeed;

  async function work(): Promise<void> {
    const worker = new Worker(new URL('./worker.ts', import.meta.url));
    while (next < end && summary.failures.length < series.mostFailures) {
      const runs = Math.min(PORTION, end - next);
      const portion: Series = { ...series, firstSeed: next, runs };
      next += runs;
      worker.postMessage(portion);
      const [done] = (await once(worker, 'message')) as [Summary];
      add(summary, done);
      progress?.(summary);
    }
    await worker.terminate();
  }

  await Promise.all(Array.from({ length: availableParallelism() }, work));
  summary.failures.sort((one, other) => one.seed - other.seed);
  return summary;
}

/** Adds one summary to another. */
function add(sum: Summary, { runs, failures, counts }: Summary): void {
  sum.runs += runs;
  sum.failures.push(...failures);
  for (const [what, count] of Object.entries(counts)) sum.counts[what] = (sum.counts[what] ?? 0) + count;
}
