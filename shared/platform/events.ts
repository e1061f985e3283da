import { AuthenticationError, ConfigurationError, DeadlineError, ProtocolError } from '../errors.ts';
import { isObject, rawNumber } from '../relay/json.ts';
import type { Trail, TrailPage } from '../relay/ports.ts';
import { isoSeconds } from '../relay/time.ts';
import { type Api, PUBLIC_ROOT } from './api.ts';

const EVENTS_PATH = `${PUBLIC_ROOT}/users/events`;
const TYPES_PATH = `${EVENTS_PATH}/types`;

/** Makes the audit trail of a platform. */
export function createTrail({ api }: { api: Api }): Trail {
  return {
    async readPage({ afterSeconds, beforeSeconds, eventType, limit, page }, deadlineMs) {
      const answer = await api.call({
        method: 'GET',
        path: EVENTS_PATH,
        query: {
          after: isoSeconds(afterSeconds),
          before: beforeSeconds === undefined ? undefined : isoSeconds(beforeSeconds),
          eventType,
          limit,
          page,
        },
        deadlineMs,
        passTimeouts: true,
      });
      const { serverTimeMs } = answer;
      return { ...readList(EVENTS_PATH, answer.json()), ...(serverTimeMs !== undefined && { serverTimeMs }) };
    },

    async listTypes(deadlineMs) {
      try {
        const answer = await api.call({ method: 'GET', path: TYPES_PATH, deadlineMs });
        return readTypes(answer.json());
      } catch (error) {
        // Delivery does not depend on this list, but what stops every request is not to be hidden.
        if (
          error instanceof DeadlineError ||
          error instanceof AuthenticationError ||
          error instanceof ConfigurationError
        ) {
          throw error;
        }
        return [];
      }
    },
  };
}

/**
 * Reads a paged list: the envelope `{total, results}` or a bare array.
 * @throws {ProtocolError} for anything else, which must never pass for an empty list
 */
export function readList(path: string, body: unknown): Pick<TrailPage, 'rows' | 'total'> {
  if (Array.isArray(body)) return { rows: body };
  if (isObject(body) && Array.isArray(body.results)) {
    const total = readTotal(body.total);
    return { rows: body.results, ...(total !== undefined && { total }) };
  }
  const found = isObject(body)
    ? `an object with ${Object.keys(body).slice(0, 5).join(', ') || 'nothing in it'}`
    : `${body === null ? 'null' : typeof body}`;
  throw new ProtocolError(`GET ${path} answered ${found} where {total, results} or an array was expected`);
}

function readTotal(value: unknown): number | undefined {
  const total = typeof value === 'string' && value.trim() !== '' ? Number(value) : (rawNumber(value) ?? value);
  return typeof total === 'number' && Number.isInteger(total) && total >= 0 ? total : undefined;
}

/** Finds identifiers in whatever lists them: texts, objects, a map, an envelope of these. */
export function readTypes(body: unknown): string[] {
  const rows = Array.isArray(body) ? body : isObject(body) ? readMap(body) : [];
  const names = rows.map((row) =>
    isObject(row) ? (row.eventType ?? row.type ?? row.id ?? row.key ?? row.name ?? row.value) : row,
  );
  return [...new Set(names.filter((name): name is string => typeof name === 'string' && name !== ''))];
}

function readMap(body: Readonly<Record<string, unknown>>): readonly unknown[] {
  for (const list of [body.results, body.types, body.eventTypes, body.data]) if (Array.isArray(list)) return list;
  return Object.keys(body);
}
