import { NotServedError } from './errors.ts';
import type { Logger } from './log.ts';
import type { Clock } from './relay/ports.ts';

/** Sends log entries on, as far as that is possible: it never blocks and never fails. */
export interface Passthrough {
  take(entry: object): void;
  /** Sends what there is; called every few seconds and at the end. */
  flush(): Promise<void>;
}

/** Entries and bytes that wait at most; what comes on top is counted and dropped. */
const MOST_WAITING = 1000;
const MOST_WAITING_BYTES = 1_000_000;
/** Of one request. */
const MOST_ENTRIES = 100;
const MOST_BYTES = 200_000;
/** How long nothing is sent after the platform said that it takes no logs. */
const OFF_MS = 3_600_000;

/** Makes the way on; `aside` is a log that does not lead here again. */
export function createPassthrough(parts: {
  send: (entries: readonly object[]) => Promise<void>;
  aside: () => Logger;
  clock: Clock;
}): Passthrough {
  const { send, aside, clock } = parts;
  const waiting: { entry: object; bytes: number }[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  let offUntilMs = 0;
  let sending: Promise<void> | undefined;

  function takeBatch(): object[] {
    const batch: object[] = [];
    let bytes = 0;
    for (let next = waiting[0]; next !== undefined && batch.length < MOST_ENTRIES; next = waiting[0]) {
      if (batch.length > 0 && bytes + next.bytes > MOST_BYTES) break;
      waiting.shift();
      bytes += next.bytes;
      batch.push(next.entry);
    }
    waitingBytes -= bytes;
    return batch;
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const lost = dropped;
      const batch = takeBatch();
      const message = `${lost} log entries could not be sent`;
      const said = lost > 0 ? [{ level: 'warn', time: new Date(clock()).toISOString(), message, dropped: lost }] : [];
      try {
        await send([...said, ...batch]);
        dropped -= lost;
      } catch (error) {
        // Sent once more it might stand there twice, and the next batch would wait for it.
        dropped += batch.length;
        if (error instanceof NotServedError) {
          offUntilMs = clock() + OFF_MS;
          dropped += waiting.splice(0).length;
          waitingBytes = 0;
          aside().error('The platform takes no logs: they are not sent for an hour', { error });
        } else {
          aside().warn('Log entries could not be sent to the platform', { dropped, error });
        }
        return;
      }
    }
  }

  return {
    take(entry) {
      const bytes = Buffer.byteLength(JSON.stringify(entry));
      if (clock() < offUntilMs || waiting.length >= MOST_WAITING || waitingBytes + bytes > MOST_WAITING_BYTES) {
        dropped += 1;
        return;
      }
      waiting.push({ entry, bytes });
      waitingBytes += bytes;
    },
    flush() {
      sending ??= sendAll().finally(() => {
        sending = undefined;
      });
      return sending;
    },
  };
}
