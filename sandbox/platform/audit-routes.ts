import type { OpenAPIHono, z } from '@hono/zod-openapi';
import { type DisturbSource, fail, type ServerEnv } from './disturb.ts';
import { EVENT_TYPES } from './event-types.ts';
import { type EventsSource, findEvents } from './events.ts';
import type { Faults } from './faults.ts';
import { send, writePage } from './list.ts';
import * as operations from './operations.ts';
import { refuse } from './problem.ts';
import type { eventTypes } from './schemas.ts';

/** What the routes of the audit trail answer from. */
export type AuditSource = EventsSource & DisturbSource;

/** Adds the audit trail and its event types. */
export function addAuditRoutes(app: OpenAPIHono<ServerEnv>, source: AuditSource): void {
  const { faults, sleep } = source;
  app.openapi(operations.types, (c) => c.json(writeTypes(faults), 200));
  app.openapi(operations.events, async (c) => {
    const query = c.req.valid('query');
    faults.beforeEvents?.(query);
    const events = findEvents(query, source);
    const answer = async () => send(c, writePage(events, { query, faults }));
    if (events.rows.length <= faults.heavyRows) return answer();
    return (await fail(faults.heavyFailure, { c, sleep })) ?? answer();
  });
}

/** Writes the list of types in one of the structures that the specification leaves open. */
function writeTypes({ types }: Faults): z.infer<typeof eventTypes> {
  const names = EVENT_TYPES.map(({ name }) => name);
  const label = (name: string) => name.replaceAll('_', ' ');
  switch (types) {
    case 'missing':
      throw refuse(404, 'There is nothing at this address.');
    case 'objects':
      return names.map((name) => ({ id: name, name, label: label(name) }));
    case 'map':
      return Object.fromEntries(names.map((name) => [name, label(name)]));
    case 'paged':
      return { total: names.length, results: names };
    default:
      return names;
  }
}
