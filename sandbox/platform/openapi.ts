import type { z } from '@hono/zod-openapi';
import type { TypedResponse } from 'hono';
import * as schemas from './schemas.ts';

/** Describes a body of JSON. */
export const json = <Schema extends z.ZodType>(schema: Schema) => ({ content: { 'application/json': { schema } } });

/** Describes an answer in the one error shape. */
export const error = (description: string) => ({ description, ...json(schemas.problem) });

/** The security of every route of the public API. */
export const BEARER = [{ bearer: [] }];

/** What every route of the public API may answer. */
export const ERRORS = {
  400: error('A parameter is not valid.'),
  401: error('The access token is missing, unknown or expired.'),
};

/** What every route with a body may answer besides. */
export const BODY_ERRORS = {
  413: error('The body is too large.'),
  415: error('The body is not announced as JSON.'),
};

/** Marks what the specification does not show. */
export const OUR_CHOICE = 'Our choice: the specification does not show it.';

/** An answer that passes for what any route promises: faults make it something else on purpose. */
export type AnyAnswer = Response & TypedResponse<never, 200, 'json'>;
