import { createRoute, type z } from '@hono/zod-openapi';
import { BODY_GUARDS } from './guards.ts';
import { BEARER, BODY_ERRORS, ERRORS, error, json, OUR_CHOICE } from './openapi.ts';
import { PATHS } from './paths.ts';
import * as schemas from './schemas.ts';

const list = <Path extends string, Query extends z.ZodObject, Row extends z.ZodType>(from: {
  path: Path;
  summary: string;
  tag: string;
  query: Query;
  row: Row;
}) =>
  createRoute({
    method: 'get',
    path: from.path,
    summary: from.summary,
    tags: [from.tag],
    security: BEARER,
    request: { query: from.query },
    responses: { 200: { description: 'One page', ...json(schemas.pageOf(from.row)) }, ...ERRORS },
  });

/** Gives an access token for an API key. */
export const token = createRoute({
  method: 'post',
  path: PATHS.token,
  summary: 'Obtain an access token',
  tags: ['Authentication'],
  middleware: BODY_GUARDS,
  request: { body: { required: true, ...json(schemas.tokenRequest) } },
  responses: {
    200: { description: 'A token', ...json(schemas.tokenResponse) },
    201: { description: 'A token', ...json(schemas.tokenResponse) },
    400: error('The request is not valid.'),
    401: error('The credentials are not valid.'),
    ...BODY_ERRORS,
  },
});

/** Lists the event type identifiers. */
export const types = createRoute({
  method: 'get',
  path: PATHS.types,
  summary: 'List the event type identifiers',
  description: `The structure of the answer is one of several. ${OUR_CHOICE}`,
  tags: ['Audit trail'],
  security: BEARER,
  responses: { 200: { description: 'The identifiers', ...json(schemas.eventTypes) }, ...ERRORS },
});

/** Reads the audit trail, page by page. */
export const events = list({
  path: PATHS.events,
  summary: 'Read the audit trail',
  tag: 'Audit trail',
  query: schemas.eventsQuery,
  row: schemas.auditEvent,
});

/** Lists the users of the organisation. */
export const users = list({
  path: PATHS.users,
  summary: 'List users',
  tag: 'Organisation',
  query: schemas.pageQuery,
  row: schemas.user,
});

/** Lists the roles that users may have. */
export const roles = list({
  path: PATHS.roles,
  summary: 'List user roles',
  tag: 'Organisation',
  query: schemas.pageQuery,
  row: schemas.role,
});

/** Lists open tasks, all or those of a kit. */
export const tasks = list({
  path: PATHS.tasks,
  summary: 'List open tasks',
  tag: 'Organisation',
  query: schemas.tasksQuery,
  row: schemas.task,
});
