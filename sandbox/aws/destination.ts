import type { BusEvent } from './bus.ts';

/** What a rule hands to a target. */
export interface Delivery {
  /** What the target gets: the event's JSON, or what the target asked for instead. */
  readonly body: string;
  /** Attributes of a message, all texts; only where it goes to a queue. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly event: BusEvent;
  /** The event's JSON as it was put. */
  readonly json: string;
}

/** Whatever can be the target of a rule. */
export interface Destination {
  /**
   * Takes a delivery in; it is done when the promise resolves.
   * @throws {DeliveryError}
   */
  accept(delivery: Delivery): Promise<void>;
}

/** Finds a destination by its ARN; undefined where there is none. */
export type FindDestination = (arn: string) => Destination | undefined;

/**
 * A target did not take a delivery; the code is one of those that EventBridge gives to dead letters.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-dlq.html
 */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly code: string;
  readonly retryable: boolean;

  constructor(code: string, message: string, { retryable = false }: { retryable?: boolean } = {}) {
    super(message);
    this.code = code;
    this.retryable = retryable;
  }
}
