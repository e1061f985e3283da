import { createRoute } from '@hono/zod-openapi';
import { BODY_GUARDS } from '../guards.ts';
import { BODY_ERRORS, error, json } from '../openapi.ts';
import { PATHS } from '../paths.ts';
import * as schemas from './schemas.ts';

const PAGE_OF_THE_SANDBOX = {
  description:
    'Stands for the page on which an administrator manages the keys; it needs no token. It is no part of the public API.',
  tags: ['Sandbox'],
};

/** Lists the keys. */
export const listKeys = createRoute({
  method: 'get',
  path: PATHS.keys,
  summary: 'List the API keys, without their secrets',
  ...PAGE_OF_THE_SANDBOX,
  responses: { 200: { description: 'All keys', ...json(schemas.keys) } },
});

/** Makes a further key. */
export const createKey = createRoute({
  method: 'post',
  path: PATHS.keys,
  summary: 'Create an API key',
  ...PAGE_OF_THE_SANDBOX,
  middleware: BODY_GUARDS,
  request: { body: { required: true, ...json(schemas.newKey) } },
  responses: {
    201: { description: 'The key, which is shown only now', ...json(schemas.createdKey) },
    400: error('The body is not valid.'),
    ...BODY_ERRORS,
  },
});

/** Ends a key. */
export const deleteKey = createRoute({
  method: 'delete',
  path: PATHS.key,
  summary: 'Delete an API key and end its tokens',
  ...PAGE_OF_THE_SANDBOX,
  request: { params: schemas.keyParams },
  responses: { 204: { description: 'Deleted' }, 404: error('There is no such key.') },
});
