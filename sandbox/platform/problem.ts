import { STATUS_CODES } from 'node:http';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AnyAnswer } from './openapi.ts';

/** The one shape that every error has. */
interface Problem {
  statusCode: number;
  message: string;
  error: string;
}

/** Makes the error that ends a request with this status and message; the server writes it in the one error shape. */
export function refuse(status: number, message: string): HTTPException {
  return new HTTPException(status as ContentfulStatusCode, { message });
}

/** Writes an error in the one shape that every error has. */
export function writeProblem(status: number, message: string): Problem {
  return { statusCode: status, message, error: STATUS_CODES[status] ?? 'Error' };
}

/** Answers with an error. */
export function answerProblem(c: Context, problem: { status: number; message: string }): AnyAnswer {
  const { status, message } = problem;
  // An answer with 401 has to say how to authenticate: RFC 9110, section 15.5.2.
  if (status === 401) c.header('WWW-Authenticate', 'Bearer');
  return c.json(writeProblem(status, message), status as ContentfulStatusCode) as Response as AnyAnswer;
}

/** Answers with the error that was thrown; what was not thrown for the client is not told to it. */
export function answerThrown(thrown: Error, c: Context): Response {
  return thrown instanceof HTTPException
    ? answerProblem(c, thrown)
    : answerProblem(c, { status: 500, message: 'Something went wrong.' });
}
