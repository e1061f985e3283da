import type { RouteName } from './paths.ts';
import type { EventsQuery } from './schemas.ts';

/** One thing that goes wrong with one request; an empty one answers as usual. */
export interface Failure {
  /** Only requests of this route are hit; left out, any. */
  route?: RouteName;
  /** Answer with this status instead of the real answer. */
  status?: number;
  /** What that answer says. @default 'Failing on demand.' */
  message?: string;
  /** `Retry-After` of that answer: seconds as a number, an HTTP date as a string. */
  retryAfter?: number | string;
  /** Cut the connection before the answer, or after half of its body. */
  reset?: 'before' | 'mid-body';
  /** Wait this long first. */
  latencyMs?: number;
}

/** A filter of the events endpoint that the server may pass over. */
type EventsFilter = 'after' | 'before' | 'eventType' | 'forUserId';

/**
 * Every way in which the sandbox can differ from a well-behaved platform; set at run time, in force from the next
 * request on. What reshapes records leaves verbatim ones alone.
 */
export interface Faults {
  /** Where a record's id stands; `snowflake` is an integer beyond 2^53 under `id`. @default '_id' */
  id: '_id' | 'id' | 'eventId' | 'snowflake' | 'none';
  /** Name of the field with the event time. @default 'createdAt' */
  timeField: string;
  /** How the event time is written; `iso-offset` is with milliseconds at +02:00. @default 'iso-ms' */
  timeFormat: 'iso-ms' | 'iso' | 'iso-offset' | 'epoch-seconds' | 'epoch-ms' | 'none';
  /** Name of the field with the event type. @default 'eventType' */
  typeField: string;
  /** The type as a string, as `{name}`, or left out. @default 'string' */
  typeForm: 'string' | 'object' | 'none';
  /** Name of the field with the actor. @default 'user' */
  actorField: string;
  /** The actor as an object, as a bare id, or left out. @default 'object' */
  actorForm: 'object' | 'id' | 'none';

  /** Whether an event at the very bound `after` is shown. @default 'exclusive' */
  after: 'exclusive' | 'inclusive';
  /** Whether an event at the very bound `before` is shown. @default 'exclusive' */
  before: 'exclusive' | 'inclusive';
  /** What is cut to whole seconds before it is compared: nothing, the bounds, or the event times too. @default 'none' */
  cutToSecond: 'none' | 'bounds' | 'times';
  /** Whether a bound with milliseconds is refused with 400. @default false */
  refuseMilliseconds: boolean;
  /** Filters that have no effect. @default [] */
  ignoredFilters: EventsFilter[];

  /** Order of the events; the shuffled ones differ from request to request. @default 'descending' */
  order: 'descending' | 'ascending' | 'shuffled-ties' | 'shuffled';
  /** Called before each events request is answered; what it adds or removes makes pages drift. @default null */
  beforeEvents: ((query: EventsQuery) => void) | null;
  /** How long after its time an event is first shown, in ms; asked when it is added. @default null */
  lateMs: ((event: { time: number; record: unknown }) => number) | null;

  /** How `total` is written. @default 'number' */
  total: 'number' | 'string' | 'missing';
  /** `total` leaves out what became visible within so many seconds. @default 0 */
  totalLagSeconds: number;
  /** `total` never says more than this. @default Infinity */
  totalCap: number;
  /** Every page is page 0. @default false */
  pageIgnored: boolean;
  /** A larger `limit` is silently cut to this. @default Infinity */
  limitClamp: number;
  /** A larger `limit` is refused with 400. @default 1000 */
  limitMax: number;
  /** What a list is wrapped in; `html`, `truncated` JSON and `empty` come with status 200 too. @default 'paged' */
  envelope: 'paged' | 'array' | 'data' | 'html' | 'truncated' | 'empty';
  /** Rows beyond this offset cannot be paged to. @default Infinity */
  deepRows: number;
  /** What a page beyond `deepRows` answers: no rows, or 400. @default 'empty' */
  deepAnswer: 'empty' | 'refuse';
  /** A window that matches more events than this is too much for the server. @default Infinity */
  heavyRows: number;
  /** What happens to a window that is too much: a status, a reset before the answer, or a wait. @default { status: 504 } */
  heavyFailure: Failure;

