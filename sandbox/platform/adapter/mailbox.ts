/** A message on its way to whoever asks. */
export interface Delivery {
  message: unknown;
  /** How often it is still handed out again; left out until it was handed out once. */
  again?: number;
}

/** Messages that wait for one interface, and the requests that wait for messages. */
export interface Mailbox {
  /** Hands a message to whoever has waited longest, else keeps it, however many there are. */
  send(delivery: Delivery): void;
  /** Gives up to `most` messages at once if there are any, else the next one to come; none once `signal` is aborted. */
  take(options: { most: number; signal: AbortSignal }): Promise<Delivery[]>;
  /** Puts back, before all others, what was taken for a reader who has gone. */
  giveBack(deliveries: readonly Delivery[]): void;
  /** Lets the requests that wait now go without a message. */
  release(): void;
  /** Messages that nobody was handed yet. */
  readonly waiting: number;
  /** Gives those messages, to be kept. */
  dump(): Delivery[];
  /** Requests that wait now. */
  readonly readers: number;
}

/** Creates a mailbox in which every message is handed out once, with nothing in it but what was there before. */
export function createMailbox(before: readonly Delivery[] = []): Mailbox {
  const kept: Delivery[] = [...before];
  const readers = new Set<(taken: Delivery[]) => void>();

  const handOver = () => {
    for (const reader of readers) {
      const next = kept.shift();
      if (!next) return;
      reader([next]);
    }
  };

  return {
    send(delivery) {
      kept.push(delivery);
      handOver();
    },
    take({ most, signal }) {
      if (signal.aborted) return Promise.resolve([]);
      if (kept.length > 0) return Promise.resolve(kept.splice(0, most));
      return new Promise((resolve) => {
        const end = (taken: Delivery[]) => {
          readers.delete(end);
          signal.removeEventListener('abort', give);
          resolve(taken);
        };
        const give = () => end([]);
        readers.add(end);
        signal.addEventListener('abort', give);
      });
    },
    giveBack(deliveries) {
      kept.unshift(...deliveries);
      handOver();
    },
    release() {
      for (const end of [...readers]) end([]);
    },
    get waiting() {
      return kept.length;
    },
    dump: () => [...kept],
    get readers() {
      return readers.size;
    },
  };
}
