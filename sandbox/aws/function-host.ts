import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { type FunctionProcess, startFunctionProcess } from './function-process.ts';
import type { ErrorPayload, RunnerRequest, Usage } from './function-protocol.ts';

/** A call of a function failed; carries what Lambda answers then. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
  /** Name of the handler's error, or `Sandbox.Timedout` or `Runtime.ExitError`. */
  readonly errorType: string;
  readonly errorMessage: string;
  /** Lines of the handler's stack. */
  readonly trace: readonly string[];

  constructor({ errorType, errorMessage, trace }: ErrorPayload, options?: ErrorOptions) {
    super(`${errorType}: ${errorMessage}`, options);
    this.errorType = errorType;
    this.errorMessage = errorMessage;
    this.trace = trace;
  }
}

/** A stand-in for a Lambda function with one instance. */
export interface FunctionHost {
  /**
   * Calls the handler, in a new process where there is none; calls wait for each other.
   * @throws {FunctionError}
   */
  invoke(event: unknown): Promise<unknown>;
  /** What the process used since it started; undefined where none runs. */
  usage(): Promise<Usage | undefined>;
  /** Ends the process as a crash does; resolves when it is gone. The next call starts a new one. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Ends the process and refuses further calls. */
  close(): Promise<void>;
}

/** Lambda gives an import 10 s; a busy machine gets more. */
const IMPORT_TIMEOUT_MS = 60_000;

/**
 * Sets up a function as Lambda would run it: warm between calls, killed at its time-out, its own process and environment.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
 */
export function createFunction(options: {
  /** A module that exports `handler(event, context)`; address or path. */
  readonly module: URL | string;
  /** All that the process sees besides PATH. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Is told every line the process writes; left out, they are lost. */
  readonly onLog?: (line: string) => void;
  /** @default 'function' */
  readonly name?: string;
  /** What the context says; nothing limits it. @default 512 */
  readonly memoryMb?: number;
}): FunctionHost {
  const { module, env, timeoutMs, onLog = () => undefined, name = 'function', memoryMb = 512 } = options;
  const moduleUrl = String(typeof module === 'string' ? pathToFileURL(module) : module);
  const context = { functionName: name, memoryLimitInMB: String(memoryMb), timeoutMs };
  let current: FunctionProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  async function run(event: unknown): Promise<unknown> {
    const id = randomUUID();
    if (!current?.isAlive()) await current?.ended;
    if (closed) throw failure({ id, errorType: 'Runtime.ExitError', reason: 'The function is closed' });
    if (!current?.isAlive()) current = startFunctionProcess({ moduleUrl, env, onLog });
    const runner = current;
    const request: RunnerRequest = { kind: 'invoke', id, eventJson: JSON.stringify(event) ?? 'null', context };
    await within(IMPORT_TIMEOUT_MS, { id, runner, work: runner.ready });
    const reply = await within(timeoutMs, { id, runner, work: runner.ask(request) });
    if (reply.kind === 'error') throw new FunctionError(reply.error);
    return reply.kind === 'result' ? JSON.parse(reply.resultJson) : undefined;
  }

  return {
    invoke: (event) => {
      const result = last.then(() => run(event));
      last = result.catch(() => undefined);
      return result;
    },
    usage: async () => {
      const runner = current;
      if (!runner?.isAlive()) return undefined;
      const reply = await runner.ready
        .then(() => runner.ask({ kind: 'usage', id: randomUUID() }))
        .catch((): undefined => undefined);
      return reply?.kind === 'usage' ? reply.usage : undefined;
    },
    kill: async (signal) => {
      await current?.kill(signal);
    },
    close: async () => {
      closed = true;
      await current?.kill('SIGKILL');
      await last;
    },
  };
}

/** Waits for what a process does, and kills it when that takes too long. */
async function within<T>(
  limitMs: number,
  { id, runner, work }: { id: string; runner: FunctionProcess; work: Promise<T> },
): Promise<T> {
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    void runner.kill('SIGKILL');
  }, limitMs);
  try {
    return await work;
  } catch (error) {
    const seconds = (limitMs / 1000).toFixed(2);
    throw timedOut
      ? failure({ id, errorType: 'Sandbox.Timedout', reason: `Task timed out after ${seconds} seconds` })
      : failure({
          id,
          errorType: 'Runtime.ExitError',
          reason: `Runtime exited with error: ${(error as Error).message}`,
        });
  } finally {
    clearTimeout(timer);
  }
}

function failure({ id, errorType, reason }: { id: string; errorType: string; reason: string }): FunctionError {
  return new FunctionError({ errorType, errorMessage: `RequestId: ${id} Error: ${reason}`, trace: [] });
}
