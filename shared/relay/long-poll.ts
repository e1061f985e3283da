import { type Backoff, fullJitterMs } from '../backoff.ts';
import { TransportError } from '../errors.ts';
import type { Inbox, LastStore, Pause, Tell } from './adapter-ports.ts';
import { createDelivery } from './delivery.ts';
import type { Clock, HoldingLot, Random, SeenStore, Sleep } from './ports.ts';
import type { Publisher } from './publish.ts';
import type { Pulse } from './pulse.ts';
import type { Lease, Source } from './source.ts';

/** An answer without news that comes sooner was not waited for: the next poll is, so that it makes no hot loop. */
const FAST_MS = 3_000;
/** Pauses after fast answers without news; the longest is how late a message may come from a platform that never holds. */
const EMPTY: Backoff = { baseMs: 250, capMs: 5_000 };
const FAULT: Backoff = { baseMs: 500, capMs: 60_000 };

/** Makes the source of what the platform hands out for one interface; what arrives is settled before the next poll. */
export function createLongPoll(parts: {
  tenant: string;
  inbox: Inbox;
  publisher: Publisher;
  parkingLot: HoldingLot;
  seen: SeenStore;
  lasts: LastStore;
  pulse: Pulse;
  /** Is told that something arrived. */
  onContent?: () => void;
  /** Aborts when the process has to end. */
  stopping: AbortSignal;
  tell: Tell;
  pause: Pause;
  sleep: Sleep;
  clock: Clock;
  random: Random;
}): Source {
  const { inbox, pulse, onContent = () => undefined, tell, pause, clock, random } = parts;
  const { stream } = pulse;
  const delivery = createDelivery(parts);

  async function run(lease: Lease): Promise<void> {
    const { signal } = lease;
    let empties = 0;
    let faults = 0;
    await delivery.open(lease);
    while (!signal.aborted) {
      const begunMs = clock();
      pulse.expectWithin(inbox.longestMs);
      pulse.counts.polls += 1;
      let waitMs = 0;
      try {
        const records = await inbox.take();
        const fast = clock() - begunMs < FAST_MS;
        pulse.worked();
        faults = 0;
        if (records.length > 0) onContent();
        // A platform may hand out the same again and again, a proxy the same page: that makes no hot loop either.
        const news = records.length > 0 && (await delivery.settle(records));
        empties = news || !fast ? 0 : empties + 1;
        if (empties > 0) waitMs = fullJitterMs(empties, EMPTY, random);
      } catch (error) {
        if (!(error instanceof TransportError) || !error.retryable) throw error;
        if (isEndOfHold(error) && clock() - begunMs >= FAST_MS) {
          tell.debug('The platform let a poll end without an answer', { stream, error });
          pulse.worked();
          continue;
        }
        pulse.failed(error);
        waitMs = Math.max(error.retryAfterMs ?? 0, fullJitterMs(faults++, FAULT, random));
        tell.warn('The platform does not answer as it should; the poll is repeated', { stream, waitMs, error });
      }
      if (waitMs > 0) {
        pulse.expectWithin(waitMs);
        await pause(waitMs, signal);
      }
    }
  }

  return { pulse, run };
}

/** A proxy or the platform ended a poll that had nothing to say: 408, 504, a connection that was reset. */
const isEndOfHold = ({ status, timedOut }: TransportError): boolean => timedOut || status === undefined;
