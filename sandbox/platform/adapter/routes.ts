import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { reset, type ServerEnv, type Sleep } from '../disturb.ts';
import type { Faults } from '../faults.ts';
import { send, writePage } from '../list.ts';
import { refuse } from '../problem.ts';
import type { AdapterState } from './adapter.ts';
import type { Connection } from './connections.ts';
import * as operations from './operations.ts';

/** What the adapter's routes answer from. */
export interface AdapterSource {
  adapter: AdapterState;
  faults: Faults;
  sleep: Sleep;
  /** Lets everything happen that was due by now. */
  catchUp(): void;
}

const CATCH_UP_MS = 250;
const MOST_AT_ONCE = 100;

/** Adds connections, acknowledgements, adapter logs and long polls. */
export function addAdapterRoutes(app: OpenAPIHono<ServerEnv>, source: AdapterSource): void {
  const { adapter, faults } = source;

  app.openapi(operations.connections, (c) => {
    const query = c.req.valid('query');
    const shape = ({ changedOn, ...rest }: Connection) => (faults.changedOnMissing ? rest : { ...rest, changedOn });
    return send(c, writePage({ rows: adapter.find(query), shape }, { query, faults }));
  });

  const known = (path: Faults['acknowledgePath']) => {
    if (faults.acknowledgePath !== path) throw refuse(404, 'There is nothing at this address.');
  };
  app.openapi(operations.acknowledgement, (c) => {
    known('acknowledgement');
    const body = c.req.valid('json');
    return c.json({ publicId: body.publicId, acknowledged: adapter.acknowledge(body) }, faults.postStatus);
  });
  app.openapi(operations.acknowledge, (c) => {
    known('acknowledge');
    const body = c.req.valid('json');
    return c.json({ publicId: body.publicId, acknowledged: adapter.acknowledge(body) }, faults.postStatus);
  });

  app.openapi(operations.passthrough, (c) => {
    const body = c.req.valid('json');
    const entries = Array.isArray(body) ? body : [body];
    adapter.log(c.req.valid('param').interface, entries);
    return c.json({ accepted: entries.length }, faults.postStatus);
  });

  app.openapi(operations.longPoll, (c) => longPoll(c, source));
}

async function longPoll(c: Context<ServerEnv>, { adapter, faults, sleep, catchUp }: AdapterSource): Promise<Response> {
  const interfaceName = c.req.param('interface')!;
  const mailbox = adapter.mailbox(interfaceName);
  const { outgoing } = c.env;
  const end = new AbortController();
  outgoing.once('close', () => end.abort());
  // Whoever left while a fault made the request wait is not heard to close any more.
  if (outgoing.destroyed) end.abort();
  // What goes on by itself is caught up with at each request: while this one hangs, there may be no other.
  const living = setInterval(catchUp, CATCH_UP_MS);
  void sleep(faults.longPollHoldMs, end.signal).then(() => end.abort());

  const most = faults.longPollForm === 'array' || faults.longPollForm === 'paged' ? MOST_AT_ONCE : 1;
  const deliveries = await mailbox.take({ most, signal: end.signal });
  clearInterval(living);
  end.abort();
  if (deliveries.length === 0) return sayNothing(c, faults);
  // Whoever has gone has received nothing: the next one to ask does.
  if (outgoing.destroyed) mailbox.giveBack(deliveries);
  else adapter.handOut(interfaceName, deliveries);
  return writeMessages(
    c,
    deliveries.map(({ message }) => message),
    faults,
  );
}

function writeMessages(c: Context, messages: unknown[], { longPollForm, postStatus }: Faults): Response {
  const [first] = messages;
  switch (longPollForm) {
    case 'array':
      return c.json(messages, postStatus);
    case 'paged':
      return c.json({ total: messages.length, results: messages }, postStatus);
    case 'text':
      return c.text(`INTEGRATION REQUEST ${JSON.stringify(first)}`, postStatus);
    default:
      return c.body(JSON.stringify(first), postStatus, { 'Content-Type': 'application/json' });
  }
}

function sayNothing(c: Context<ServerEnv>, { longPollEmpty, postStatus }: Faults): Response {
  switch (longPollEmpty) {
    case 204:
    case 304:
      return c.body(null, longPollEmpty);
    case 408:
    case 504:
      throw refuse(longPollEmpty as ContentfulStatusCode, 'No integration request came.');
    case 'reset':
      return reset(c);
    default:
      return c.body(longPollEmpty === 'nothing' ? '' : longPollEmpty, postStatus, {
        'Content-Type': 'application/json',
      });
  }
}
