/** Says what happens, for people who look after the relay. */
export type Tell = Readonly<
  Record<'debug' | 'info' | 'warn' | 'error', (message: string, facts?: Readonly<Record<string, unknown>>) => void>
>;

/** Resolves after `waitMs`, or at once when `signal` aborts. */
export type Pause = (waitMs: number, signal: AbortSignal) => Promise<void>;

/** What the platform hands out for an interface, as soon as there is something. */
export interface Inbox {
  /** How long a request may take at most, in ms. */
  readonly longestMs: number;
  /**
   * Asks once, and waits as long as the platform holds the request; an empty list where it had nothing.
   * What it gives may have been handed out for the only time.
   * @throws {TransportError | AuthenticationError}
   */
  take(): Promise<readonly unknown[]>;
}

/** The platform's list of changed connections of an interface; one stays listed until it is acknowledged. */
export interface ChangeList {
  /** Reads one page, from 0, of all or of one connection. @throws {TransportError | ProtocolError} */
  readPage(page: number, publicId?: string): Promise<readonly unknown[]>;
  /** Takes a connection off the list; with errors it stays listed as failed. @throws {TransportError} */
  acknowledge(connection: { publicId: string; role: string | undefined; errors: readonly string[] }): Promise<void>;
}

/** What was last relayed under a key, of things that have no id for each of their states. */
export interface Last {
  /** Hash of the record. */
  readonly hash: string;
  /** How many different ones there were. */
  readonly count: number;
  /** `begun`: it may have been published or not; `parked`: the bus can never take it whole. */
  readonly state: 'begun' | 'published' | 'parked';
}

/** Where the last ones are kept. */
export interface LastStore {
  /** Reads those of the keys that are there, as they were written last. */
  read(keys: readonly string[]): Promise<ReadonlyMap<string, Last>>;
  write(key: string, last: Last): Promise<void>;
}
