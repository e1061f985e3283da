import { setTimeout as sleep } from 'node:timers/promises';
import { type Backoff, fullJitterMs } from '../../shared/backoff.ts';
import type { BusEvent } from './bus.ts';
import { DeliveryError, type FindDestination } from './destination.ts';
import { writeInput } from './target-input.ts';
import { isBusArn, type Target } from './targets.ts';

/** An event that a rule matched, on its way to one target. */
export interface MatchedEvent {
  readonly event: BusEvent;
  /** Its JSON as it was put. */
  readonly json: string;
  /** Whether it came from another bus by a rule. */
  readonly forwarded: boolean;
  readonly rule: { readonly name: string; readonly arn: string };
  readonly target: Target;
}

/** What became of deliveries. */
export interface DeliveryCounts {
  delivered: number;
  /** Given up, and kept in the target's dead-letter queue. */
  deadLettered: number;
  /** Given up, where the target has no dead-letter queue or it took nothing. */
  lost: number;
}

/** Brings events to targets, at least once and in no order. */
export interface Deliveries {
  readonly counts: Readonly<DeliveryCounts>;
  /** Starts a delivery and waits for nothing. */
  start(matched: MatchedEvent): void;
  /** Stops trying and waits for what is under way. */
  close(): Promise<void>;
}

/** EventBridge says only that its waits grow and are drawn by lot. */
const BACKOFF: Backoff = { baseMs: 200, capMs: 60_000 };
const USUAL_RETRY = { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 };

/** Makes the deliveries of a bus. */
export function createDeliveries(parts: { findDestination: FindDestination; clock: () => number }): Deliveries {
  const { findDestination, clock } = parts;
  const counts: DeliveryCounts = { delivered: 0, deadLettered: 0, lost: 0 };
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();

  async function deliver(matched: MatchedEvent): Promise<void> {
    const { MaximumRetryAttempts, MaximumEventAgeInSeconds } = matched.target.RetryPolicy ?? USUAL_RETRY;
    const ingestedMs = clock();
    for (let attempt = 0; !closing.signal.aborted; attempt += 1) {
      try {
        await handOver(matched, ingestedMs);
        counts.delivered += 1;
        return;
      } catch (error) {
        if (!(error instanceof DeliveryError)) throw error;
        const isOld = clock() - ingestedMs >= MaximumEventAgeInSeconds * 1000;
        const exhausted = isOld ? 'MaximumEventAgeInSeconds' : 'MaximumRetryAttempts';
        if (!error.retryable) return bury(matched, { error });
        if (isOld || attempt >= MaximumRetryAttempts) return bury(matched, { error, attempt, exhausted });
        const waitMs = fullJitterMs(attempt, BACKOFF, Math.random);
        await sleep(waitMs, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  }

  async function handOver(matched: MatchedEvent, ingestedMs: number): Promise<void> {
    const { event, json, target, forwarded } = matched;
    if (forwarded && isBusArn(target.Arn)) {
      throw new DeliveryError(
        'THIRD_ACCOUNT_HOP_DETECTED',
        'An event that came from another bus goes to no third one.',
      );
    }
    const destination = findDestination(target.Arn);
    if (!destination) throw new DeliveryError('NO_RESOURCE', `The target ${target.Arn} does not exist.`);
    await destination.accept({ body: writeInput({ ...matched, ingestedMs }), event, json });
  }

  /** Keeps the event, as it was and not as the target was to get it, where somebody can look at it. */
  async function bury(matched: MatchedEvent, failure: Failure): Promise<void> {
    const { event, json, target } = matched;
    const deadLetters = findDestination(target.DeadLetterConfig?.Arn ?? '');
    try {
      if (!deadLetters) throw new DeliveryError('NO_RESOURCE', 'There is no dead-letter queue.');
      await deadLetters.accept({ body: json, event, json, attributes: describe(matched, failure) });
      counts.deadLettered += 1;
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      counts.lost += 1;
    }
  }

  return {
    counts,
    start(matched) {
      const work = deliver(matched).finally(() => underWay.delete(work));
      underWay.add(work);
    },
    async close() {
      closing.abort();
      await Promise.all(underWay);
    },
  };
}

interface Failure {
  readonly error: DeliveryError;
  readonly attempt?: number;
  /** Which limit of the retry policy ended it. */
  readonly exhausted?: string;
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-dlq.html */
function describe({ rule, target }: MatchedEvent, { error, attempt, exhausted }: Failure): Record<string, string> {
  return {
    RULE_ARN: rule.arn,
    TARGET_ARN: target.Arn,
    ERROR_CODE: error.code,
    ERROR_MESSAGE: error.message,
    ...(exhausted !== undefined && { EXHAUSTED_RETRY_CONDITION: exhausted, RETRY_ATTEMPTS: String(attempt) }),
  };
}
