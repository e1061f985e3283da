import { type Backoff, fullJitterMs } from '../backoff.ts';
import type { Pause, Tell } from './adapter-ports.ts';
import type { Clock, Mark, Marks, Random } from './ports.ts';
import type { Pulse } from './pulse.ts';
import { isFatal, type Lease } from './source.ts';
import { toSeconds } from './time.ts';

/** How long a lease lasts without a heartbeat, and so how long another process waits when its owner dies. */
const LEASE_MS = 30_000;
const BEAT_MS = 10_000;
/** How often a process that stands by asks. */
const STANDBY_MS = 5_000;
const BACKOFF: Backoff = { baseMs: 1_000, capMs: 30_000 };

/**
 * Uses a lease whenever this process can have it, until `stopping`: waits while another owner has it, keeps it by
 * heartbeat, and gives it back. It is politeness, not safety: two readers lose nothing, they only share.
 * @throws {AuthenticationError | ConfigurationError} of `fingerprint`, and what `use` throws
 */
export async function holdLease(parts: {
  stream: string;
  marks: Marks;
  /** Tells this process from others. */
  owner: string;
  /** Says what is read: base URL and account. */
  fingerprint: () => Promise<string>;
  /** Those that wait with the lease. */
  pulses: readonly Pulse[];
  /** Says an error in words that may be kept. */
  inWords: (error: unknown) => string;
  use: (lease: Lease) => Promise<void>;
  stopping: AbortSignal;
  tell: Tell;
  pause: Pause;
  clock: Clock;
  random: Random;
}): Promise<void> {
  const { stream, marks, owner, pulses, inWords, use, stopping, tell, pause, clock, random } = parts;
  let failures = 0;
  let standingBy = false;

  while (!stopping.aborted) {
    try {
      const fingerprint = await parts.fingerprint();
      const nowMs = clock();
      const endMs = nowMs + LEASE_MS;
      const mark = await marks.acquire({ owner, nowMs, endMs, startSeconds: toSeconds(nowMs), fingerprint });
      failures = 0;
      if (mark === undefined) await standBy();
      else await keep(mark, { endMs, fingerprint });
    } catch (error) {
      if (isFatal(error)) throw error;
      for (const pulse of pulses) pulse.failed(error);
      const waitMs = fullJitterMs(failures++, BACKOFF, random);
      tell.warn('The lease cannot be had', { stream, waitMs, error });
      await rest(waitMs);
    }
  }

  async function standBy(): Promise<void> {
    for (const pulse of pulses) pulse.worked();
    if (!standingBy) tell.info('Another process reads this interface; this one stands by', { stream });
    standingBy = true;
    await rest(STANDBY_MS);
  }

  async function keep({ epoch, replays }: Mark, first: { endMs: number; fingerprint: string }): Promise<void> {
    standingBy = false;
    tell.info('Reads this interface', { stream, epoch });
    const lost = new AbortController();
    const over = new AbortController();
    const beating = beat({ ...first, epoch, lost, over: over.signal });
    try {
      await use({ epoch, replays, signal: AbortSignal.any([stopping, lost.signal]) });
    } finally {
      over.abort();
      await beating;
      // It ends by itself should this fail.
      await marks.save(epoch, { release: true }).catch(() => undefined);
    }
  }

  /** Writes the fingerprint, too: there is no cursor here that another account's records could mislead. */
  async function beat(lease: {
    epoch: number;
    endMs: number;
    fingerprint: string;
    lost: AbortController;
    over: AbortSignal;
  }): Promise<void> {
    const { epoch, fingerprint, lost, over } = lease;
    let { endMs } = lease;
    while (!lost.signal.aborted) {
      await pause(BEAT_MS, over);
      if (over.aborted) return;
      const leaseEndMs = clock() + LEASE_MS;
      try {
        if (await marks.save(epoch, { leaseEndMs, fingerprint, ...state() })) endMs = leaseEndMs;
        else lost.abort();
      } catch (error) {
        tell.warn('The lease could not be prolonged', { stream, error });
        if (clock() >= endMs) lost.abort();
      }
    }
    tell.warn('Another process has the lease now, or may have it', { stream });
  }

  function state(): { lastSuccessMs?: number; lastError: string | null } {
    const failure = pulses.map((pulse) => pulse.failure).find((error) => error !== undefined);
    return failure === undefined ? { lastSuccessMs: clock(), lastError: null } : { lastError: inWords(failure) };
  }

  async function rest(waitMs: number): Promise<void> {
    for (const pulse of pulses) pulse.expectWithin(waitMs);
    await pause(waitMs, stopping);
  }
}
