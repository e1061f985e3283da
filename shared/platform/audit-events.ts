import * as z from 'zod/mini';
import { isoSeconds } from '../relay/time.ts';
import { PUBLIC_ROOT } from './api.ts';
import { readTypes } from './events.ts';
import { type Caller, createList, type List } from './pages.ts';

const EVENTS_PATH = `${PUBLIC_ROOT}/users/events`;
const TYPES_PATH = `${EVENTS_PATH}/types`;

/** Which events to list; what is left out does not matter. */
export interface EventFilter {
  readonly eventType?: string | undefined;
  /** In seconds since the Unix epoch; whether an event of that very second is listed is up to the platform. */
  readonly afterSeconds?: number | undefined;
  readonly beforeSeconds?: number | undefined;
  readonly forUserId?: string | undefined;
}

/** Lists events of the audit trail; the fields of an event are not specified, a normaliser finds its way in them. */
export const listEvents = (caller: Caller, filter: EventFilter = {}): List<unknown> => {
  const { eventType, afterSeconds, beforeSeconds, forUserId } = filter;
  const query = { eventType, after: toIso(afterSeconds), before: toIso(beforeSeconds), forUserId };
  return createList(caller, { path: EVENTS_PATH, query, row: z.unknown() });
};

/** Lists the identifiers of event types; an empty list where the answer has none. */
export async function listEventTypes({ api, deadline }: Caller): Promise<readonly string[]> {
  const answer = await api.call({ method: 'GET', path: TYPES_PATH, deadlineMs: deadline() });
  return readTypes(answer.json());
}

const toIso = (seconds: number | undefined): string | undefined =>
  seconds === undefined ? undefined : isoSeconds(seconds);
