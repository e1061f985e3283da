/** Milliseconds since the Unix epoch. */
export type Clock = () => number;

/** Resolves after `waitMs`. */
export type Sleep = (waitMs: number) => Promise<void>;

/** A number in [0, 1). */
export type Random = () => number;

/** One page of the audit trail to ask for; bounds are whole seconds since the Unix epoch. */
export interface PageQuery {
  readonly afterSeconds: number;
  /** Left out by the head of the trail, which has no end. */
  readonly beforeSeconds?: number;
  readonly eventType?: string;
  /** Rows a page, 1 to 1000. */
  readonly limit: number;
  /** Counts from 0. */
  readonly page: number;
}

/** One page of the audit trail as the platform showed it. */
export interface TrailPage {
  readonly rows: readonly unknown[];
  /** What the platform says all pages hold: a hint, never a proof. */
  readonly total?: number;
  /** The `Date` of the answer; left out where it had none. */
  readonly serverTimeMs?: number;
}

/** The platform's audit trail. */
export interface Trail {
  /**
   * Reads one page; what is not answered by `deadlineMs` is given up.
   * @throws {TransportError} with `timedOut` where asking for less may help
   * @throws {DeadlineError} when `deadlineMs` cut it
   */
  readPage(query: PageQuery, deadlineMs: number): Promise<TrailPage>;
  /** Lists event type identifiers; an empty list where the platform does not tell. */
  listTypes(deadlineMs: number): Promise<readonly string[]>;
}

/** One entry of PutEvents. */
export interface BusEntry {
  readonly source: string;
  readonly detailType: string;
  readonly timeMs: number;
  readonly resources: readonly string[];
  /** A JSON object. */
  readonly detail: string;
  /** What EventBridge counts towards the size of a request. */
  readonly bytes: number;
}

/** Why EventBridge did not take an entry. */
export interface EntryFault {
  readonly code: string;
  readonly message: string;
}

/** A whole PutEvents request failed: `retry` later, `refused` for what is in it, or `stop` (permissions, no such bus). */
export class BusFault extends Error {
  override readonly name = 'BusFault';
  readonly kind: 'retry' | 'refused' | 'stop';

  constructor(kind: BusFault['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** The event bus. */
export interface Bus {
  /**
   * Puts at most 10 entries; the answer aligns by index, `undefined` where the entry was accepted.
   * @throws {BusFault} when the request failed as a whole; entries may have been accepted all the same
   */
  put(entries: readonly BusEntry[]): Promise<readonly (EntryFault | undefined)[]>;
}

/** How far a second was read that takes more than a run. */
export interface Resume {
  readonly fromSeconds: number;
  /** The next page, and how many rows a page has. */
  readonly page: number;
  readonly limit: number;
  /** Where it is read by event type: the last one done, in the order of their names, and the rows up to it. */
  readonly types?: { readonly last: string; readonly rows: number };
}

/** What a run found out about the platform and the next one starts with. */
export interface Learned {
  /** Length of a window that fills most of the pages it may have. */
  readonly windowSeconds: number;
  /** Length of a window that the platform was too slow for. */
  readonly slowSeconds?: number;
  /** Where to go on in a second that takes more than a run. */
  readonly resume?: Resume;
}

/** Where a stream stands. */
export interface Mark {
  /** Nothing older is relayed. */
  readonly startSeconds: number;
  /** Age of a rung in seconds to the moment it has come to, in seconds since the Unix epoch. */
  readonly cursors: Readonly<Record<string, number>>;
  readonly learned?: Learned | undefined;
  /** Where things stand in a record, by the names of its fields. */
  readonly places?: Readonly<Record<string, string>> | undefined;
  /** What the stream reads: base URL and account. */
  readonly fingerprint: string;
  /** Goes up with every lease. */
  readonly epoch: number;
  /** Goes up with every step of a replay, which writes to the ledger without a lease. */
  readonly replays: number;
}

/** A change of the mark; what is left out stays as it is. */
export interface MarkUpdate {
  readonly cursors?: Readonly<Record<string, number>>;
  readonly learned?: Learned;
  readonly places?: Readonly<Record<string, string>>;
  readonly fingerprint?: string;
  /** Ends the lease, so that the next run need not wait for its end. */
  readonly release?: boolean;
  /** Prolongs the lease. */
  readonly leaseEndMs?: number;
  readonly lastSuccessMs?: number;
  /** In words; `null` clears it. */
  readonly lastError?: string | null;
}

/** High-water marks, each guarded by a lease. */
export interface Marks {
  /**
   * Takes the lease of a stream and reads its mark in one step; `start` and `fingerprint` are written only the first time.
   * Taking it again as the same `owner` succeeds: a write may be repeated after it succeeded.
   * @returns undefined where another owner holds the lease
   */
  acquire(request: {
    readonly owner: string;
    readonly nowMs: number;
    readonly endMs: number;
    readonly startSeconds: number;
    readonly fingerprint: string;
  }): Promise<Mark | undefined>;
  /** Writes `update` if the epoch is still `epoch`; false where it is not, and then nothing is written. */
  save(epoch: number, update: MarkUpdate): Promise<boolean>;
  /** Counts a step of a replay, so that whoever keeps the ledger in memory reads it anew. */
  countReplay(): Promise<void>;
}

/** Ids published of late that belong to one bucket of event time. */
export interface SeenItem {
  readonly bucket: string;
  /** Tells items of a bucket apart; never used twice. */
  readonly serial: string;
  /** 12-byte hashes in base64. */
  readonly hashes: readonly string[];
  readonly expiresAtSeconds: number;
}

/** Where the ledger is kept. */
export interface SeenStore {
  /** Reads all items of the buckets `fromBucket` to `toBucket`, both included, with nothing left out that was written before. */
  read(fromBucket: string, toBucket: string): Promise<readonly Pick<SeenItem, 'bucket' | 'hashes'>[]>;
  /** Writes items, whoever holds the lease: that something was published stays true. */
  write(items: readonly SeenItem[]): Promise<void>;
}

/** A record that EventBridge cannot carry, kept for an operator. */
export interface ParkedRecord {
  readonly id: string;
  readonly type: string;
  /** Why it was parked, in words. */
  readonly why: string;
  readonly sinceMs: number;
  /** The record as JSON. */
  readonly record: string;
  /** True where it only waits for the bus: it is published and released without an operator. */
  readonly held?: boolean;
}

/** Where parked records are kept. */
export interface ParkingLot {
  /** Keeps a record whole; parking it again changes nothing. */
  park(record: ParkedRecord): Promise<void>;
}

/** A parking lot that also keeps what only waits for the bus. */
export interface HoldingLot extends ParkingLot {
  /** Gives what is held, whole. */
  listHeld(): Promise<readonly ParkedRecord[]>;
  /** Forgets what was held. */
  release(id: string): Promise<void>;
}

/** A stretch of the trail that could not be read whole. */
export interface Gap {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Rows that were read and published. */
  readonly rows: number;
  /** Why the rest could not be read, in words. */
  readonly why: string;
}

/** Where gaps are kept. */
export interface GapStore {
  note(gap: Gap): Promise<void>;
}
