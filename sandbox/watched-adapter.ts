import { readConfig } from '../shared/config.ts';
import { ADAPTER_MODULE, startAdapter } from './adapter-process.ts';
import { findComplaint } from './complaint.ts';
import type { Platform } from './platform/platform.ts';
import type { Place } from './terminal/view.ts';

/** An adapter that runs until the program is to end. */
export interface WatchedAdapter {
  /** Asks it to end, once; resolves when it has, with everything settled that it was handed. */
  stop(): Promise<void>;
}

/** How often the made-up platform is asked to let go of a poll, until the adapter has ended. */
const RELEASE_EVERY_MS = 100;

/** Says what `RELAY_ADAPTER` asks for; undefined where it does not. */
export function describeAdapter(env: Readonly<Record<string, string>>): Place['adapter'] {
  const { adapter } = readConfig(env);
  return adapter && { module: ADAPTER_MODULE, interfaces: adapter.interfaces.map(({ name }) => name) };
}

/** Starts the adapter, and stops it once `signal` aborts. */
export function watchAdapter(parts: {
  env: Readonly<Record<string, string>>;
  interfaces: readonly string[];
  /** Left out where it is a real one. */
  platform: Platform | undefined;
  signal: AbortSignal;
  onLog: (line: string) => void;
  /** Is told what it complains of, and when it ends by itself. */
  onFault: (message: string) => void;
}): WatchedAdapter {
  const { env, interfaces, platform, signal, onLog, onFault } = parts;
  const adapter = startAdapter({
    env,
    onLog: (line) => {
      const complaint = findComplaint(line);
      if (complaint !== undefined) onFault(complaint);
      onLog(line);
    },
    onEnd: (how) => onFault(`it ended with ${how} and is started again`),
  });
  let stopped: Promise<void> | undefined;
  signal.addEventListener('abort', stop);

  function stop(): Promise<void> {
    stopped ??= end();
    return stopped;
  }

  async function end(): Promise<void> {
    // A poll that hangs is waited for, because it may bring something; nobody wants to wait half a minute here.
    const releasing = setInterval(() => {
      for (const name of interfaces) platform?.adapter.release(name);
    }, RELEASE_EVERY_MS);
    await adapter.stop().finally(() => clearInterval(releasing));
  }

  return { stop };
}
