import { createRoute } from '@hono/zod-openapi';
import { BODY_GUARDS } from '../guards.ts';
import { BEARER, BODY_ERRORS, ERRORS, error, json, OUR_CHOICE } from '../openapi.ts';
import { PATHS } from '../paths.ts';
import { pageOf } from '../schemas.ts';
import * as schemas from './schemas.ts';

const UNKNOWN_INTERFACE = error('There is no interface of this name.');
const POST_ERRORS = { ...ERRORS, ...BODY_ERRORS };

/** Lists connections: those that an interface has yet to acknowledge, or all. */
export const connections = createRoute({
  method: 'get',
  path: PATHS.connections,
  summary: 'List current connections',
  description: `A changed connection stays listed for an interface until that interface acknowledges it. ${OUR_CHOICE}`,
  tags: ['Adapter'],
  security: BEARER,
  request: { query: schemas.connectionsQuery },
  responses: {
    200: { description: 'One page', ...json(pageOf(schemas.connection)) },
    ...ERRORS,
    404: UNKNOWN_INTERFACE,
  },
});

const acknowledging = {
  method: 'post',
  summary: 'Acknowledge a changed connection',
  security: BEARER,
  middleware: BODY_GUARDS,
  request: { body: { required: true, ...json(schemas.acknowledgement) } },
  responses: {
    200: { description: 'Taken', ...json(schemas.acknowledged) },
    201: { description: 'Taken', ...json(schemas.acknowledged) },
    ...POST_ERRORS,
    404: error('There is no such interface, or no such connection.'),
  },
} as const;

/** Takes a connection off the list of an interface. */
export const acknowledgement = createRoute({ ...acknowledging, tags: ['Adapter'], path: PATHS.acknowledgement });

/** The same at the address that is seen in use; it exists where the sandbox is set to it. */
export const acknowledge = createRoute({ ...acknowledging, path: PATHS.acknowledge, hide: true });

/** Takes what an adapter logs. */
export const passthrough = createRoute({
  method: 'post',
  path: PATHS.passthrough,
  summary: 'Send adapter logs',
  description: `The path prefix and the payloads are our choice: the specification does not show them.`,
  tags: ['Adapter'],
  security: BEARER,
  middleware: BODY_GUARDS,
  request: { params: schemas.interfaceParams, body: { required: true, ...json(schemas.logEntries) } },
  responses: {
    200: { description: 'Kept', ...json(schemas.accepted) },
    201: { description: 'Kept', ...json(schemas.accepted) },
    ...POST_ERRORS,
    404: UNKNOWN_INTERFACE,
  },
});

/** Holds the request until there is an integration request to hand out. */
export const longPoll = createRoute({
  method: 'post',
  path: PATHS.longPoll,
  summary: 'Wait for integration requests',
  description:
    'Answers at once when a message waits, else when one comes or the hold time is over. Each message is handed out once. ' +
    'The path prefix and the payloads are our choice: the specification does not show them.',
  tags: ['Adapter'],
  security: BEARER,
  request: { params: schemas.interfaceParams },
  responses: {
    200: { description: 'An integration request', ...json(schemas.integrationRequest) },
    201: { description: 'An integration request', ...json(schemas.integrationRequest) },
    204: { description: 'None came' },
    ...ERRORS,
    404: UNKNOWN_INTERFACE,
  },
});
