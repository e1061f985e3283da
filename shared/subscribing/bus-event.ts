import type { RelayEvent } from '../relay/event.ts';

/** What arrives at a subscriber: an event of the relay in the envelope of EventBridge. */
export interface BusEvent {
  readonly version: '0';
  /** New at every delivery: drop repeats by `detail.id`, not by this. */
  readonly id: string;
  /** The event type, cut to 128 characters; `detail.type` has it whole. */
  readonly 'detail-type': string;
  readonly source: EventSource;
  /** Of the relay. */
  readonly account: string;
  /** ISO 8601 in whole seconds: the event's time, else when it was first seen. */
  readonly time: string;
  readonly region: string;
  /** `tenant/<id>`, and `user/<id>` and `profile/<id>` where known. */
  readonly resources: readonly string[];
  readonly detail: RelayEvent;
}

/** Where an event comes from: the audit trail, connections, integration messages, or the relay itself. */
export type EventSource =
  | 'supplier-platform.audit'
  | 'supplier-platform.changes'
  | 'supplier-platform.long-poll'
  | 'supplier-platform.relay';
