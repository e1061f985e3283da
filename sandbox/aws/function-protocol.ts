/** Asks a runner for something. */
export type RunnerRequest =
  | { readonly kind: 'invoke'; readonly id: string; readonly eventJson: string; readonly context: RunnerContext }
  | { readonly kind: 'usage'; readonly id: string };

/** What a handler learns about its call. */
export interface RunnerContext {
  readonly functionName: string;
  /** A text, as in Lambda. */
  readonly memoryLimitInMB: string;
  readonly timeoutMs: number;
}

/** An error as Lambda writes it. */
export interface ErrorPayload {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace: readonly string[];
}

/** What a process used since it started. */
export interface Usage {
  /** CPU time of all its threads, user and system. */
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly peakRssBytes: number;
  readonly heapUsedBytes: number;
}

/** What a runner tells. */
export type RunnerReply =
  | { readonly kind: 'ready'; readonly id: 'ready' }
  | { readonly kind: 'result'; readonly id: string; readonly resultJson: string }
  | { readonly kind: 'error'; readonly id: string; readonly error: ErrorPayload }
  | { readonly kind: 'usage'; readonly id: string; readonly usage: Usage };

/** Ends what a call wrote to stdout and to stderr, because pipes and messages keep no order between them. */
export const endOfLog = (id: string): string => `\0end ${id}`;
