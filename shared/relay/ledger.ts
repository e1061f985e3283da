import { hash } from 'node:crypto';
import type { Clock, SeenItem, SeenStore } from './ports.ts';

/** What the ledger needs to know of an event. */
export interface LedgerKey {
  readonly id: string;
  readonly timeMs: number | undefined;
}

/** The ids published of late, by event time; it makes re-reading free of repeats. */
export interface Ledger {
  /** Begins a run; what is in memory stays only where nobody else can have written since the last one. */
  open(run: { epoch: number; replays: number; writer: string }): void;
  /** Gives those of the ids that were published before. */
  known(keys: readonly LedgerKey[]): Promise<ReadonlySet<string>>;
  /** Counts the ids of the buckets that lie whole between two moments, both in seconds since the Unix epoch. */
  countWithin(fromSeconds: number, toSeconds: number): Promise<number>;
  /** Notes ids as published, in memory at once and in the store before it resolves. */
  record(keys: readonly LedgerKey[]): Promise<void>;
  /** Ids held in memory. */
  readonly size: number;
}

const BUCKET_MS = 300_000;
/** Ids without a time lie in a few buckets of their own. */
const TIMELESS_BUCKETS = 16;
/** Buckets to ask for in one query though nothing in between is needed: a day. */
const WIDEST_HOLE = 288;
/** 1000 ids of 12 bytes stay far below the 400 KB of an item, and a write costs 12 units. */
const MOST_IDS_AN_ITEM = 1000;
/** Counted from the writing: an old event relayed today is protected for as long as a new one. */
const KEPT_SECONDS = 30 * 86_400;
/** Ids kept in memory between runs, about 25 MB. */
const MOST_IN_MEMORY = 200_000;

/** Makes a ledger that keeps what it read and wrote in memory. */
export function createLedger({ store, clock }: { store: SeenStore; clock: Clock }): Ledger {
  const buckets = new Map<string, Set<string>>();
  /** Published, but the store has not confirmed it yet. */
  const unwritten = new Map<string, string[]>();
  let size = 0;
  let last = { epoch: Number.NaN, replays: Number.NaN };
  let writer = '';
  let sequence = 0;

  function keep(bucket: string, hashes: readonly string[]): void {
    const known = buckets.get(bucket) ?? new Set();
    buckets.set(bucket, known);
    const before = known.size;
    for (const item of hashes) known.add(item);
    size += known.size - before;
  }

  function makeRoom(needed: ReadonlySet<string>): void {
    for (const [bucket, known] of buckets) {
      if (size <= MOST_IN_MEMORY) return;
      if (needed.has(bucket) || unwritten.has(bucket)) continue;
      buckets.delete(bucket);
      size -= known.size;
    }
  }

  async function load(needed: ReadonlySet<string>): Promise<void> {
    const missing = [...needed].filter((bucket) => !buckets.has(bucket));
    if (missing.length === 0) return;
    makeRoom(needed);
    for (const { from, to, all } of ranges(missing)) {
      const items = await store.read(from, to);
      for (const bucket of all) keep(bucket, unwritten.get(bucket) ?? []);
      for (const { bucket, hashes } of items) if (needed.has(bucket)) keep(bucket, hashes);
    }
  }

  return {
    get size() {
      return size;
    },

    open(run) {
      if (run.epoch !== last.epoch + 1 || run.replays !== last.replays) {
        buckets.clear();
        size = 0;
      }
      last = run;
      writer = run.writer;
      sequence = 0;
    },

    async known(keys) {
      await load(new Set(keys.map(bucketOf)));
      const known = keys.filter((key) => buckets.get(bucketOf(key))?.has(hashOf(key.id)));
      return new Set(known.map(({ id }) => id));
    },

    async countWithin(fromSeconds, toSeconds) {
      const within = new Set<string>();
      const first = Math.ceil((fromSeconds * 1000) / BUCKET_MS);
      for (let number = first; (number + 1) * BUCKET_MS <= (toSeconds + 1) * 1000; number++)
        within.add(nameBucket(number));
      await load(within);
      let count = 0;
      for (const bucket of within) count += buckets.get(bucket)?.size ?? 0;
      return count;
    },

    async record(keys) {
      for (const key of keys) {
        const bucket = bucketOf(key);
        const hashed = hashOf(key.id);
        // Only a bucket that was read whole may be added to: one that is here is taken to be complete.
        if (buckets.has(bucket)) keep(bucket, [hashed]);
        const waiting = unwritten.get(bucket);
        if (waiting) waiting.push(hashed);
        else unwritten.set(bucket, [hashed]);
      }
      if (unwritten.size === 0) return;
      const expiresAtSeconds = Math.floor(clock() / 1000) + KEPT_SECONDS;
      const items: SeenItem[] = [];
      for (const [bucket, hashes] of unwritten) {
        for (let at = 0; at < hashes.length; at += MOST_IDS_AN_ITEM) {
          const serial = `${writer}.${sequence++}`;
          items.push({ bucket, serial, hashes: hashes.slice(at, at + MOST_IDS_AN_ITEM), expiresAtSeconds });
        }
      }
      // Should this fail, the ids stay listed and the next call writes them.
      await store.write(items);
      unwritten.clear();
    },
  };
}

/** Names the bucket so that names sort like times: `2026-11-21T07:45`. */
function bucketOf({ id, timeMs }: LedgerKey): string {
  if (timeMs === undefined) return `timeless-${(hash('sha256', id, 'buffer')[0] ?? 0) % TIMELESS_BUCKETS}`;
  return nameBucket(Math.floor(timeMs / BUCKET_MS));
}

/** The buckets of a page are few, and asked for again and again. */
const bucketNames = new Map<number, string>();

function nameBucket(number: number): string {
  const known = bucketNames.get(number);
  if (known !== undefined) return known;
  if (bucketNames.size >= 10_000) bucketNames.clear();
  const name = new Date(number * BUCKET_MS).toISOString().slice(0, 16);
  bucketNames.set(number, name);
  return name;
}

/** 12 bytes of SHA-256 in base64. */
const hashOf = (id: string): string => hash('sha256', id, 'base64').slice(0, 16);

/** Folds buckets that lie near each other into ranges, so that a page costs one query and not one a bucket. */
function ranges(missing: readonly string[]): { from: string; to: string; all: readonly string[] }[] {
  const folded: { from: string; to: string; all: string[] }[] = [];
  for (const bucket of [...missing].sort()) {
    const current = folded.at(-1);
    if (current && near(current.to, bucket)) {
      current.to = bucket;
      current.all.push(bucket);
    } else {
      folded.push({ from: bucket, to: bucket, all: [bucket] });
    }
  }
  return folded;
}

/** Timeless buckets have no date and so are never near. */
const near = (one: string, other: string): boolean =>
  Date.parse(`${other}Z`) - Date.parse(`${one}Z`) <= WIDEST_HOLE * BUCKET_MS;
