import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ServerEnv } from './disturb.ts';
import type { Faults } from './faults.ts';
import { send, writePage } from './list.ts';
import * as operations from './operations.ts';
import type { Organisation } from './organisation.ts';

/** Adds the lists of users, roles and tasks. */
export function addListRoutes(
  app: OpenAPIHono<ServerEnv>,
  { organisation, faults }: { organisation: Organisation; faults: Faults },
): void {
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
}
