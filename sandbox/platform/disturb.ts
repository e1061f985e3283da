import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import type { Failure, Faults } from './faults.ts';
import type { AnyAnswer } from './openapi.ts';
import { nameRoute, type RouteName } from './paths.ts';
import { answerProblem } from './problem.ts';
import type { Random } from './random.ts';

/** The environment of the sandbox's handlers: Node's own request and response. */
export type ServerEnv = { Bindings: HttpBindings };

/** Waits so many ms, or until `signal` is aborted. */
export type Sleep = (waitMs: number, signal?: AbortSignal) => Promise<unknown>;

/** What failures are made with. */
export interface DisturbSource {
  faults: Faults;
  random: Random;
  sleep: Sleep;
}

/** Creates the middleware that writes, skews or leaves out the `Date` header. */
export function stampDate({ faults, clock }: { faults: Faults; clock: () => number }): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    await next();
    c.env.outgoing.sendDate = false;
    if (!faults.dateMissing) c.res.headers.set('Date', new Date(clock() + faults.dateSkewMs).toUTCString());
  };
}

/** Creates the middleware that lets requests meet the failures that the faults ask for. */
export function disturb(source: DisturbSource): MiddlewareHandler<ServerEnv> {
  const { faults, sleep } = source;
  return async (c, next) => {
    if (faults.latencyMs > 0) await sleep(faults.latencyMs);
    const route = nameRoute(c.req.path);
    const failure = takeFailure(route, source) ?? always(route, faults);
    const answer = failure && (await fail(failure, { c, sleep }));
    if (answer) return answer;
    await next();
    if (failure?.reset === 'mid-body') await cutBody(c);
    return undefined;
  };
}

function takeFailure(route: RouteName, { faults, random }: DisturbSource): Failure | undefined {
  const index = faults.failNext.findIndex((failure) => (failure.route ?? route) === route);
  if (index >= 0) return faults.failNext.splice(index, 1)[0];
  const failing = faults.failWith.filter((failure) => (failure.route ?? route) === route);
  return failing.length > 0 && random.chance(faults.failShare) ? random.pick(failing) : undefined;
}

function always(route: RouteName, { failAlways }: Faults): Failure | undefined {
  const status = failAlways[route];
  return status === undefined ? undefined : { status };
}

/** Answers as the failure says, or, where it leaves the real answer to come, gives nothing after its wait. */
export async function fail(
  failure: Failure,
  { c, sleep }: { c: Context<ServerEnv>; sleep: Sleep },
): Promise<AnyAnswer | undefined> {
  if (failure.latencyMs) await sleep(failure.latencyMs);
  if (failure.reset === 'before') return reset(c);
  const { status, message = 'Failing on demand.' } = failure;
  if (status === undefined) return undefined;
  if (failure.retryAfter !== undefined) c.header('Retry-After', String(failure.retryAfter));
  return answerProblem(c, { status, message });
}

/** Cuts the connection instead of an answer. */
export function reset(c: Context<ServerEnv>): AnyAnswer {
  c.env.incoming.socket.resetAndDestroy();
  return alreadySent();
}

/** Announces the whole body, sends half of it, then closes the connection. */
async function cutBody(c: Context<ServerEnv>): Promise<void> {
  const body = Buffer.from(await c.res.arrayBuffer());
  const { outgoing } = c.env;
  outgoing.writeHead(c.res.status, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
  c.res = alreadySent();
}

/** A copy, because headers are still written to it on its way out. */
function alreadySent(): AnyAnswer {
  return new Response(null, RESPONSE_ALREADY_SENT) as AnyAnswer;
}
