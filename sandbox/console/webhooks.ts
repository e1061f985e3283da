import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { LARGEST_TEAMS_BYTES, slackPayload, teamsPayload } from './webhook-payloads.ts';

/** Where messages go. */
export type Channel = 'slack' | 'teams';

/** A message that was taken. */
export interface ReceivedMessage {
  /** Counts from 1. */
  readonly number: number;
  readonly channel: Channel;
  /** Of the webhook. */
  readonly name: string;
  readonly receivedMs: number;
  readonly payload: unknown;
}

/** How a webhook misbehaves. */
export interface WebhookFault {
  /** What it answers; `down` cuts the connection, `lost` takes the message and cuts it then. */
  readonly status: ContentfulStatusCode | 'down' | 'lost';
  readonly retryAfterSeconds?: number;
  readonly body?: string;
  /** @default for ever */
  readonly times?: number;
}

/** Stand-ins for the incoming webhooks of Slack and the workflows of Teams. */
export interface Webhooks {
  /** Opens the webhook of that name, if it is not open yet, and gives its address, which is as good as a password. */
  open(channel: Channel, name: string): string;
  /** What was taken, the latest ones. */
  readonly received: readonly ReceivedMessage[];
  /** How often each webhook was called, by name. */
  readonly requests: Readonly<Record<string, number>>;
  /** Why messages were not taken, in words, by name: limits, the rate, faults. */
  readonly refusals: readonly { readonly name: string; readonly reason: string }[];
  /** Makes a webhook misbehave; undefined ends it. */
  fail(name: string, fault: WebhookFault | undefined): void;
  close(): Promise<void>;
}

/** Starts webhooks that hold messages to the services' limits and to one message a second each. */
export async function createWebhooks(
  options: {
    /** @default Date.now */
    readonly clock?: () => number;
    /** How many messages are kept. @default 200 */
    readonly keep?: number;
    readonly onMessage?: (message: ReceivedMessage) => void;
    /** Port on 127.0.0.1. @default a free one */
    readonly port?: number;
  } = {},
): Promise<Webhooks> {
  const { clock = Date.now, keep = 200, onMessage, port = 0 } = options;
  const hooks = new Map<string, { channel: Channel; name: string; lastMs: number }>();
  const faults = new Map<string, WebhookFault & { left: number }>();
  const received: ReceivedMessage[] = [];
  const requests: Record<string, number> = {};
  const refusals: { name: string; reason: string }[] = [];
  let taken = 0;

  const app = new Hono<Env>();
  app.post('/:channel/:secret', async (c) => {
    const hook = hooks.get(c.req.path);
    if (!hook) return c.text('no_service', 404);
    const { channel, name } = hook;
    requests[name] = (requests[name] ?? 0) + 1;
    const refuse = (status: ContentfulStatusCode, reason: string, retryAfterSeconds?: number) => {
      refusals.push({ name, reason: `${status} ${reason}` });
      if (retryAfterSeconds !== undefined) c.header('Retry-After', String(retryAfterSeconds));
      return c.text(reason, status);
    };
    const body = await c.req.text();
    const fault = takeFault(name);
    if (fault && typeof fault.status === 'number') {
      return refuse(fault.status, fault.body ?? 'injected_fault', fault.retryAfterSeconds);
    }
    if (fault?.status === 'down') return cut(c);
    if (clock() - hook.lastMs < SPACING_MS) return refuse(429, 'rate_limited', 1);
    const checked = check(channel, body);
    if ('fault' in checked) return refuse(400, checked.fault);
    hook.lastMs = clock();
    taken += 1;
    const message = { number: taken, channel, name, receivedMs: clock(), payload: checked.payload };
    received.push(message);
    if (received.length > keep) received.shift();
    onMessage?.(message);
    if (fault) return cut(c);
    return channel === 'slack' ? c.text('ok') : c.body(null, 202);
  });

  function takeFault(name: string): WebhookFault | undefined {
    const fault = faults.get(name);
    if (fault && --fault.left <= 0) faults.delete(name);
    return fault;
  }

  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    open(channel, name) {
      for (const [path, hook] of hooks) if (hook.channel === channel && hook.name === name) return `${url}${path}`;
      const path = `/${channel}/${randomBytes(12).toString('hex')}`;
      hooks.set(path, { channel, name, lastMs: Number.NEGATIVE_INFINITY });
      return `${url}${path}`;
    },
    received,
    requests,
    refusals,
    fail(name, fault) {
      if (fault) faults.set(name, { ...fault, left: fault.times ?? Number.POSITIVE_INFINITY });
      else faults.delete(name);
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Env {
  Bindings: HttpBindings;
}

/** @see https://docs.slack.dev/apis/web-api/rate-limits */
const SPACING_MS = 1000;

function cut(c: Context<Env>): Response {
  c.env.incoming.socket.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

function check(channel: Channel, body: string): { payload: unknown } | { fault: string } {
  let payload: unknown;
  try {
    payload = JSON.parse(body);
  } catch {
    return { fault: 'invalid_payload' };
  }
  if (channel === 'teams' && Buffer.byteLength(body) > LARGEST_TEAMS_BYTES) return { fault: 'too_large' };
  const { error } = (channel === 'slack' ? slackPayload : teamsPayload).safeParse(payload);
  return error ? { fault: `invalid_blocks ${error.issues[0]?.path.join('.')}` } : { payload };
}
