import type { PollResult } from '../shared/relay/poller.ts';
import { FunctionError } from './aws/function-host.ts';
import { findComplaint } from './complaint.ts';
import type { Outcome, Status } from './terminal/view.ts';

/** Calls the poller again and again and keeps count. */
export interface Polling {
  /**
   * Calls it once; a fault that may pass is told and no more.
   * @throws {FunctionError} of type AuthenticationError or ConfigurationError, where only a person can help
   */
  poll(): Promise<void>;
  /** Looks at a line of its log for complaints. */
  watchLog(line: string): void;
}

/** What no further poll can mend; and a key that is refused must not be tried again and again. */
const FATAL: ReadonlySet<string> = new Set(['AuthenticationError', 'ConfigurationError']);

/** Makes the polling of a run. */
export function createPolling(parts: {
  invoke: () => Promise<unknown>;
  /** Is kept up to date. */
  status: Status;
  /** Is told what every poll came to. */
  onPoll: (outcome: Outcome) => void;
  clock: () => number;
}): Polling {
  const { invoke, status, onPoll, clock } = parts;
  let complaint: string | undefined;

  function settle(outcome: Outcome): void {
    const { fault } = outcome;
    status.polls += 1;
    delete status.pollingSinceMs;
    if (fault !== undefined) status.lastFault = { atMs: clock(), message: fault, over: false };
    else if (status.lastFault) status.lastFault.over = true;
    onPoll(outcome);
  }

  return {
    async poll() {
      complaint = undefined;
      status.pollingSinceMs = clock();
      try {
        const result = (await invoke()) as PollResult;
        if (result.skipped === undefined) {
          status.known += result.known;
          status.parked += result.parked;
          status.mark = result.mark;
          status.checkedThrough = result.checkedThrough;
        } else {
          complaint = 'A run that was ended at once still holds the lease; it lapses by itself within a minute';
        }
        settle({ result, ...(complaint !== undefined && { fault: complaint }) });
      } catch (error) {
        if (!(error instanceof FunctionError)) throw error;
        settle({ fault: `${error.errorType}: ${error.errorMessage}` });
        if (FATAL.has(error.errorType)) throw error;
      }
    },
    watchLog(line) {
      complaint = findComplaint(line) ?? complaint;
    },
  };
}
