import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eachLine } from './aws/function-process.ts';

/** The adapter, as the service that runs it would: started again where it ends by itself. */
export interface AdapterProcess {
  /** Asks it to end, and waits for that. */
  stop(): Promise<void>;
}

/** Where the adapter is, from the top of the project. */
export const ADAPTER_MODULE = 'functions/adapter.ts';

const LEASH = new URL('./leash.ts', import.meta.url).href;
/** What is waited before it is started again. */
const RESTART_MS = 5_000;

/** Starts the adapter in a process of its own, which sees nothing of this one's environment but the path. */
export function startAdapter(options: {
  readonly env: Readonly<Record<string, string>>;
  /** Is told every line it writes. */
  readonly onLog: (line: string) => void;
  /** Is told how it ended when nobody asked it to, e.g. `exit code 1`. */
  readonly onEnd: (how: string) => void;
}): AdapterProcess {
  const { env, onLog, onEnd } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const ended = keepRunning();

  async function keepRunning(): Promise<void> {
    while (!signal.aborted) {
      const how = await runOnce();
      if (signal.aborted) return;
      onEnd(how);
      await sleep(RESTART_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async function runOnce(): Promise<string> {
    const child = fork(fileURLToPath(new URL(`../${ADAPTER_MODULE}`, import.meta.url)), {
      env: { PATH: process.env.PATH ?? '', ...env },
      execArgv: ['--import', LEASH],
      // In a group of its own: a Ctrl-C of the terminal and the signal that follows it would be two.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const end = () => void child.kill('SIGTERM');
    signal.addEventListener('abort', end);
    eachLine(child.stdout as Readable, onLog);
    eachLine(child.stderr as Readable, onLog);
    const [code, by] = await once(child, 'close');
    signal.removeEventListener('abort', end);
    return by === null ? `exit code ${code}` : `signal ${by}`;
  }

  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
