import { ConfigurationError, DeadlineError, LostLeaseError } from '../errors.ts';
import { createGuard } from './guard.ts';
import { climb, type Ladder, nameCursors, placeCursors } from './ladder.ts';
import { noLateness } from './lateness.ts';
import { createLedger } from './ledger.ts';
import { createNormaliser, type Fields, type Places } from './normalise.ts';
import { toNotice } from './notice.ts';
import type { Clock, GapStore, Learned, Marks, MarkUpdate, SeenStore, Trail } from './ports.ts';
import type { Publisher } from './publish.ts';
import { createReader } from './read.ts';
import { type Counts, createRelay, type Run, type Say } from './relay.ts';
import { createStride } from './stride.ts';
import { isoSeconds, toSeconds } from './time.ts';

/** What a poll did; counts in events, moments in ISO 8601. */
export interface PollResult extends Counts {
  /** Every moment up to it was read and published; null before the first whole read. */
  readonly mark: string | null;
  /** Every moment up to it was read again at the age of the last rung. */
  readonly checkedThrough: string | null;
  /** From the mark to now. */
  readonly backlogSeconds: number;
  /** The platform's clock less ours, in whole seconds, where an answer told. */
  readonly skewSeconds: number;
  /** Set where another run holds the lease, and then nothing was done. */
  readonly skipped?: 'lease';
}

/** What a replay did. */
export interface ReplayResult extends Counts {
  /** Where to go on, ISO 8601; left out where the replay is done. */
  readonly next?: string;
}

/** Polls one stream of one tenant; kept between runs, it remembers the ledger and how the platform pages. */
export interface Poller {
  /**
   * Takes the lease, climbs the ladder once, and gives the lease back.
   * @param time.deadlineMs no new work begins after; `endMs`: the process may be ended then
   * @param time.adoptSource goes on with a mark that belongs to another base URL or account
   * @throws {AuthenticationError | ProtocolError | TransportError | PublishError | LostLeaseError | ConfigurationError}
   */
  poll(time: { deadlineMs: number; endMs: number; adoptSource?: boolean }): Promise<PollResult>;
  /** Relays a window again for new consumers, flagged `replayed`; without a lease, so that polling goes on meanwhile. */
  replay(
    window: { fromSeconds: number; toSeconds: number; types?: readonly string[] },
    time: { deadlineMs: number },
  ): Promise<ReplayResult>;
}

/** How much longer than the process a lease lasts. */
const LEASE_MARGIN_MS = 30_000;
/** No batch starts this close to the end of a lease: it might still be under way when another owner begins. */
const LEASE_TAIL_MS = 10_000;
/** How much progress a crash may make another run read again; the ledger keeps it from being published again. */
const SAVE_EVERY_MS = 5_000;

