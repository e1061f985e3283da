import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Activity, AuditRecord } from '../activity.ts';
import type { ServerEnv } from '../disturb.ts';
import { refuse } from '../problem.ts';
import type { Tokens } from '../token.ts';
import * as operations from './operations.ts';

/** What the routes of keys answer from. */
export interface KeysSource {
  tokens: Tokens;
  activity: Activity;
  clock: () => number;
  /** Writes what was done into the audit trail. */
  happened(record: AuditRecord): void;
}

/** Adds the list, the creation and the deletion of API keys. */
export function addKeysRoutes(app: OpenAPIHono<ServerEnv>, { tokens, activity, clock, happened }: KeysSource): void {
  app.openapi(operations.listKeys, (c) => c.json({ total: tokens.keys.length, results: tokens.keys }, 200));
  app.openapi(operations.createKey, (c) => {
    const { label } = c.req.valid('json');
    const created = tokens.createKey(label);
    happened(
      activity.record('api_key_created', { timeMs: clock(), given: { apiKey: { keyId: created.keyId, label } } }),
    );
    return c.json(created, 201);
  });
  app.openapi(operations.deleteKey, (c) => {
    const { keyId } = c.req.valid('param');
    const key = tokens.keys.find((each) => each.keyId === keyId);
    if (!key) throw refuse(404, 'There is no such key.');
    tokens.deleteKey(keyId);
    const apiKey = { keyId, label: key.label };
    happened(activity.record('api_key_deleted', { timeMs: clock(), given: { apiKey } }));
    return c.body(null, 204);
  });
}
