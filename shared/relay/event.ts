/** Who caused an event; what is unknown is left out. */
export interface Actor {
  readonly id?: string;
  readonly email?: string;
  readonly name?: string;
}

/** What an event is about. */
export interface Target {
  /** E.g. `profile`, `task`, `kit`, `connection`, `user`. */
  readonly kind: string;
  readonly id: string;
}

/** The normalised form of a record: a CloudEvent 1.0, and the `detail` of what arrives at a subscriber. */
export interface RelayEvent {
  readonly specversion: '1.0';
  /** The platform's id, else a hash of the record: what a consumer dedupes on. */
  readonly id: string;
  /** `/tenants/<tenant>/<stream>` */
  readonly source: string;
  /** The platform's event type identifier; `unknown` where the record has none. */
  readonly type: string;
  /** `<kind>/<id>` of the target, where known. */
  readonly subject?: string;
  /** ISO 8601 in UTC; left out where the record has no time. */
  readonly time?: string;
  readonly datacontenttype: 'application/json';
  readonly tenant: string;
  /** `audit`, `changes/<interface>`, `long-poll/<interface>`; `relay` for what the relay says of itself. */
  readonly stream: string;
  /** When the relay first saw it, ISO 8601 in UTC. */
  readonly observedat: string;
  /** Whole seconds from event time to first sight. */
  readonly lateby?: number;
  /** True where a replay publishes it again. */
  readonly replayed: boolean;
  /** True where the record was too big for the bus and is parked whole. */
  readonly recordomitted?: true;
  readonly data: {
    readonly actor?: Actor;
    readonly target?: Target;
    /** One line for people, without control characters. */
    readonly summary: string;
    /** What the platform returned, untouched. */
    readonly record?: unknown;
  };
}

/** The stream of what the relay says of itself. */
export const RELAY_STREAM = 'relay';

/** The Source of a stream's entries, e.g. `supplier-platform.long-poll` for `long-poll/eventbridge`. */
export const sourceOf = (stream: string): string => `supplier-platform.${stream.split('/', 1)[0]}`;