/** Makes the poller of a stream. */
export function createPoller(parts: {
  tenant: string;
  stream: string;
  /** Where things stand in a record, when the built-in lists fail. */
  fields?: Fields;
  trail: Trail;
  publisher: Publisher;
  marks: Marks;
  seen: SeenStore;
  gaps: GapStore;
  ladder: Ladder;
  clock: Clock;
  /** Tells this process from others. */
  owner: string;
  /** Gives the start of a first run, in seconds since the Unix epoch. */
  startSeconds: (nowMs: number) => number;
  /** Says what is read: base URL and account. */
  fingerprint: () => Promise<string>;
  eventTypes?: ReadonlySet<string> | undefined;
}): Poller {
  const { tenant, stream, fields, trail, publisher, marks, seen, gaps, ladder, clock, owner, eventTypes } = parts;
  const normaliser = createNormaliser({ tenant, stream, ...(fields && { fields }) });
  const guard = createGuard({ normaliser });
  const say: Say = async ({ id, ...notice }, run) => {
    const said = toNotice({ ...notice, id: `${stream}/${id}`, tenant, nowMs: clock() });
    const { failure } = await publisher.publish([said], run.mayStart);
    if (failure !== undefined) throw failure;
  };
  const reader = createReader({ trail, normaliser });
  const ledger = createLedger({ store: seen, clock });
  const shared = { trail, reader, normaliser, publisher, gaps, guard, say, clock };
  /** Replays have no mark to keep it in. */
  let replayLearned: Learned | undefined;

  return {
    async poll({ deadlineMs, endMs, adoptSource = false }) {
      const counts = noCounts();
      const fingerprint = await parts.fingerprint();
      const nowMs = clock();
      const leaseEndMs = endMs + LEASE_MARGIN_MS;
      const request = { owner, nowMs, endMs: leaseEndMs, startSeconds: parts.startSeconds(nowMs), fingerprint };
      const mark = await marks.acquire(request);
      if (mark === undefined) {
        return { ...counts, mark: null, checkedThrough: null, backlogSeconds: 0, skewSeconds: 0, skipped: 'lease' };
      }
      const { startSeconds, epoch, replays } = mark;
      const cursors = placeCursors(ladder, mark);
      const relay = createRelay({ ...shared, ledger, startSeconds, eventTypes });
      const stride = createStride({ relay, reader, clock, learned: mark.learned });
      const run: Run = { deadlineMs, mayStart: () => checkTime(clock(), deadlineMs, leaseEndMs) };
      normaliser.timeField = mark.places?.timeField;

      let savedMs = nowMs;
      let skewMs = 0;
      let places = mark.places;
      async function save(update: MarkUpdate): Promise<void> {
        const { timeField } = normaliser;
        const progress = {
          cursors: nameCursors(ladder, cursors),
          learned: stride.learned,
          places: { ...places, ...(timeField !== undefined && { timeField }) },
        };
        if (!(await marks.save(epoch, { ...progress, ...update }))) {
          throw new LostLeaseError('Another run has taken the lease over; this one stops');
        }
        savedMs = clock();
      }

      try {
        if (mark.fingerprint !== fingerprint && !adoptSource) refuse(mark.fingerprint, fingerprint);
        ledger.open({ epoch, replays, writer: String(epoch) });
        ({ skewMs } = await climb({
          ladder,
          startSeconds,
          cursors,
          stride,
          run,
          clock,
          counts,
          moved: async () => {
            if (clock() - savedMs >= SAVE_EVERY_MS) await save({});
          },
        }));
        // With no time left to say it, it is concluded by a later run.
        const conclusion = clock() < deadlineMs ? guard.conclude(places) : undefined;
        if (conclusion) {
          if (conclusion.moved.length > 0)
            await say(describeMove(places, conclusion.places, conclusion.moved, nowMs), run);
          places = { ...places, ...conclusion.places };
        }
      } catch (error) {
        // The lease ends by itself should this fail, too; the first error is the one to report.
        await save({ release: true, lastError: inWords(error) }).catch(() => undefined);
        throw error;
      }
      await save({ release: true, lastError: null, lastSuccessMs: clock(), fingerprint });

      const come = (cursor: number): string | null => (cursor < startSeconds ? null : isoSeconds(cursor));
      return {
        ...counts,
        mark: come(cursors[0] as number),
        checkedThrough: come(cursors.at(-1) as number),
        backlogSeconds: Math.max(0, toSeconds(clock()) - (cursors[0] as number)),
        // A `Date` is cut to the second.
        skewSeconds: Math.round((skewMs + 500) / 1000) || 0,
      };
    },

    async replay({ fromSeconds, toSeconds, types }, { deadlineMs }) {
      const counts = noCounts();
      await marks.countReplay();
      const replayed = createLedger({ store: seen, clock });
      replayed.open({ epoch: 0, replays: 0, writer: `replay-${owner}-${clock()}` });
      const wanted = types ? new Set(types) : eventTypes;
      const relay = createRelay({ ...shared, ledger: replayed, startSeconds: 0, eventTypes: wanted, replay: true });
      const stride = createStride({ relay, reader, clock, learned: replayLearned });
      const run: Run = { deadlineMs, mayStart: () => checkTime(clock(), deadlineMs, Number.POSITIVE_INFINITY) };
      const begunMs = clock();
      let next = fromSeconds;
      try {
        while (next <= toSeconds) {
          const end = Math.max(next, Math.min(toSeconds, stride.reach(next, deadlineMs - clock())));
          const passed = stride.pass({ fromSeconds: next, toSeconds: end }, run, counts);
          // Whoever has read the ledger since the last count does not know what was published after.
          if (await passed.finally(() => marks.countReplay())) next = end + 1;
        }
      } catch (error) {
        if (!(error instanceof DeadlineError)) throw error;
        stride.cut(deadlineMs - begunMs);
        return { ...counts, next: isoSeconds(next) };
      } finally {
        replayLearned = stride.learned;
      }
      return counts;
    },
  };
}

const noCounts = (): Counts => ({ published: 0, known: 0, parked: 0, filtered: 0, gaps: 0, lateness: noLateness() });

function describeMove(
  before: Readonly<Record<string, string>> | undefined,
  after: Places,
  moved: readonly (keyof Places)[],
  nowMs: number,
): Parameters<Say>[0] {
  const changes = moved.map((name) => `${name} from ${before?.[name]} to ${after[name]}`);
  return {
    type: 'records.changed',
    id: `records-changed/${nowMs}`,
    summary: `The platform's records have changed their shape: ${changes.join(', ')}`,
    facts: { before, after },
  };
}

function checkTime(nowMs: number, deadlineMs: number, leaseEndMs: number): void {
  if (nowMs >= leaseEndMs - LEASE_TAIL_MS) throw new LostLeaseError('The lease ends before a further batch could');
  if (nowMs >= deadlineMs) throw new DeadlineError('publishing');
}

function refuse(known: string, found: string): never {
  throw new ConfigurationError([
    `The mark in RELAY_TABLE belongs to ${known}, but RELAY_BASE_URL and the API key lead to ${found}. ` +
      'Set them right, or invoke the poller once with {"adoptSource": true} to go on from that mark with the new source',
  ]);
}

const inWords = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
