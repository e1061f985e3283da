import type { PageQuery } from '../../shared/relay/ports.ts';
import type { Process } from './process.ts';
import type { Row } from './rows.ts';
import type { Read, Run, Watch, WatchContext } from './watch.ts';

/** How far local clock and `Date` together may be ahead of the platform in a simulation. */
export const MOST_AHEAD_MS = 6_000;

/** Checks how cursors move: never back, never past a clock, and never past what is not published. */
export function createCursorWatch(
  context: WatchContext,
): Pick<Watch, 'pageAsked' | 'pageHeard' | 'saved' | 'gapNoted' | 'finish'> {
  const { rows, scenario, clockwork, faults, report, trace, runOf, missing, gaps } = context;
  const lastAge = scenario.agesSeconds.at(-1) as number;
  /** The last reading of each window. */
  const lastReads = new Map<string, Read>();
  /** Rows that pages hid by drifting whenever the last rung could have seen them. */
  const hidden = new Set<Row>();

  function checkPassed(process: Process, run: Run, passed: { age: number; from: number; to: number }): void {
    const { age, from, to } = passed;
    for (const row of missing) {
      const second = secondOf(row);
      if (second < from || second > to || second < run.startSeconds || row.shownAtMs > clockwork.nowMs) continue;
      if (gaps.some(({ fromSeconds, toSeconds }) => fromSeconds <= second && second <= toSeconds)) continue;
      const looks = run.reads.filter(({ query }) => covers(query, row));
      const who = `${process.name} moves rung ${age} to ${to} past row ${row.serial} of ${row.timeMs / 1000}`;
      if (looks.length === 0) {
        report('cursor passes only what is published', `${who}, which it never asked for`);
      } else if (looks.some(({ drifted }) => drifted)) {
        faults.count('row hidden by drift');
        if (age === lastAge) hidden.add(row);
      } else if (looks.every(({ atMs }) => row.shownAtMs <= atMs)) {
        report('cursor passes only what is published', `${who}, which was there to be read`);
      } else if (age > 0 && row.shownAtMs + MOST_AHEAD_MS <= (second + age) * 1000) {
        report('cursor passes only what is published', `${who}, which was shown by that age`);
      }
    }
  }

  return {
    pageAsked(process, query, salt) {
      const { reads } = runOf(process);
      const { nowMs } = clockwork;
      const window = `${query.afterSeconds} ${query.beforeSeconds} ${query.eventType}`;
      trace?.(`${process.name} asks ${JSON.stringify(query)}`);
      // A later page may go on with what an earlier run began.
      const own = `${process.name} ${window}`;
      const begun = query.page > 0 ? (lastReads.get(own) ?? lastReads.get(window)) : undefined;
      const read = begun ?? { query, atMs: nowMs, salt, drifted: query.page > 0, cut: false };
      read.drifted ||= read.salt !== salt || (begun !== undefined && rows.some((row) => hasChanged(row, read, nowMs)));
      if (read.drifted) faults.count('pages drifted');
      if (reads.at(-1) !== read) reads.push(read);
      for (const key of [own, window]) lastReads.set(key, read);
      return read;
    },

    pageHeard(process, { rows: shown, serverTimeMs }) {
      const run = runOf(process);
      run.mostRows = Math.max(run.mostRows, shown.length);
      if (serverTimeMs === undefined) run.latestDateMs = undefined;
      else if (run.latestDateMs !== undefined) run.latestDateMs = Math.max(run.latestDateMs, serverTimeMs);
    },

    saved(process, before, after) {
      const run = runOf(process);
      trace?.(`${process.name} saves ${JSON.stringify(after)}`);
      for (const [name, cursor] of Object.entries(after)) {
        const age = Number(name);
        if (!Number.isInteger(cursor)) report('cursor never goes back', `rung ${age} is at ${cursor}`);
        const from = run.cursors[name] ?? run.startSeconds - 1;
        if (cursor < (before[name] ?? Number.NEGATIVE_INFINITY)) {
          report('cursor never goes back', `${process.name} moves rung ${age} from ${before[name]} to ${cursor}`);
        }
        if (cursor <= from) continue;
        const latestMs = Math.min(process.clock(), run.latestDateMs ?? Number.POSITIVE_INFINITY);
        if ((cursor + age) * 1000 > latestMs) {
          report('cursor never passes a clock', `${process.name} moves rung ${age} to ${cursor} at ${latestMs / 1000}`);
        }
        checkPassed(process, run, { age, from: from + 1, to: cursor });
      }
    },

    gapNoted(process, gap) {
      faults.count('gap');
      trace?.(`${process.name} notes a gap ${JSON.stringify(gap)}`);
      const cut = runOf(process).reads.some(({ query, cut }) => cut && query.afterSeconds < gap.fromSeconds);
      if (!cut) report('gap only where paging ends', `${gap.fromSeconds}: ${gap.why}`);
      gaps.push(gap);
    },

    finish() {
      for (const row of missing) {
        const second = secondOf(row);
        if (second < context.startSeconds()) continue;
        if (gaps.some(({ fromSeconds, toSeconds }) => fromSeconds <= second && second <= toSeconds)) {
          faults.count('row in a gap');
        } else if (hidden.has(row)) {
          faults.count('row hidden by drift for good');
        } else {
          report(
            'nothing lost',
            `row ${row.serial} of ${row.timeMs / 1000}, shown ${row.shownAtMs - row.timeMs} ms later`,
          );
        }
      }
    },
  };
}

const secondOf = ({ timeMs }: Row): number => Math.floor(timeMs / 1000);

/** Bounds are asked for a second wider at both ends, so that the second itself is in whatever they mean. */
function covers({ afterSeconds, beforeSeconds, eventType }: PageQuery, row: Row): boolean {
  const second = secondOf(row);
  if (second <= afterSeconds || second >= (beforeSeconds ?? Number.POSITIVE_INFINITY)) return false;
  return eventType === undefined || eventType === row.type;
}

function hasChanged(row: Row, { query, atMs }: Read, nowMs: number): boolean {
  const within = (timeMs: number): boolean => atMs < timeMs && timeMs <= nowMs;
  if (!within(row.shownAtMs) && !within(row.deletedAtMs)) return false;
  const second = secondOf(row);
  return second >= query.afterSeconds && second <= (query.beforeSeconds ?? Number.POSITIVE_INFINITY);
}
