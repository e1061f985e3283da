/** What every error of the relay carries: whether asking again later may help. */
abstract class RelayError extends Error {
  abstract override readonly name: string;
  abstract readonly retryable: boolean;
}

/** A setting is missing or wrong; `faults` names every one of them, and never a value of a secret. */
export class ConfigurationError extends RelayError {
  override readonly name = 'ConfigurationError';
  readonly retryable = false;
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`Configuration is wrong:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** Facts about a request that failed, safe to log: no query string, no header, no body but a shortened message. */
export interface RequestFailure {
  /** Method and path, e.g. `GET /users/events`. */
  readonly request: string;
  /** HTTP status; left out where no answer came. */
  readonly status?: number;
  /** How long the server asks to wait, in ms. */
  readonly retryAfterMs?: number | undefined;
  /** True where no whole answer came in time: ours ran out, or the server said 408 or 504. */
  readonly timedOut?: boolean;
  /** One line on what happened. */
  readonly reason: string;
  readonly cause?: unknown;
}

const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** The platform could not be reached or answered with a failing status. */
export class TransportError extends RelayError {
  override readonly name = 'TransportError';
  readonly retryable: boolean;
  readonly request: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly timedOut: boolean;

  constructor(failure: RequestFailure) {
    const status = failure.status === undefined ? '' : ` with ${failure.status}`;
    super(`Request failed${status}: ${failure.request}: ${failure.reason}`, { cause: failure.cause });
    this.request = failure.request;
    this.status = failure.status;
    this.retryAfterMs = failure.retryAfterMs;
    this.timedOut = failure.timedOut ?? (failure.status === 408 || failure.status === 504);
    this.retryable = failure.status === undefined || RETRYABLE_STATUSES.has(failure.status);
  }
}

/** The platform has no such address, or not for us: a wrong prefix, an unknown interface, no licence. */
export class NotServedError extends RelayError {
  override readonly name = 'NotServedError';
  readonly retryable = false;
}

/** The platform answered with something that the specification does not allow. */
export class ProtocolError extends RelayError {
  override readonly name = 'ProtocolError';
  readonly retryable = false;
}

/** The platform refuses the API key. Only a person can mend that. */
export class AuthenticationError extends RelayError {
  override readonly name = 'AuthenticationError';
  readonly retryable = false;
}

/** EventBridge refuses what no retry and no parking can mend, e.g. a missing permission or bus. */
export class PublishError extends RelayError {
  override readonly name = 'PublishError';
  readonly retryable: boolean;

  constructor(message: string, options: ErrorOptions & { retryable?: boolean } = {}) {
    super(message, options);
    this.retryable = options.retryable ?? false;
  }
}

/** Another process advances the stream now; what was accepted so far stays recorded. */
export class LostLeaseError extends RelayError {
  override readonly name = 'LostLeaseError';
  readonly retryable = true;
}

/** The time given to a run is used up. Not a fault: progress is kept and the next run goes on. */
export class DeadlineError extends RelayError {
  override readonly name = 'DeadlineError';
  readonly retryable = true;

  /** @param cause what went wrong again and again until the time was up, if anything did */
  constructor(doing: string, cause?: unknown) {
    super(`The run's time is used up while ${doing}`, { cause });
  }
}
