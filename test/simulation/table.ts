import type { GapStore, Mark, Marks, MarkUpdate, ParkingLot, SeenItem, SeenStore } from '../../shared/relay/ports.ts';
import type { Clockwork } from './clockwork.ts';
import type { Dice } from './dice.ts';
import type { Faults } from './faults.ts';
import type { Process } from './process.ts';
import type { Watch } from './watch.ts';

/** The relay's table, which every process reaches with ports of its own. */
export interface Table {
  portsFor(process: Process): { marks: Marks; seen: SeenStore; parkingLot: ParkingLot; gaps: GapStore };
  /** When the lease ends that was given last, in ms since the Unix epoch. */
  readonly leaseEndMs: number;
  readonly cursors: Readonly<Record<string, number>>;
}

interface StoredItem extends SeenItem {
  /** When the table's clean-up comes by. */
  readonly deletedAtMs: number;
}

/** Makes an empty table; the conditions are those of the DynamoDB marks. */
export function createTable(parts: { dice: Dice; faults: Faults; clockwork: Clockwork; watch: Watch }): Table {
  const { dice, faults, clockwork, watch } = parts;
  const items = new Map<string, StoredItem>();
  let lease = { owner: '', endMs: Number.NEGATIVE_INFINITY };
  let mark: Mark | undefined;

  async function write<T>(process: Process, effect: () => T): Promise<T> {
    if (faults.happens('table write repeated')) await process.send({ tookMs: drawTookMs(), effect });
    return process.send({
      tookMs: drawTookMs(),
      effect() {
        if (faults.happens('table write failed')) throw outage();
        return effect();
      },
      answer(done) {
        if (faults.happens('table answer lost')) throw outage();
        return done;
      },
    });
  }

  const drawTookMs = (): number => (faults.happens('table slow') ? dice.spread(500, 25_000) : dice.spread(2, 40));

  function acquire(process: Process, request: Parameters<Marks['acquire']>[0]): Mark | undefined {
    const { owner, nowMs, endMs, startSeconds, fingerprint } = request;
    if (!(lease.endMs < nowMs || lease.owner === owner)) return undefined;
    lease = { owner, endMs };
    const known = mark ?? { startSeconds, fingerprint, cursors: {}, epoch: 0, replays: 0 };
    mark = { ...known, epoch: known.epoch + 1 };
    watch.began(process, mark, endMs);
    return mark;
  }

  function save(process: Process, epoch: number, update: MarkUpdate): boolean {
    if (mark?.epoch !== epoch) return false;
    const { release, lastSuccessMs: _, lastError: __, ...kept } = update;
    watch.saved(process, mark.cursors, kept.cursors ?? mark.cursors);
    mark = { ...mark, ...kept };
    if (release) lease = { ...lease, endMs: 0 };
    return true;
  }

  function keep(process: Process, item: SeenItem): void {
    const deletedAtMs = item.expiresAtSeconds * 1000 + dice.spread(60_000, 2 * 86_400_000);
    items.set(`${item.bucket}#${item.serial}`, { ...item, deletedAtMs });
    watch.recorded(process, item);
  }

  return {
    get leaseEndMs() {
      return lease.endMs;
    },
    get cursors() {
      return mark?.cursors ?? {};
    },

    portsFor: (process) => ({
      marks: {
        acquire: (request) => write(process, () => acquire(process, request)),
        save: (epoch, update) => write(process, () => save(process, epoch, update)),
        countReplay: () =>
          write(process, () => {
            if (mark) mark = { ...mark, replays: mark.replays + 1 };
          }),
      },
      seen: {
        read: (from, to) =>
          process.send({
            tookMs: drawTookMs(),
            effect() {
              if (faults.happens('table read failed')) throw outage();
              const nowMs = clockwork.nowMs;
              return [...items.values()].filter(
                ({ bucket, deletedAtMs }) => from <= bucket && bucket <= to && nowMs < deletedAtMs,
              );
            },
          }),
        write: (written) =>
          write(process, () => {
            const half = faults.happens('table write cut in half') ? dice.int(0, written.length - 1) : undefined;
            for (const item of written.slice(0, half)) keep(process, item);
            if (half !== undefined) throw outage();
          }),
      },
      parkingLot: { park: (record) => write(process, () => watch.parked(process, record)) },
      gaps: { note: (gap) => write(process, () => watch.gapNoted(process, gap)) },
    }),
  };
}

function outage(): Error {
  return Object.assign(new Error('The table did not answer'), { name: 'TimeoutError' });
}
