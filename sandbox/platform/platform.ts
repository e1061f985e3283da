import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type AuditRecord, createActivity } from './activity.ts';
import { type Adapter, createAdapter } from './adapter/adapter.ts';
import { createAnswers } from './answers/answers.ts';
import type { Sleep } from './disturb.ts';
import { type Faults, noFaults } from './faults.ts';
import { type HistoryOptions, writeHistory } from './history.ts';
import type { Kept } from './kept.ts';
import { createLive } from './live.ts';
import { createOrganisation, type Organisation } from './organisation.ts';
import { createObjectIds, createRandom } from './random.ts';
import { createRequests, type Requests } from './requests.ts';
import { createRoutes } from './routes.ts';
import { type AddOptions, createRows } from './rows.ts';
import { type Identity, startServer } from './server.ts';
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
  /** What it proves to be itself with over HTTPS. @default plain HTTP */
  identity?: Identity;
  /** What an earlier platform left; then there is no other history, and the seed only decides what comes. @default nothing */
  kept?: { state: Kept; rows: readonly TrailRow[] };
  /** Called with what is added to the audit trail, before anyone is shown it. @default nobody is told */
  onRows?: (rows: readonly TrailRow[]) => void;
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
  /** Connections, messages and logs of the adapter interfaces. */
  readonly adapter: Adapter;
  /** Changes how much goes on, in events per minute. */
  setRate(eventsPerMinute: number): void;
  revokeTokens(): void;
  /** Replaces the API key and gives the new one. */
  rotateKey(): string;
  deleteKey(): void;
  /** Gives everything but the audit trail, to be kept. */
  dump(): Kept;
  close(): Promise<void>;
}

/** Starts a sandbox platform; same seed and same clock, same platform. */
export async function createPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const {
    seed = 1,
    eventsPerMinute = 0,
    history,
    clock = Date.now,
    sleep = wait,
    port = 0,
    identity,
    kept,
    onRows,
  } = options;
  const starts = (kept?.state.starts ?? 0) + 1;
  // Ids that were drawn before must not be drawn again.
  const random = createRandom(seed + starts - 1);
  const faults = noFaults();
  const { requests, count } = createRequests();

  const ofOrganisation = random.fork();
  const organisation = kept?.state.organisation ?? createOrganisation({ random: ofOrganisation, nowMs: clock() });
  const { accountId } = organisation;
  const tokens = createTokens({ accountId, random: random.fork(), faults, clock, kept: kept?.state.keys });
  const ofActivity = random.fork();
  const ofAnswers = createRandom(~(seed + starts));
  const makeId = createObjectIds(ofAnswers);
  const answers = createAnswers({
    organisation,
    random: ofAnswers,
    nowMs: clock(),
    makeId,
    kept: kept?.state.answers,
  });
  const activity = createActivity({ organisation, answers, random: ofActivity });
  const rows = createRows({ activity, faults, clock });
  const trail = createTrail({ clock });
  const add = (added: readonly TrailRow[]) => {
    onRows?.(added);
    trail.add(added);
  };
  const past =
    history && !kept ? writeHistory({ options: history, activity, random: random.fork(), nowMs: clock() }) : [];
  trail.add(kept?.rows ?? []);
  add(past.map(rows.happened));

  const happened = (record: AuditRecord) => {
    add([rows.happened(record)]);
    adapter.happened(record, { live: true });
  };
  const happen = (timeMs: number) => happened(activity.happen(timeMs));
  const live = createLive({ random: random.fork(), clock, happen });
  const ofRoutes = random.fork();
  const adapter = createAdapter({ organisation, random: random.fork(), clock, faults, kept: kept?.state.adapter });
  for (const record of past) adapter.happened(record, { live: false });
  live.setRate(eventsPerMinute);

  const app = createRoutes({
    organisation,
    faults,
    trail,
    tokens,
    adapter,
    clock,
    sleep,
    count,
    random: ofRoutes,
    catchUp: live.catchUp,
    answers,
    activity,
    makeId,
    happened,
  });
  const server = await startServer(app, { port, identity, before: live.catchUp });

  return {
    url: `${identity ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get apiKey() {
      return tokens.apiKey;
    },
    organisation,
    faults,
    resetFaults: () => void Object.assign(faults, noFaults()),
    add(what, options = {}) {
      const added = rows.added(what, options);
      add(added);
      return added;
    },
    get trail() {
      live.catchUp();
      return trail;
    },
    requests,
    adapter: adapter.handle,
    setRate: live.setRate,
    revokeTokens: tokens.revoke,
    rotateKey: tokens.rotateKey,
    deleteKey: tokens.deleteKey,
    dump: () => ({
      starts,
      organisation,
      keys: tokens.dump(),
      adapter: adapter.dump(),
      answers: answers.dump(),
    }),
    close: () => close(server),
  };
}

/** Never keeps a closed platform's process alive. */
const wait: Sleep = (waitMs, signal) =>
  delay(waitMs, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined);

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
