import { createRoute } from '@hono/zod-openapi';
import { BODY_GUARDS } from '../guards.ts';
import { BEARER, BODY_ERRORS, ERRORS, error, json } from '../openapi.ts';
import { PATHS } from '../paths.ts';
import * as schemas from './schemas.ts';

const PATH_IS_OURS = 'The path and the payload are our choice: the specification does not show them.';

/** Reads a supplier's public profile. */
export const readProfile = createRoute({
  method: 'get',
  path: PATHS.profile,
  summary: 'Read the answers of a profile',
  description: PATH_IS_OURS,
  tags: ['Answers'],
  security: BEARER,
  request: { params: schemas.profileParams, query: schemas.showQuery },
  responses: {
    200: { description: 'The profile', ...json(schemas.profile) },
    ...ERRORS,
    404: error('There is no profile with this publicId.'),
  },
});

/** Changes answers of a profile. */
export const updateProfile = createRoute({
  method: 'patch',
  path: PATHS.profile,
  summary: 'Update answers of a profile',
  description: `Changes the answers that are named, all or none of them. The prefix of the path and the payloads are our choice: the specification does not show them.`,
  tags: ['Answers'],
  security: BEARER,
  middleware: BODY_GUARDS,
  request: { params: schemas.profileParams, body: { required: true, ...json(schemas.profileUpdate) } },
  responses: {
    200: { description: 'The profile as it is now', ...json(schemas.profile) },
    ...ERRORS,
    ...BODY_ERRORS,
    409: error('A group has no instance with the `_id` that is named.'),
    404: error('There is no profile with this publicId.'),
  },
});

/** Reads a kit. */
export const readKit = createRoute({
  method: 'get',
  path: PATHS.kit,
  summary: 'Read the answers of a kit',
  description: PATH_IS_OURS,
  tags: ['Answers'],
  security: BEARER,
  request: { params: schemas.kitParams, query: schemas.showQuery },
  responses: {
    200: { description: 'The kit', ...json(schemas.kit) },
    ...ERRORS,
    404: error('There is no kit with this id.'),
  },
});
