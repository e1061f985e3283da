import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request as send } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { operationOf, urlOf } from '../../sandbox/aws/json-server.ts';

/** Something that a process does to the world: a request of it is `asked`, and later `answered`. */
export interface Step {
  /** The operation of an AWS service, e.g. `PutEvents`, else the path. */
  readonly name: string;
  readonly moment: 'asked' | 'answered';
}

/** Is awaited at every step; where it throws the connection is cut: before the effect, or after it without an answer. */
export type OnStep = (step: Step) => void | Promise<void>;

/** A forwarder before a server. */
export interface Tap {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a forwarder to `target` that tells every step. */
export async function createTap({ target, onStep }: { target: string; onStep: OnStep }): Promise<Tap> {
  const server = createServer(async (request, response) => {
    try {
      const name = request.headers['x-amz-target'] ? operationOf(request) : nameOf(request);
      const body = await buffer(request);
      await onStep({ name, moment: 'asked' });
      const answer = await forward(request, body, target);
      await onStep({ name, moment: 'answered' });
      response.writeHead(answer.status, answer.headers).end(answer.body);
    } catch {
      request.socket.destroy();
    }
  });
  // Longer than the SDK keeps idle connections, else its next request may meet one that is just closing.
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: urlOf(server),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const nameOf = ({ url = '/' }: IncomingMessage): string => url.split('?')[0] ?? url;

async function forward(
  request: IncomingMessage,
  body: Buffer,
  target: string,
): Promise<{ status: number; headers: OutgoingHttpHeaders; body: Buffer }> {
  const { method = 'GET', url = '/', headers } = request;
  const forwarded = send(new URL(url, target), { method, headers });
  forwarded.end(body);
  const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 502, headers: answer.headers, body: await buffer(answer) };
}
