import { OpenAPIHono, type z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type DisturbSource, disturb, fail, type ServerEnv, stampDate } from './disturb.ts';
import { EVENT_TYPES } from './event-types.ts';
import { type EventsSource, findEvents } from './events.ts';
import type { Faults } from './faults.ts';
import { type ListBody, writePage } from './list.ts';
import * as operations from './operations.ts';
import type { Organisation } from './organisation.ts';
import { nameRoute, PATHS } from './paths.ts';
import { refuse, writeProblem } from './problem.ts';
import type { SeenRequest } from './requests.ts';
import type { eventTypes } from './schemas.ts';
import type { Tokens } from './token.ts';

/** What the routes answer from. */
export interface RoutesSource extends EventsSource, DisturbSource {
  organisation: Organisation;
  tokens: Tokens;
  count(seen: SeenRequest): void;
}

/** Creates the application that answers every request of the specification's audit part. */
export function createRoutes(source: RoutesSource): OpenAPIHono<ServerEnv> {
  const { organisation, faults, tokens, clock } = source;
  const app = new OpenAPIHono<ServerEnv>({
    defaultHook: (result) => {
      if (!result.success) throw refuse(400, result.error.issues.map(describeIssue).join('; '));
    },
  });

  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' });

  app.use(stampDate(source));
  app.use(async (c, next) => {
    const { method, path } = c.req;
    source.count({ route: nameRoute(path), method, path, query: c.req.query(), at: clock() });
    await next();
  });
  app.use(disturb(source));
  app.use('/api/public/*', async (c, next) => {
    const token = /^Bearer (.+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
    if (!token || !tokens.accepts(token)) throw refuse(401, 'The access token is missing, unknown or expired.');
    await next();
  });

  app.openapi(operations.token, (c) => c.json(tokens.issue(c.req.valid('json')), faults.tokenStatus));
  app.openapi(operations.types, (c) => c.json(writeTypes(faults), 200));
  app.openapi(operations.events, async (c) => {
    const query = c.req.valid('query');
    faults.beforeEvents?.(query);
    const events = findEvents(query, source);
    const answer = async () => send(c, writePage(events, { query, faults }));
    if (events.rows.length <= faults.heavyRows) return answer();
    return (await fail(faults.heavyFailure, { c, sleep: source.sleep })) ?? answer();
  });
  app.openapi(operations.users, (c) =>
    send(c, writePage({ rows: organisation.users }, { query: c.req.valid('query'), faults })),
  );
  app.openapi(operations.roles, (c) =>
    send(c, writePage({ rows: organisation.roles }, { query: c.req.valid('query'), faults })),
  );
  app.openapi(operations.tasks, (c) => {
    const query = c.req.valid('query');
    const rows = organisation.tasks.filter(
      ({ status, kitId, kitType }) =>
        status === 'open' && (query.kitId ?? kitId) === kitId && (query.kitType ?? kitType) === kitType,
    );
    return send(c, writePage({ rows }, { query, faults }));
  });

  for (const path of Object.values(PATHS)) {
    app.all(path, () => {
      throw refuse(405, 'This address does not know that method.');
    });
  }
  app.notFound((c) => c.json(writeProblem(404, 'There is nothing at this address.'), 404));
  app.onError((thrown, c) => {
    const status = thrown instanceof HTTPException ? thrown.status : 500;
    return c.json(writeProblem(status, thrown.message), status as ContentfulStatusCode);
  });
  return app;
}

function describeIssue({ path, message }: { path: PropertyKey[]; message: string }): string {
  return `${path.join('.')}: ${message}`;
}

function send(c: Context, { text, contentType }: ListBody): Response {
  return c.body(text, 200, { 'Content-Type': contentType });
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
