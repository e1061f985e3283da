import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Faults } from './faults.ts';

/** An error as AWS answers it; `name` in the SDK is the code. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: string;
  readonly status: number;
  /** What the code was called in the service's older protocol, where it had one. */
  readonly queryCode: string | undefined;

  constructor(
    code: string,
    message: string,
    { status = 400, queryCode }: { status?: number; queryCode?: string } = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.queryCode = queryCode;
  }
}

/** Who asks. */
export interface Caller {
  /** Aborts when the connection ends before the answer. */
  readonly signal: AbortSignal;
}

/** Carries out one operation; what it returns is the answer. */
export type Operation = (input: unknown, caller: Caller) => object | Promise<object>;

/** A running server. */
export interface JsonServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** How often each operation was asked for, refused ones included. */
  readonly requests: Readonly<Record<string, number>>;
  resetCounts(): void;
  /** Cuts what is open and stops listening. */
  close(): Promise<void>;
}

/**
 * Serves operations, named without the service's prefix, in a protocol of the family awsJson on a free port of loopback.
 * @see https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html
 */
export async function createJsonServer(options: {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly faults: Faults;
  /** @default '1.1' */
  readonly version?: '1.0' | '1.1';
}): Promise<JsonServer> {
  const { operations, faults, version = '1.1' } = options;
  const requests: Record<string, number> = {};

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (faults.down) return reset(request);
    const name = operationOf(request);
    requests[name] = (requests[name] ?? 0) + 1;
    const body = await readBody(request);
    let status = 200;
    let answer: object;
    const headers: Record<string, string> = {};
    try {
      const fault = faults.refuse(name);
      if (fault) throw new ServiceError(fault.code, fault.message ?? 'Injected fault.', fault);
      const operation = operations[name];
      if (!operation) throw new ServiceError('UnknownOperationException', '');
      answer = await operation(parse(body), callerOf(response));
    } catch (error) {
      const known =
        error instanceof ServiceError ? error : new ServiceError('InternalFailure', String(error), { status: 500 });
      status = known.status;
      // Clients of services that once spoke another protocol look for its codes here.
      if (known.queryCode !== undefined) headers['x-amzn-query-error'] = `${known.queryCode};Sender`;
      answer = { __type: known.code, message: known.message };
    }
    if (faults.latencyMs > 0) await sleep(faults.latencyMs);
    if (faults.cut(name)) return reset(request);
    const text = JSON.stringify(answer);
    response.writeHead(status, {
      ...headers,
      'content-type': `application/x-amz-json-${version}`,
      'content-length': Buffer.byteLength(text),
      'x-amzn-requestid': randomUUID(),
    });
    response.end(text);
  }

  const server = createServer((request, response) => {
    // What fails here is the connection, and the client knows that already.
    respond(request, response).catch(() => reset(request));
  });
  server.on('connection', (socket) => {
    if (faults.down) socket.resetAndDestroy();
  });
  // Longer than the SDK keeps idle connections, else its next request may meet one that is just closing.
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: urlOf(server),
    requests,
    resetCounts: () => clear(requests),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Checks what an operation was given.
 * @throws {ServiceError} `SerializationException` where a type is wrong, `ValidationException` where only a value is
 */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const isMistyped = parsed.error.issues.some(({ code }) => code === 'invalid_type');
  const code = isMistyped ? 'SerializationException' : 'ValidationException';
  throw new ServiceError(code, z.prettifyError(parsed.error));
}

/** Reads which operation a request asks for, e.g. `PutEvents` from `AWSEvents.PutEvents`. */
export function operationOf(request: IncomingMessage): string {
  return String(request.headers['x-amz-target'] ?? 'none').replace(/^.*\./, '');
}

/** Gives the address of a server that listens on loopback. */
export function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Empties counts in place, so that whoever holds them sees it. */
export function clear(counts: Record<string, number>): void {
  for (const key of Object.keys(counts)) delete counts[key];
}

function callerOf(response: ServerResponse): Caller {
  return {
    // Made only where somebody asks for it, because few operations wait.
    get signal() {
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      return gone.signal;
    },
  };
}

function readBody(request: IncomingMessage): Promise<string> {
  // Listeners, because iterating a stream costs more than all the rest of a small request.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', reject);
  });
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new ServiceError('SerializationException', String(cause));
  }
}

function reset(request: IncomingMessage): void {
  request.socket.resetAndDestroy();
}
