import type { BusEvent } from '../aws/bus.ts';
import type { ReceivedMessage } from '../console/webhooks.ts';

/** What runs where. */
export interface Place {
  readonly platform: {
    readonly url: string;
    /** What it is, in words. */
    readonly what: string;
    /** Of a made-up platform only. */
    readonly apiKey?: string;
  };
  readonly poller: { readonly module: string; readonly everySeconds: number; readonly start: string };
  readonly bus: { readonly name: string; readonly url: string };
  readonly table: { readonly name: string; readonly url: string };
  readonly secrets: { readonly url: string };
  /** Left out where none runs. */
  readonly adapter?: { readonly module: string; readonly interfaces: readonly string[] };
  /** The page that shows what Slack and Teams got; left out where nothing alerts. */
  readonly alerts?: { readonly url: string };
  /** Where the state is kept; left out, in memory. */
  readonly folder?: string;
}

/** How far the relay has come since the program started; changes as it goes on. */
export interface Status {
  /** Events that arrived on the bus. */
  published: number;
  /** Those of them that the adapter published; left out where none runs. */
  adapted?: number;
  /** Messages that Slack and Teams got; left out where nothing alerts. */
  alerts?: number;
  /** Events seen again and not published again. */
  known: number;
  parked: number;
  /** Ended, whatever they came to. */
  polls: number;
  /** When the poll under way began; left out between polls. */
  pollingSinceMs?: number;
  /** Requests that the made-up platform answered; left out of a real one. */
  requests?: number;
  /** ISO 8601; every moment up to it was read and published. */
  mark: string | null;
  /** ISO 8601; every moment up to it was read again at the age of the last re-check. */
  checkedThrough: string | null;
  /** What last went wrong; `over` once a poll succeeded after it. */
  lastFault?: { readonly atMs: number; readonly message: string; over: boolean };
}

/** What a poll came to. */
export interface Outcome {
  /** The poller's answer as it gave it; left out where it failed. */
  readonly result?: object;
  /** What went wrong, in words; a poll that succeeded may have complained in its log. */
  readonly fault?: string;
}

/** What went wrong besides the polling. */
export interface Fault {
  readonly from: 'adapter' | 'alerts';
  readonly message: string;
}

/** Shows a run to somebody, or something. */
export interface View {
  /** Everything runs; `status` is looked at from now on. */
  started(place: Place, status: Status): void;
  /** An event arrived on the bus; `json` is its text as it was put. */
  event(event: BusEvent, json: string): void;
  polled(outcome: Outcome): void;
  /** Slack or Teams got a message. */
  alerted(message: ReceivedMessage): void;
  faulted(fault: Fault): void;
  /** The poller, the adapter or the notifier logged a line, and that is to be shown. */
  logged(line: string): void;
  /** The end was asked for; what is under way is still going on. */
  stopping(): void;
  /** It has ended, or never started; the terminal is anybody's again. */
  stopped(): void;
}
