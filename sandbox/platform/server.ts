import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ServerEnv } from './disturb.ts';
import { writeProblem } from './problem.ts';

/** A private key with its certificate, both PEM. */
export interface Identity {
  key: string;
  cert: string;
}

/** Starts to answer on 127.0.0.1 with an application; `before` is called at each request. */
export async function startServer(
  app: OpenAPIHono<ServerEnv>,
  options: { port: number; identity: Identity | undefined; before: () => void },
): Promise<Server> {
  const { port, identity, before } = options;
  const answer = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: answerUnreadable,
    // Node reads what is left of a body by itself. Left to the listener, slow senders lose their connection for it.
    autoCleanupIncoming: false,
  });
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    before();
    return answer(request, response);
  };
  const server = identity ? createTlsServer({ ...identity, minVersion: 'TLSv1.2' }, listener) : createServer(listener);
  server.on('clientError', refuseUnreadable);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Answers requests whose host or address cannot be read, which no route is asked. */
function answerUnreadable(thrown: unknown): Response {
  const status = thrown instanceof RequestError ? 400 : 500;
  const message = status === 400 ? 'The request cannot be read.' : 'Something went wrong.';
  return Response.json(writeProblem(status, message), { status });
}

const STATUS_OF: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** How long whoever sent something unreadable has to take the answer before the connection is cut. */
const TAKE_ANSWER_MS = 1000;

/** Answers what is no HTTP at all; Node hands out the bare connection then. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Called again for what else comes on a connection that was answered: cutting it here would take the answer away.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS_OF[error.code ?? ''] ?? 400;
  const body = JSON.stringify(writeProblem(status, 'The request cannot be read.'));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), TAKE_ANSWER_MS).unref();
}
