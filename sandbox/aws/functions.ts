import { setTimeout as sleep } from 'node:timers/promises';
import type { Destination } from './destination.ts';
import { FunctionError, type FunctionHost } from './function-host.ts';

/** The functions of an account, as rules call them. */
export interface Functions {
  /** Gives a function a name, and tells the ARN that rules find it by. */
  add(name: string, host: Pick<FunctionHost, 'invoke'>): string;
  find(arn: string): Destination | undefined;
  /** Tries nothing again and waits for the calls under way; the hosts are closed by whoever made them. */
  close(): Promise<void>;
}

/**
 * What Lambda waits before it tries an asynchronous call again, twice.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
const RETRY_MS = [60_000, 120_000] as const;

/** Keeps functions that rules call: a call is taken at once, and a failure is Lambda's own affair, not the rule's. */
export function createFunctions(options: {
  readonly region: string;
  readonly accountId: string;
  /** Is told what a call failed with, each time. */
  readonly onFailure: (name: string, error: FunctionError) => void;
  /** What is waited before a failed call is tried again, in ms, once for each. @default 60000 and 120000 */
  readonly retryMs?: readonly number[];
}): Functions {
  const { region, accountId, onFailure, retryMs = RETRY_MS } = options;
  const functions = new Map<string, Destination>();
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();

  async function call(name: string, { host, event }: { host: Pick<FunctionHost, 'invoke'>; event: unknown }) {
    for (const waitMs of [0, ...retryMs]) {
      await sleep(waitMs, undefined, { signal: closing.signal }).catch(() => undefined);
      if (closing.signal.aborted) return;
      try {
        await host.invoke(event);
        return;
      } catch (error) {
        if (!(error instanceof FunctionError)) throw error;
        onFailure(name, error);
      }
    }
  }

  return {
    add(name, host) {
      const arn = `arn:aws:lambda:${region}:${accountId}:function:${name}`;
      functions.set(arn, {
        async accept({ body }) {
          const work = call(name, { host, event: JSON.parse(body) }).finally(() => underWay.delete(work));
          underWay.add(work);
        },
      });
      return arn;
    },
    find: (arn) => functions.get(arn),
    async close() {
      closing.abort();
      await Promise.all(underWay);
    },
  };
}
