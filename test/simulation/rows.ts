import type { Dice } from './dice.ts';
import { EVENT_TYPES, type Scenario } from './scenario.ts';

/** An event of the platform's trail, as the platform knows it. */
export interface Row {
  readonly serial: number;
  /** Rows that are the same to the letter share it; others have one of their own. */
  readonly group: number;
  readonly timeMs: number;
  /** Before, no page has it. */
  readonly shownAtMs: number;
  /** From then on, no page has it. */
  readonly deletedAtMs: number;
  readonly type: string;
  readonly record: unknown;
  /** What the bus has against it: the entry, or the whole request that it is part of. */
  readonly poison: 'entry' | 'request' | undefined;
}

/** Draws the rows of a trail, in the order of their times. */
export function drawRows(parts: {
  dice: Dice;
  scenario: Scenario;
  tickMs: readonly number[];
  marginMs: number;
}): Row[] {
  const { dice, scenario, tickMs, marginMs } = parts;
  const lastAgeMs = (scenario.agesSeconds.at(-1) ?? 0) * 1000;
  const firstMs = tickMs[0] ?? 0;
  const rows: Row[] = [];
  for (let serial = 0; serial < scenario.rows; serial++) {
    const last = rows.at(-1);
    const twin = last !== undefined && last.poison === undefined && dice.chance(scenario.twinShare);
    const timeMs = twin
      ? last.timeMs
      : last !== undefined && dice.chance(scenario.burstShare)
        ? Math.floor(last.timeMs / 1000) * 1000 + dice.int(0, 999)
        : dice.chance(scenario.pastShare)
          ? firstMs - Math.round(dice.next() * scenario.pastSeconds * 1000)
          : between(dice, tickMs);
    const late = dice.chance(scenario.lateShare);
    const latestMs = Math.max(1, lastAgeMs - marginMs);
    const delayMs = Math.round(late ? dice.spread(Math.min(1_000, latestMs), latestMs) : dice.next() * 1_000);
    const shownAtMs = timeMs + Math.min(delayMs, latestMs);
    const type = twin ? last.type : dice.pick(EVENT_TYPES);
    const poison = !twin && dice.chance(scenario.poisonShare) ? dice.pick(['entry', 'request'] as const) : undefined;
    const group = twin ? last.group : serial;
    rows.push({
      serial,
      group,
      timeMs,
      shownAtMs,
      // Where one of several identical rows goes, nobody can tell which.
      deletedAtMs:
        scenario.twinShare === 0 && dice.chance(scenario.deletedShare)
          ? shownAtMs + Math.round(dice.spread(1_000, lastAgeMs))
          : Number.POSITIVE_INFINITY,
      type,
      poison,
      record: twin ? last.record : toRecord({ group, timeMs, type, poison }, dice, scenario),
    });
  }
  return rows.sort((one, other) => one.timeMs - other.timeMs || one.serial - other.serial);
}

function between(dice: Dice, tickMs: readonly number[]): number {
  const tick = dice.int(0, tickMs.length - 2);
  const fromMs = tickMs[tick] as number;
  return fromMs + Math.floor(dice.next() * ((tickMs[tick + 1] as number) - fromMs));
}

function toRecord(
  row: Pick<Row, 'group' | 'timeMs' | 'type' | 'poison'>,
  dice: Dice,
  { platform, oddShare }: Scenario,
): unknown {
  if (dice.chance(oddShare)) return `odd row #${row.group}`;
  const seconds = Math.floor(row.timeMs / 1000);
  const hex = seconds.toString(16).padStart(8, '0') + row.group.toString(16).padStart(16, '0');
  const ids = { _id: hex, id: row.group + 1, eventId: `event-${row.group}`, $oid: { $oid: hex }, none: undefined };
  const iso = new Date(row.timeMs).toISOString();
  const times = {
    iso,
    'iso seconds': iso.replace(/\.\d+/, ''),
    offset: new Date(row.timeMs + 7_200_000).toISOString().replace('Z', '+02:00'),
    'epoch seconds': seconds,
    'epoch ms': row.timeMs,
    none: undefined,
  };
  const id = ids[platform.id];
  const time = times[platform.time];
  return {
    ...(id !== undefined && { [platform.id === '$oid' ? '_id' : platform.id]: id }),
    ...(time !== undefined && { createdAt: time }),
    type: row.type,
    user: 'ada@example.com',
    row: row.group,
    ...(row.poison && { poison: row.poison }),
  };
}

/** Finds the group in a record that came back. */
export function groupIn(record: unknown): number | undefined {
  if (typeof record === 'string') return Number(record.split('#')[1]);
  const group = (record as { row?: unknown } | undefined)?.row;
  return typeof group === 'number' ? group : undefined;
}
