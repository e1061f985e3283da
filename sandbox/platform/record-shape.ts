import type { AuditRecord } from './activity.ts';
import type { Faults } from './faults.ts';
import type { TrailRow } from './trail.ts';

declare global {
  interface JSON {
    /** Gives a value that `stringify` writes as the text says: the way to a number beyond 2^53. */
    rawJSON(text: string): unknown;
  }
}

/** Gives the record of a row as clients are shown it under these faults, ready to be serialised. */
export function shapeRecord(row: TrailRow, faults: Faults): unknown {
  if (row.verbatim) return row.record;
  const { _id, eventType, createdAt, user, ...rest } = row.record as AuditRecord;
  return {
    ...shapeId(_id, faults),
    ...(faults.typeForm !== 'none' && {
      [faults.typeField]: faults.typeForm === 'object' ? { name: eventType } : eventType,
    }),
    ...(faults.timeFormat !== 'none' && { [faults.timeField]: writeTime(row.time, faults.timeFormat) }),
    ...(user && faults.actorForm !== 'none' && { [faults.actorField]: faults.actorForm === 'id' ? user._id : user }),
    ...rest,
  };
}

function shapeId(_id: string, { id }: Faults): Record<string, unknown> {
  if (id === 'none') return {};
  return id === 'snowflake' ? { id: JSON.rawJSON(toSnowflake(_id)) } : { [id]: _id };
}

/** Gives the decimal digits of the integer that stands for an object id: its seconds as ms, then its counter in 22 bits. */
export function toSnowflake(objectId: string): string {
  const ms = BigInt(Number.parseInt(objectId.slice(0, 8), 16)) * 1000n;
  const counter = BigInt(Number.parseInt(objectId.slice(-6), 16) % 2 ** 22);
  return ((ms << 22n) | counter).toString();
}

const OFFSET_MS = 2 * 3_600_000;

function writeTime(timeMs: number, format: Faults['timeFormat']): string | number {
  switch (format) {
    case 'epoch-ms':
      return timeMs;
    case 'epoch-seconds':
      return Math.floor(timeMs / 1000);
    case 'iso':
      return new Date(timeMs).toISOString().replace(/\.\d+/, '');
    case 'iso-offset':
      return new Date(timeMs + OFFSET_MS).toISOString().replace('Z', '+02:00');
    default:
      return new Date(timeMs).toISOString();
  }
}
