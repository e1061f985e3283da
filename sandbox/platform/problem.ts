import { STATUS_CODES } from 'node:http';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** Makes the error that ends a request with this status and message; the server writes it in the one error shape. */
export function refuse(status: number, message: string): HTTPException {
  return new HTTPException(status as ContentfulStatusCode, { message });
}

/** Writes an error in the one shape that every error has. */
export function writeProblem(status: number, message: string): { statusCode: number; message: string; error: string } {
  return { statusCode: status, message, error: STATUS_CODES[status] ?? 'Error' };
}
