import { OpenAPIHono } from '@hono/zod-openapi';
import { except } from 'hono/combine';
import { type AdapterSource, addAdapterRoutes } from './adapter/routes.ts';
import { type AnswersSource, addAnswersRoutes } from './answers/routes.ts';
import { type AuditSource, addAuditRoutes } from './audit-routes.ts';
import { disturb, type ServerEnv, stampDate } from './disturb.ts';
import { addDocumentation, DOCUMENTATION } from './documentation/routes.ts';
import { authorise, refuseOtherMethods } from './guards.ts';
import { addKeysRoutes, type KeysSource } from './keys/routes.ts';
import { addListRoutes } from './list-routes.ts';
import * as operations from './operations.ts';
import { nameRoute } from './paths.ts';
import { answerProblem, answerThrown, refuse } from './problem.ts';
import type { SeenRequest } from './requests.ts';

/** What the routes answer from. */
export interface RoutesSource extends AuditSource, AdapterSource, AnswersSource, KeysSource {
  count(seen: SeenRequest): void;
}

/** Creates the application that answers every request of the specification. */
export function createRoutes(source: RoutesSource): OpenAPIHono<ServerEnv> {
  const { faults, tokens, clock } = source;
  const app = new OpenAPIHono<ServerEnv>({
    defaultHook: (result) => {
      if (!result.success) throw refuse(400, result.error.issues.map(describeIssue).join('; '));
    },
  });

  app.use(stampDate(source));
  app.use(async (c, next) => {
    const { method, path } = c.req;
    source.count({ route: nameRoute(path), method, path, query: c.req.query(), at: clock() });
    await next();
  });
  app.use(disturb(source));
  app.use('/api/public/*', except(`${DOCUMENTATION}*`, authorise(tokens)));

  app.openapi(operations.token, (c) => c.json(tokens.issue(c.req.valid('json')), faults.tokenStatus));
  addAuditRoutes(app, source);
  addListRoutes(app, source);
  addAnswersRoutes(app, source);
  addAdapterRoutes(app, source);
  addKeysRoutes(app, source);

  addDocumentation(app);
  refuseOtherMethods(app);
  app.notFound((c) => answerProblem(c, { status: 404, message: 'There is nothing at this address.' }));
  app.onError(answerThrown);
  return app;
}

function describeIssue({ path, message }: { path: PropertyKey[]; message: string }): string {
  return path.length > 0 ? `${path.join('.')}: ${message}` : message;
}
