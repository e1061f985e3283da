import { type Backoff, fullJitterMs } from '../backoff.ts';
import { AuthenticationError, ConfigurationError, DeadlineError, NotServedError } from '../errors.ts';
import type { Pause, Tell } from './adapter-ports.ts';
import type { RelayEvent } from './event.ts';
import { toNotice } from './notice.ts';
import type { Clock, Random } from './ports.ts';
import type { Publisher } from './publish.ts';
import type { Pulse } from './pulse.ts';

/** The right to read an interface, for as long as `signal` is not aborted. */
export interface Lease {
  readonly epoch: number;
  readonly replays: number;
  /** Aborts when the process is to stop, or when the lease is lost; nothing is asked for after that. */
  readonly signal: AbortSignal;
}

/** Something that reads a stream for as long as it may. */
export interface Source {
  readonly pulse: Pulse;
  /**
   * Reads and publishes until the lease ends; what it was handed is published even after that.
   * @throws what it cannot go on with
   */
  run(lease: Lease): Promise<void>;
}

const BACKOFF: Backoff = { baseMs: 1_000, capMs: 300_000 };
/** How often a source is tried that the platform does not serve. */
const OFF_MS = 3_600_000;

/**
 * Keeps a source running until its lease ends: begins it again after a fault, with growing pauses, and leaves one alone
 * for an hour that the platform does not serve. Nothing that fails here stops another source.
 * @throws {AuthenticationError | ConfigurationError} which only a person can mend
 */
export async function keepRunning(
  source: Source,
  lease: Lease,
  parts: { tenant: string; publisher: Publisher; tell: Tell; pause: Pause; clock: Clock; random: Random },
): Promise<void> {
  const { tenant, publisher, tell, pause, clock, random } = parts;
  const { pulse } = source;
  const { stream } = pulse;
  let failures = 0;

  async function rest(waitMs: number): Promise<void> {
    pulse.expectWithin(waitMs);
    await pause(waitMs, lease.signal);
  }

  while (!lease.signal.aborted) {
    try {
      await source.run(lease);
    } catch (error) {
      if (isFatal(error)) throw error;
      // It went well in between: a new fault.
      if (pulse.failure === undefined) failures = 0;
      pulse.failed(error);
      if (error instanceof NotServedError) {
        tell.error('The platform does not serve this source: it is switched off, and tried again in an hour', {
          stream,
          error,
        });
        if (!pulse.off) await say(toSwitchedOff({ tenant, stream, nowMs: clock(), why: error.message }));
        pulse.switchOff();
        await rest(OFF_MS);
      } else {
        const waitMs = BACKOFF.baseMs + fullJitterMs(failures++, BACKOFF, random);
        tell.error('The source failed and begins again', { stream, waitMs, error });
        await rest(waitMs);
      }
    }
  }

  /** Best effort: the log and the metrics say it, too. */
  async function say(notice: RelayEvent): Promise<void> {
    const endMs = clock() + 10_000;
    const { failure } = await publisher.publish([notice], () => {
      if (clock() >= endMs) throw new DeadlineError('publishing');
    });
    if (failure !== undefined)
      tell.warn('The bus does not take what the relay says of itself', { stream, error: failure });
  }
}

/** True for what no retry mends: a refused key, a wrong setting. */
export const isFatal = (error: unknown): boolean =>
  error instanceof AuthenticationError || error instanceof ConfigurationError;

function toSwitchedOff(fault: { tenant: string; stream: string; nowMs: number; why: string }): RelayEvent {
  const { tenant, stream, nowMs, why } = fault;
  return toNotice({
    type: 'source.switched-off',
    id: `${stream}/switched-off/${nowMs}`,
    tenant,
    nowMs,
    summary: `${stream} is switched off: ${why}`,
    facts: { stream, why },
  });
}
