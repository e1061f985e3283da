import { createPoller } from '../../shared/relay/poller.ts';
import { createPublisher } from '../../shared/relay/publish.ts';
import { createModelBus } from './bus.ts';
import type { Clockwork } from './clockwork.ts';
import type { Dice } from './dice.ts';
import type { Fault, Faults } from './faults.ts';
import type { Platform } from './platform.ts';
import { createProcess, type Process } from './process.ts';
import type { Scenario } from './scenario.ts';
import type { Table } from './table.ts';
import type { Watch } from './watch.ts';

/** A process that hosts a poller, as a function's instance does. */
export interface Host {
  readonly process: Process;
  /** True while an invocation is under way. */
  readonly busy: boolean;
  /** Polls once; the process is killed when the invocation's time is over. */
  invoke(): void;
  /** Replays a window, as far as an invocation comes. */
  replay(window: { fromSeconds: number; toSeconds: number }): void;
}

/** Kept at the end of an invocation for what is in flight. */
const CLOSING_MS = 5_000;
/** Answers after which a process may crash or freeze, at most. */
const MOST_ANSWERS = 150;
/** What a poll may fail with while the world is as it is. */
const LEGAL_ERRORS: ReadonlySet<string> = new Set([
  'TransportError',
  'ProtocolError',
  'AuthenticationError',
  'PublishError',
  'LostLeaseError',
  'BusFault',
  'TimeoutError',
]);

/** Starts a process with a poller of its own. */
export function createHost(world: {
  name: string;
  skewMs: number;
  scenario: Scenario;
  platform: Platform;
  table: Table;
  dice: Dice;
  faults: Faults;
  clockwork: Clockwork;
  watch: Watch;
  trace: ((line: string) => void) | undefined;
}): Host {
  const { name, skewMs, scenario, platform, table, dice, faults, clockwork, watch, trace } = world;
  let answers = 0;
  let crashAt = Number.POSITIVE_INFINITY;
  let freezeAt = Number.POSITIVE_INFINITY;
  let invocation = 0;
  let busy = false;

  const process = createProcess({
    ...{ name, skewMs, clockwork, dice },
    heard() {
      answers += 1;
      if (answers === crashAt) {
        faults.count('process crashes');
        end('crashes');
      }
      if (answers === freezeAt) {
        faults.count('process freezes');
        trace?.(`${name} freezes`);
        process.freeze(clockwork.nowMs + dice.spread(1_000, 1_200_000));
      }
    },
  });
  const ports = table.portsFor(process);
  const poller = createPoller({
    ...ports,
    trail: platform.trailFor(process),
    tenant: 'acme',
    stream: 'audit',
    publisher: createPublisher({
      bus: createModelBus({ process, dice, faults, watch }),
      parkingLot: ports.parkingLot,
      sleep: (waitMs) => process.send({ tookMs: waitMs, effect: () => undefined }),
      random: dice.next,
      clock: process.clock,
    }),
    ladder: scenario,
    clock: process.clock,
    owner: name,
    startSeconds: (nowMs) => Math.floor(nowMs / 1000) - scenario.startBackSeconds,
    fingerprint: async () => 'the platform',
    eventTypes: scenario.eventTypes && new Set(scenario.eventTypes),
  });

  function end(how: string): void {
    trace?.(`${name} ${how}`);
    busy = false;
    process.kill();
  }

  /** A frozen process cannot be killed: that is what makes it dangerous. */
  function timeOut(ofInvocation: number): void {
    if (!busy || invocation !== ofInvocation || !process.alive || process.frozen) return;
    faults.count('invocation out of time');
    end('is out of time');
  }

  const planned = (fault: Fault): number =>
    faults.threatens(fault) ? answers + Math.round(dice.spread(1, MOST_ANSWERS)) : Number.POSITIVE_INFINITY;

  function work<T extends object>(
    what: 'poll' | 'replay',
    begin: (time: { deadlineMs: number; endMs: number }) => Promise<T>,
  ): void {
    busy = true;
    invocation += 1;
    crashAt = planned('process crashes');
    freezeAt = planned('process freezes');
    const endMs = process.clock() + scenario.invocationMs;
    const deadlineMs = endMs - Math.min(CLOSING_MS, scenario.invocationMs / 4);
    const mine = invocation;
    clockwork.at(clockwork.nowMs + scenario.invocationMs, () => timeOut(mine));
    clockwork.wake();
    trace?.(`${name} is to ${what} at ${process.clock()}`);
    begin({ deadlineMs, endMs }).then(
      (result) => {
        busy = false;
        faults.count(`${what} ${'skipped' in result ? 'skipped' : 'done'}`);
        trace?.(`${name} is done ${JSON.stringify(result)}`);
      },
      (error: unknown) => {
        busy = false;
        faults.count(`${what} failed`);
        trace?.(`${name} fails with ${error}`);
        const known = error instanceof Error ? error.name : 'nothing that is an Error';
        if (!LEGAL_ERRORS.has(known)) watch.report('fails only as it may', String((error as Error)?.stack ?? error));
      },
    );
  }

  return {
    process,
    get busy() {
      return busy;
    },
    invoke: () => work('poll', poller.poll),
    replay(window) {
      watch.replays(process);
      work('replay', async (time) => {
        const result = await poller.replay(window, time);
        watch.replayed(process);
        return result;
      });
    },
  };
}
