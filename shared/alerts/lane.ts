import { fullJitterMs } from '../backoff.ts';
import type { Clock, Random, Sleep } from '../relay/ports.ts';
import type { Outcome, Post } from './webhook.ts';

/** The way to one webhook: one message at a time, about one a second, and a rest where it does not work. */
export interface Lane {
  /** Sends a message as soon as the webhook may have one, and again while `deadlineMs` allows and it may help. */
  send(payload: object, deadlineMs: number): Promise<Outcome>;
}

/** @see https://docs.slack.dev/apis/web-api/rate-limits */
const SPACING_MS = 1000;
const TRIES = 3;
const BACKOFF = { baseMs: 1000, capMs: 5000 };
/** Shorter than an event waits in the queue for its next try, so that this try is a request again. */
const REST = { firstMs: 30_000, longestMs: 300_000 };

/** Makes the lane of a webhook; what it knows of the webhook lasts as long as the lane. */
export function createLane(parts: { address: string; post: Post; clock: Clock; sleep: Sleep; random: Random }): Lane {
  const { address, post, clock, sleep, random } = parts;
  let freeMs = 0;
  let failures = 0;
  let rest = { untilMs: 0, reason: '' };

  function restFor(outcome: Outcome & { reason: string }): Outcome {
    const waitMs = Math.min(REST.longestMs, REST.firstMs * 2 ** failures++);
    rest = { untilMs: Math.max(freeMs, clock() + waitMs), reason: outcome.reason };
    return outcome;
  }

  return {
    async send(payload, deadlineMs) {
      if (clock() < rest.untilMs) return later(`the webhook is given a rest: ${rest.reason}`);
      for (let attempt = 0; ; attempt++) {
        if (freeMs >= deadlineMs) return later('no time is left in this run');
        await sleep(Math.max(0, freeMs - clock()));
        const outcome = await post(address, payload, deadlineMs);
        freeMs = clock() + SPACING_MS;
        if (outcome.kind === 'dead') return restFor(outcome);
        if (outcome.kind !== 'later') {
          failures = 0;
          return outcome;
        }
        freeMs = clock() + Math.max(SPACING_MS, outcome.waitMs ?? fullJitterMs(attempt, BACKOFF, random));
        if (attempt + 1 === TRIES || freeMs >= deadlineMs) return restFor(outcome);
      }
    },
  };
}

const later = (reason: string): Outcome => ({ kind: 'later', reason, waitMs: undefined });