  /** What the types endpoint answers; `missing` is a 404. @default 'strings' */
  types: 'strings' | 'objects' | 'map' | 'paged' | 'missing';

  /** Status of acknowledgements, of logs and of messages that are handed out. @default 201 */
  postStatus: 200 | 201;
  /** Which last part the address of acknowledgements has. @default 'acknowledgement', as in the specification */
  acknowledgePath: 'acknowledgement' | 'acknowledge';
  /** Whether connections are shown without the time of their change. @default false */
  changedOnMissing: boolean;
  /** How long a long poll is held while there is nothing to say, in ms. @default 30000 */
  longPollHoldMs: number;
  /** How a long poll ends that had nothing to say; the words are bodies with `postStatus`. @default 204 */
  longPollEmpty: 204 | 304 | 408 | 504 | 'nothing' | '{}' | '[]' | 'null' | 'reset';
  /** How messages are written; an array and a page take up to 100 at once, `text` is no JSON. @default 'object' */
  longPollForm: 'object' | 'array' | 'paged' | 'text';
  /** How often each message is handed out again after the first time. @default 0 */
  redeliveries: number;

  /** By how much the `Date` header is off, in ms. @default 0 */
  dateSkewMs: number;
  /** Whether the `Date` header is left out. @default false */
  dateMissing: boolean;

  /** Which way of filling client_id and client_secret is taken. @default 'either' */
  credentials: 'either' | 'split' | 'whole';
  /** Status for credentials that are not taken. @default 401 */
  refusalStatus: 400 | 401;
  /** Status of a token that is given. @default 200 */
  tokenStatus: 200 | 201;
  /** @default 3600, as in the specification's sample */
  tokenLifetimeSeconds: number;
  /** Which field tells the end of a token; `jwt` leaves it to the token's `exp`, `opaque` tells nothing. @default 'expires_in' */
  tokenExpiry: 'expires_in' | 'expires_at' | 'both' | 'jwt' | 'opaque';

  /** The status that every request of a route meets, such as 404 or 405 where it does not exist. @default {} */
  failAlways: Partial<Record<RouteName, number>>;
  /** Each is used up by the first request that it fits. @default [] */
  failNext: Failure[];
  /** Share of the requests, from 0 to 1, that meet one of `failWith`; seeded. @default 0 */
  failShare: number;
  /** @default status 500, 502, 503, 504 and a reset */
  failWith: Failure[];
  /** How long every request waits, in ms. @default 0 */
  latencyMs: number;
}

/** Gives the settings of a platform that behaves well. */
export function noFaults(): Faults {
  return {
    id: '_id',
    timeField: 'createdAt',
    timeFormat: 'iso-ms',
    typeField: 'eventType',
    typeForm: 'string',
    actorField: 'user',
    actorForm: 'object',
    after: 'exclusive',
    before: 'exclusive',
    cutToSecond: 'none',
    refuseMilliseconds: false,
    ignoredFilters: [],
    order: 'descending',
    beforeEvents: null,
    lateMs: null,
    total: 'number',
    totalLagSeconds: 0,
    totalCap: Number.POSITIVE_INFINITY,
    pageIgnored: false,
    limitClamp: Number.POSITIVE_INFINITY,
    limitMax: 1000,
    envelope: 'paged',
    deepRows: Number.POSITIVE_INFINITY,
    deepAnswer: 'empty',
    heavyRows: Number.POSITIVE_INFINITY,
    heavyFailure: { status: 504 },
    types: 'strings',
    postStatus: 201,
    acknowledgePath: 'acknowledgement',
    changedOnMissing: false,
    longPollHoldMs: 30_000,
    longPollEmpty: 204,
    longPollForm: 'object',
    redeliveries: 0,
    dateSkewMs: 0,
    dateMissing: false,
    credentials: 'either',
    refusalStatus: 401,
    tokenStatus: 200,
    tokenLifetimeSeconds: 3600,
    tokenExpiry: 'expires_in',
    failAlways: {},
    failNext: [],
    failShare: 0,
    failWith: [{ status: 500 }, { status: 502 }, { status: 503 }, { status: 504 }, { reset: 'before' }],
    latencyMs: 0,
  };
}
