import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { createActivity } from './activity.ts';
import type { Sleep } from './disturb.ts';
import { type Faults, noFaults } from './faults.ts';
import { type HistoryOptions, writeHistory } from './history.ts';
import { createLive } from './live.ts';
import { createOrganisation, type Organisation } from './organisation.ts';
import { createRandom } from './random.ts';
import { createRequests, type Requests } from './requests.ts';
import { createRoutes } from './routes.ts';
import { type AddOptions, createRows } from './rows.ts';
import { createTokens } from './token.ts';
import { createTrail, type Trail, type TrailRow } from './trail.ts';

/** What a sandbox platform is born with. */
export interface PlatformOptions {
  /** Decides everything that is left to chance. @default 1 */
  seed?: number;
  /** How much goes on from now on. @default 0 */
  eventsPerMinute?: number;
  /** Events of the past. @default none */
  history?: HistoryOptions;
  /** Epoch ms. @default Date.now */
  clock?: () => number;
  /** Waits for the faults that take time. @default a timer */
  sleep?: Sleep;
  /** Port on 127.0.0.1; 0 takes a free one. @default 0 */
  port?: number;
}

/** A platform that runs on loopback, and the strings that a test or a console pulls. */
export interface Platform {
  /** Base and auth address, without a slash at the end. */
  readonly url: string;
  /** The key that is good now, `account.key.secret`. */
  readonly apiKey: string;
  readonly organisation: Organisation;
  /** How the platform misbehaves; change it at any time. */
  readonly faults: Faults;
  resetFaults(): void;
  /** Adds so many made-up events, or these records, which are served untouched; gives what was added. */
  add(what: number | readonly unknown[], options?: AddOptions): TrailRow[];
  /** The truth: every event up to now, shown or not. */
  readonly trail: Trail;
  readonly requests: Requests;
  /** Changes how much goes on, in events per minute. */
  setRate(eventsPerMinute: number): void;
  revokeTokens(): void;
  /** Replaces the API key and gives the new one. */
  rotateKey(): string;
  deleteKey(): void;
  close(): Promise<void>;
}

/** Starts a sandbox platform; same seed and same clock, same platform. */
export async function createPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const { seed = 1, eventsPerMinute = 0, history, clock = Date.now, sleep = wait, port = 0 } = options;
  const random = createRandom(seed);
  const faults = noFaults();
  const { requests, count } = createRequests();

  const organisation = createOrganisation({ random: random.fork(), nowMs: clock() });
  const tokens = createTokens({ accountId: organisation.accountId, random: random.fork(), faults, clock });
  const activity = createActivity({ organisation, random: random.fork() });
  const rows = createRows({ activity, faults, clock });
  const trail = createTrail({ clock });
  if (history) {
    const past = writeHistory({ options: history, activity, random: random.fork(), nowMs: clock() });
    trail.add(past.map(rows.happened));
  }

  const happen = (timeMs: number) => trail.add([rows.happened(activity.happen(timeMs))]);
  const live = createLive({ random: random.fork(), clock, happen });
  live.setRate(eventsPerMinute);

  const app = createRoutes({ organisation, faults, trail, tokens, clock, sleep, count, random: random.fork() });
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => {
    live.catchUp();
    return listener(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get apiKey() {
      return tokens.apiKey;
    },
    organisation,
    faults,
    resetFaults: () => void Object.assign(faults, noFaults()),
    add(what, options = {}) {
      const added = rows.added(what, options);
      trail.add(added);
      return added;
    },
    get trail() {
      live.catchUp();
      return trail;
    },
    requests,
    setRate: live.setRate,
    revokeTokens: tokens.revoke,
    rotateKey: tokens.rotateKey,
    deleteKey: tokens.deleteKey,
    close: () => close(server),
  };
}

/** Never keeps a closed platform's process alive. */
const wait: Sleep = (waitMs) => delay(waitMs, undefined, { ref: false });

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
