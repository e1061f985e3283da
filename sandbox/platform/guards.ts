import type { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ServerEnv } from './disturb.ts';
import { answerProblem, refuse } from './problem.ts';
import type { Tokens } from './token.ts';

const MOST_BODY_BYTES = 10 * 1024 * 1024;

/** Creates the middleware that lets only requests with a good token pass. */
export function authorise(tokens: Tokens): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const token = /^Bearer +(\S+) *$/i.exec(c.req.header('Authorization') ?? '')?.[1];
    if (!token || !tokens.accepts(token)) throw refuse(401, 'The access token is missing, unknown or expired.');
    await next();
  };
}

const requireJson: MiddlewareHandler<ServerEnv> = async (c, next) => {
  const type = c.req.header('Content-Type') ?? '';
  if (!/^application\/([\w.-]+\+)?json *(;|$)/i.test(type)) throw refuse(415, 'The body has to be application/json.');
  await next();
};
const limitBody: MiddlewareHandler<ServerEnv> = bodyLimit({
  maxSize: MOST_BODY_BYTES,
  onError: (c) => {
    // What is not read of the body would stand in the way of the next request.
    c.header('Connection', 'close');
    return answerProblem(c, { status: 413, message: 'The body is too large.' });
  },
});

/** The middleware of every operation with a body: announced as JSON, up to 10 MiB. */
export const BODY_GUARDS = [requireJson, limitBody];

/** Answers other methods at the addresses of all routes that were added with 405 and the methods they know. */
export function refuseOtherMethods(app: OpenAPIHono<ServerEnv>): void {
  const methods = new Map<string, string[]>();
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== 'route') continue;
    const { method, path } = definition.route;
    methods.set(path, [...(methods.get(path) ?? []), ...(method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])]);
  }
  for (const [path, known] of methods) {
    app.all(toPattern(path), (c) => {
      c.header('Allow', known.join(', '));
      return answerProblem(c, { status: 405, message: 'This address does not know that method.' });
    });
  }
}

const toPattern = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1');
