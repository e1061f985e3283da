import { hash } from 'node:crypto';
import type { RelayEvent } from '../../shared/relay/event.ts';
import type { BusEntry } from '../../shared/relay/ports.ts';
import type { Process } from './process.ts';
import { groupIn, type Row } from './rows.ts';
import { isWanted, type Watch, type WatchContext } from './watch.ts';

/** Source of what the relay says of itself. */
const RELAY_SOURCE = 'supplier-platform.relay';
/** No batch may start this close to the end of a lease. */
const LEASE_TAIL_MS = 10_000;
/** For so long the ledger keeps an id, counted from the writing. */
const KEPT_MS = 30 * 86_400_000;

/** Rows that are the same to the letter, and the ids under which they were published. */
interface Group {
  readonly rows: readonly Row[];
  readonly ids: Set<string>;
}

/** Checks what arrives on the bus: each row once, under an id of its own. */
export function createDeliveryWatch(
  context: WatchContext,
): Pick<Watch, 'putAsked' | 'accepted' | 'putHeard' | 'parked' | 'recorded' | 'replayed' | 'finish'> {
  const { rows, scenario, clockwork, faults, report, trace, runOf, missing } = context;
  const groups = new Map<number, Group>();
  for (const [group, members] of Map.groupBy(rows, ({ group }) => group)) {
    const inOrder = [...members].sort((one, other) => one.shownAtMs - other.shownAtMs);
    groups.set(group, { rows: inOrder, ids: new Set() });
  }
  const twins = rows.length - groups.size;
  const groupOf = new Map<string, number>();
  const accepted = new Set<string>();
  /** When the ledger came to hold an id for sure, and until when it has to. */
  const recorded = new Map<string, { fromMs: number; untilMs: number }>();
  /** Until when a process has to know that it heard of an id. */
  const heardBy = new Map<Process, Map<string, number>>();
  const inFlight = new Map<Process, Set<string>>();

  /** Finds the row behind an id and takes it off the list. */
  function settle(id: string, number: number | undefined): void {
    const group = number === undefined ? undefined : groups.get(number);
    if (number === undefined || group === undefined) {
      report('ids are stable', `${id} belongs to no row`);
      return;
    }
    const known = groupOf.get(id) ?? number;
    groupOf.set(id, number);
    if (known !== number) report('ids are stable', `rows ${known} and ${number} share the id ${id}`);
    if (group.ids.has(id)) return;
    group.ids.add(id);
    const row = group.rows[group.ids.size - 1];
    if (row === undefined) {
      report('ids are stable', `row ${number} goes by the ids ${[...group.ids].join(', ')}`);
      return;
    }
    missing.delete(row);
    if (!isWanted(row, scenario)) report('filter is kept', `row ${number} is a ${row.type}`);
  }

  function checkRepeat(process: Process, id: string): void {
    const run = runOf(process);
    if (!accepted.has(id) || run.replay) return;
    const entry = recorded.get(hashOf(id));
    if (clockwork.nowMs < (heardBy.get(process)?.get(id) ?? 0)) {
      report('no repeat without cause', `${process.name} puts ${id} again though it heard that it was accepted`);
    } else if (entry !== undefined && entry.fromMs <= run.begunMs && clockwork.nowMs < entry.untilMs) {
      report('no repeat without cause', `${process.name} puts ${id} again though it was in the ledger when it began`);
    } else {
      faults.count('repeat with a cause');
    }
  }

  /** From now on an id in the ledger must not be put again by whoever begins. */
  function rely(hashed: string): void {
    const { nowMs } = clockwork;
    const known = recorded.get(hashed);
    recorded.set(hashed, {
      fromMs: known && nowMs < known.untilMs ? known.fromMs : nowMs,
      untilMs: nowMs + KEPT_MS,
    });
  }

  return {
    putAsked(process, entries) {
      const run = runOf(process);
      trace?.(`${process.name} puts ${entries.map((entry) => readDetail(entry).id.slice(-8)).join(' ')}`);
      if (process.clock() >= run.leaseEndMs - LEASE_TAIL_MS) {
        report('lease is kept', `${process.name} puts a batch ${process.clock() - run.leaseEndMs} ms before its end`);
      }
      if (entries.length === 0 || entries.length > 10) throw new Error(`A batch of ${entries.length} entries`);
      const flying = inFlight.get(process) ?? new Set();
      inFlight.set(process, flying);
      for (const entry of entries) {
        const { id } = readDetail(entry);
        if (flying.has(id)) report('no repeat without cause', `${id} is put while it is under way`);
        flying.add(id);
        if (entry.source === RELAY_SOURCE) continue;
        checkRepeat(process, id);
        run.atRisk.add(hashOf(id));
      }
      // One page under way, and what no answer came for when the head's share of the run was used up.
      if (run.atRisk.size > 2 * (run.mostRows + twins)) {
        report('one page at risk', `${run.atRisk.size} ids are put before the ledger has them`);
      }
    },

    accepted(process, entry) {
      if (entry.source === RELAY_SOURCE) return;
      const { id, time, data, replayed } = readDetail(entry);
      accepted.add(id);
      const { startSeconds, replay } = runOf(process);
      if (replayed !== replay) report('replays are flagged', `${id} is put with replayed: ${replayed}`);
      // An event that came without its record was parked before.
      settle(id, groupIn(data.record) ?? groupOf.get(id));
      if (time !== undefined && Date.parse(time) < startSeconds * 1000) {
        report('start is kept', `${id} is of ${time}`);
      }
    },

    putHeard(process, results) {
      const heard = heardBy.get(process) ?? new Map<string, number>();
      heardBy.set(process, heard);
      for (const { entry, accepted } of results) {
        const { id } = readDetail(entry);
        inFlight.get(process)?.delete(id);
        // A replay that fails forgets what it heard, and polls take no notice of it.
        if (accepted && keepsFor30Days(process) && !runOf(process).replay) heard.set(id, clockwork.nowMs + KEPT_MS);
      }
    },

    parked(_process, { id, record }) {
      faults.count('parked');
      settle(id, groupIn(JSON.parse(record)));
    },

    recorded(process, { hashes }) {
      const { epoch, atRisk, replay, written } = runOf(process);
      trace?.(`${process.name} records ${hashes.length}`);
      for (const hashed of hashes) atRisk.delete(hashed);
      if (replay) {
        if (keepsFor30Days(process)) written.push(...hashes);
        return;
      }
      // A write that comes after a takeover is not one to rely on.
      const sure = epoch === context.epoch() && keepsFor30Days(process);
      if (sure) hashes.forEach(rely);
      else faults.count('ledger written late');
    },

    replayed: (process) => runOf(process).written.forEach(rely),

    finish() {
      const counts = faults.counts;
      if (!counts.has('ledger written late') && !counts.has('repeat with a cause')) {
        const unrecorded = [...accepted].filter((id) => !recorded.has(hashOf(id)));
        if (unrecorded.length > 0 && Object.values(scenario.rates).every((rate) => rate === 0)) {
          report('ledger is complete', `${unrecorded.length} ids are on the bus and not in it`);
        }
      }
    },
  };
}

/** What a process that lives years ago writes has expired when it is written. */
const keepsFor30Days = ({ skewMs }: Process): boolean => skewMs > -KEPT_MS / 2;

/** What the ledger keeps of an id. */
const hashOf = (id: string): string => hash('sha256', id, 'base64').slice(0, 16);

const details = new WeakMap<BusEntry, RelayEvent>();

/** Parses the detail of an entry, once. */
export function readDetail(entry: BusEntry): RelayEvent {
  const known = details.get(entry);
  if (known) return known;
  const detail = JSON.parse(entry.detail) as RelayEvent;
  details.set(entry, detail);
  return detail;
}
