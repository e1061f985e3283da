import { createRoute, type z } from '@hono/zod-openapi';
import { PATHS } from './paths.ts';
import * as schemas from './schemas.ts';

const json = <Schema extends z.ZodType>(schema: Schema) => ({ content: { 'application/json': { schema } } });
const error = (description: string) => ({ description, ...json(schemas.problem) });
const ERRORS = {
  400: error('A parameter is not valid.'),
  401: error('The access token is missing, unknown or expired.'),
  504: { description: 'The question is too much to be answered in time.' },
};

const list = <Path extends string, Query extends z.ZodObject, Row extends z.ZodType>(from: {
  path: Path;
  summary: string;
  query: Query;
  row: Row;
}) =>
  createRoute({
    method: 'get',
    path: from.path,
    summary: from.summary,
    security: [{ bearer: [] }],
    request: { query: from.query },
    responses: { 200: { description: 'One page', ...json(schemas.pageOf(from.row)) }, ...ERRORS },
  });

/** Gives an access token for an API key. */
export const token = createRoute({
  method: 'post',
  path: PATHS.token,
  summary: 'Obtain an access token',
  request: { body: { required: true, ...json(schemas.tokenRequest) } },
  responses: {
    200: { description: 'A token', ...json(schemas.tokenResponse) },
    201: { description: 'A token', ...json(schemas.tokenResponse) },
    400: error('The request is not valid.'),
    401: error('The credentials are not valid.'),
  },
});

/** Lists the event type identifiers. */
export const types = createRoute({
  method: 'get',
  path: PATHS.types,
  summary: 'List the event type identifiers',
  security: [{ bearer: [] }],
  responses: { 200: { description: 'The identifiers', ...json(schemas.eventTypes) }, ...ERRORS },
});

/** Reads the audit trail, page by page. */
export const events = list({
  path: PATHS.events,
  summary: 'Read the audit trail',
  query: schemas.eventsQuery,
  row: schemas.auditEvent,
});

/** Lists the users of the organisation. */
export const users = list({ path: PATHS.users, summary: 'List users', query: schemas.pageQuery, row: schemas.user });

/** Lists the roles that users may have. */
export const roles = list({
  path: PATHS.roles,
  summary: 'List user roles',
  query: schemas.pageQuery,
  row: schemas.role,
});

/** Lists open tasks, all or those of a kit. */
export const tasks = list({
  path: PATHS.tasks,
  summary: 'List open tasks',
  query: schemas.tasksQuery,
  row: schemas.task,
});
