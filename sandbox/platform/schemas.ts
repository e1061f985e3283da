import { z } from '@hono/zod-openapi';

/** One shape for every error. */
export const problem = z
  .object({
    statusCode: z.int().openapi({ example: 401 }),
    message: z.string().openapi({ example: 'The access token is missing, unknown or expired.' }),
    error: z.string().openapi({ example: 'Unauthorized' }),
  })
  .openapi('Problem');

/** Body of a token request. */
export const tokenRequest = z
  .object({
    grant_type: z.literal('client_credentials'),
    client_id: z.string().min(1).openapi({ description: '`<account_id>.<key_id>`, or the whole API key' }),
    client_secret: z.string().min(1).openapi({ description: '`<key_secret>`, or the whole API key' }),
  })
  .openapi('TokenRequest');

/** Body of a token that is given. */
export const tokenResponse = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().optional().openapi({ description: 'Lifetime in seconds' }),
    expires_at: z.iso.datetime().optional().openapi({ description: 'End of the lifetime' }),
  })
  .openapi('TokenResponse');

const wholeNumber = (least: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'Expected a whole number')
    .transform(Number)
    .pipe(z.int().min(least));

/** What every list takes. The maximum of `limit` is checked where it can be set. */
export const pageQuery = z.object({
  limit: wholeNumber(1)
    .default(100)
    .openapi({ type: 'integer', minimum: 1, maximum: 1000, default: 100, description: 'Most results to return' }),
  page: wholeNumber(0)
    .default(0)
    .openapi({ type: 'integer', minimum: 0, maximum: 999_999_999, default: 0, description: 'Which page, from 0' }),
});

const bound = z.iso.datetime({ offset: true });

/** What the events endpoint takes. */
export const eventsQuery = pageQuery.extend({
  eventType: z.string().optional().openapi({ description: 'Only events of this type, e.g. profile_updated' }),
  after: bound.optional().openapi({ description: 'Only events later than this' }),
  before: bound.optional().openapi({ description: 'Only events earlier than this' }),
  forUserId: z.string().optional().openapi({ description: 'Only events that involve the user with this `_id`' }),
});

/** What the tasks endpoint takes. */
export const tasksQuery = pageQuery.extend({ kitId: z.string().optional(), kitType: z.string().optional() });

/** Limit and page of a list request. */
export type PageQuery = z.infer<typeof pageQuery>;
/** Page and filters of an events request. */
export type EventsQuery = z.infer<typeof eventsQuery>;

const person = { _id: z.string(), email: z.string(), name: z.string() };

/** The person who did something. */
export const actor = z.object(person).openapi('Actor');
/** The person who did something, as events and metadata name one. */
export type Actor = z.infer<typeof actor>;

/** An audit event; further fields depend on its type. */
export const auditEvent = z
  .looseObject({
    _id: z.string(),
    eventType: z.string(),
    createdAt: z.iso.datetime(),
    user: actor.optional(),
  })
  .openapi('Event');

/** The event type identifiers, in every structure that the sandbox can give them. */
export const eventTypes = z.union([
  z.array(z.string()),
  z.array(z.object({ id: z.string(), name: z.string(), label: z.string() })),
  z.record(z.string(), z.string()),
  z.object({ total: z.int(), results: z.array(z.string()) }),
]);

/** A user of the organisation. */
export const user = z.object({ ...person, roles: z.array(z.string()) }).openapi('User');

/** A role that users may have. */
export const role = z.object({ _id: z.string(), name: z.string() }).openapi('Role');

/** An open task on a supplier connection. */
export const task = z
  .looseObject({
    _id: z.string(),
    type: z.string(),
    status: z.literal('open'),
    kitId: z.string(),
    kitType: z.string(),
  })
  .openapi('Task');

/** Wraps the schema of a row in the envelope of a page. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({ total: z.int().openapi({ description: 'Results across all pages' }), results: z.array(row) });
}
