import { DeadlineError } from '../errors.ts';
import type { Clock, Mark } from './ports.ts';
import type { Counts, Run } from './relay.ts';
import type { Stride } from './stride.ts';
import { toSeconds } from './time.ts';

/** The rungs: how old the trail is when it is read. */
export interface Ladder {
  /** Ages in seconds, ascending, the first being 0: the head. */
  readonly agesSeconds: readonly number[];
  /** How far back the head reads again, for events that are shown a little late. */
  readonly overlapSeconds: number;
}

/** Kept of a run for the rungs above the head. */
const RUNGS_SHARE = 0.2;
/** A window of the head with an end ends this long ago: the second that is going on still fills. */
const SETTLING_SECONDS = 2;

/** Gives where each rung starts, aligned with the ages; rungs may have been added or taken away since the mark was written. */
export function placeCursors({ agesSeconds }: Ladder, mark: Pick<Mark, 'startSeconds' | 'cursors'>): number[] {
  const written = Object.entries(mark.cursors);
  const cursors: number[] = [];
  for (const age of agesSeconds) {
    // What an older rung has passed was looked at late enough; what none has passed, never.
    const passed = written.filter(([otherAge]) => Number(otherAge) >= age).map(([, cursor]) => cursor);
    cursors.push(Math.min(Math.max(mark.startSeconds - 1, ...passed), cursors.at(-1) ?? Number.POSITIVE_INFINITY));
  }
  return cursors;
}

/** Names cursors by the age of their rung, as the mark keeps them. */
export const nameCursors = ({ agesSeconds }: Ladder, cursors: readonly number[]): Record<string, number> =>
  Object.fromEntries(agesSeconds.map((age, rung) => [String(age), cursors[rung] as number]));

/**
 * Climbs the ladder once: the head up to now, then every rung whose next stretch is due.
 * @param parts.cursors the moment each rung has come to, in seconds since the Unix epoch; moved forward in place
 * @param parts.moved is called after every cursor that moved
 * @returns the server's clock less ours
 * @throws what relaying throws; a deadline is no fault and is not thrown
 */
export async function climb(parts: {
  ladder: Ladder;
  startSeconds: number;
  cursors: number[];
  stride: Stride;
  run: Run;
  clock: Clock;
  counts: Counts;
  moved: () => Promise<void>;
}): Promise<{ skewMs: number }> {
  const { ladder, startSeconds, cursors, stride, run, clock, counts, moved } = parts;
  const { agesSeconds } = ladder;
  const rungs = agesSeconds.keys().drop(1).toArray();
  /** Not kept from run to run: one wrong date of a proxy would go on and on. */
  let skewMs = 0;
  const begunMs = clock();
  let windows = 0;

  /** The smaller of both clocks: either may be years off. */
  const nowSeconds = (): number => toSeconds(clock() + Math.min(0, skewMs));

  /** Relays one window, undefined where it did not fit; a whole read counts for every rung whose age it has and whose cursor it joins on to. */
  async function pass(
    window: { fromSeconds: number; toSeconds?: number; uncut?: boolean },
    during: Run,
  ): Promise<{ settled: boolean } | undefined> {
    const askedMs = clock();
    const whole = await stride.pass(window, during, counts);
    if (whole === undefined) return undefined;
    if (whole.serverTimeMs !== undefined) skewMs = whole.serverTimeMs - askedMs;
    // The second that was going on may still have filled after it was read.
    const trusted = toSeconds(Math.min(askedMs, whole.serverTimeMs ?? askedMs)) - 1;
    for (const [rung, age] of whole.unsettled ? [] : agesSeconds.entries()) {
      const cursor = cursors[rung] as number;
      if (window.fromSeconds <= cursor + 1) {
        cursors[rung] = Math.max(cursor, Math.min(trusted - age, window.toSeconds ?? trusted));
      }
    }
    windows += 1;
    await moved();
    return { settled: !whole.unsettled };
  }

  /** Walks from the mark to now, false where the time left is too short for a further window; on past a clock that is behind the mark, which then waits for that clock. */
  async function readHead(during: Run): Promise<boolean> {
    let position: number | undefined;
    let settled = true;
    for (let believed = true; ; ) {
      const now = believed ? nowSeconds() : toSeconds(clock());
      const overlap = Math.min(ladder.overlapSeconds, stride.secondsAPage);
      const fromSeconds = position ?? Math.max(startSeconds, (cursors[0] as number) + 1 - overlap);
      const left = now - fromSeconds;
      if (left < Math.max(settled ? stride.secondsAPage : 0, SETTLING_SECONDS)) {
        // A window without an end should be one page: what arrives meanwhile would make pages drift.
        const uncut = left < SETTLING_SECONDS && (left >= 0 || !believed);
        const passed = await pass({ fromSeconds, uncut }, during);
        // Read again up to where nothing arrives any more; the last seconds are for the next run.
        if (passed?.settled === false && left >= SETTLING_SECONDS) settled = false;
        else if (passed) return true;
        if (left < 0) believed = false;
      } else {
        const leftMs = during.deadlineMs - clock();
        if (position !== undefined && !stride.fits(leftMs, during.deadlineMs - begunMs)) return false;
        const end = Math.max(fromSeconds, Math.min(now - SETTLING_SECONDS, stride.reach(fromSeconds, leftMs)));
        if (await pass({ fromSeconds, toSeconds: end }, during)) position = end + 1;
      }
    }
  }

  /** The end of a rung's next stretch; undefined where it is not due yet. */
  function dueEnd(rung: number): number | undefined {
    const age = agesSeconds[rung] as number;
    const end = Math.min(nowSeconds() - age, cursors[rung - 1] as number);
    return end - (cursors[rung] as number) >= age / 2 ? end : undefined;
  }

  /** One window a rung in turn, so that none waits for another's backlog. */
  async function readRungs(): Promise<boolean> {
    for (let due = true; due; ) {
      due = false;
      for (const rung of rungs) {
        const end = dueEnd(rung);
        if (end === undefined) continue;
        due = true;
        const fromSeconds = (cursors[rung] as number) + 1;
        const window = () => {
          const reach = stride.reach(fromSeconds, run.deadlineMs - clock());
          return { fromSeconds, toSeconds: Math.max(fromSeconds, Math.min(end, reach)) };
        };
        // Tried smaller until it fits: what a stride learns of one stretch says little of another.
        while (!(await pass(window(), run)));
      }
    }
    return true;
  }

  /** Gives false where the time ran out, which is no fault unless nothing at all could be read or published */
  async function inTime(work: Promise<boolean>): Promise<boolean> {
    const before = windows;
    const publishedBefore = counts.published;
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof DeadlineError)) throw error;
      if (error.cause !== undefined) {
        if (counts.published === publishedBefore) throw error.cause;
      } else {
        stride.cut(run.deadlineMs - begunMs);
        if (windows === before && stride.slow !== undefined) throw stride.slow;
      }
      return false;
    }
  }

  const kept = rungs.some((rung) => dueEnd(rung) !== undefined) ? RUNGS_SHARE : 0;
  const finished = await inTime(readHead(shorten(run, kept, clock)));
  if (clock() < run.deadlineMs && (await inTime(readRungs())) && !finished) await inTime(readHead(run));
  return { skewMs };
}

/** Takes a share off the end of a run. */
function shorten(run: Run, share: number, clock: Clock): Run {
  const deadlineMs = run.deadlineMs - share * Math.max(0, run.deadlineMs - clock());
  return {
    deadlineMs,
    mayStart() {
      run.mayStart();
      if (clock() >= deadlineMs) throw new DeadlineError('reading the head');
    },
  };
}
