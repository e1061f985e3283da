import { fork } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { endOfLog, type RunnerReply, type RunnerRequest } from './function-protocol.ts';

/** A process in which a handler module runs. */
export interface FunctionProcess {
  /** Resolves when the module is imported; rejects with why the process ended before that. */
  readonly ready: Promise<unknown>;
  /** False from the moment the process begins to end. */
  isAlive(): boolean;
  /**
   * Resolves with the reply; that of a call after all lines the call wrote were told.
   * @throws {Error} how the process ended, e.g. `signal: SIGKILL`, where it ended before
   */
  ask(request: RunnerRequest): Promise<RunnerReply>;
  /** Ends the process; resolves when it is gone and everything it wrote was told. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Resolves when the process is gone and everything it wrote was told. */
  readonly ended: Promise<void>;
}

interface Waiting {
  /** How many signs are still to come: the reply, and the end of the log on both streams. */
  left: number;
  reply?: RunnerReply;
  readonly resolve: (reply: RunnerReply) => void;
  readonly reject: (error: Error) => void;
}

const RUNNER = fileURLToPath(new URL('./function-runner.ts', import.meta.url));

/** Starts a process that sees nothing of this one's environment but the path. */
export function startFunctionProcess(options: {
  /** Address of the handler module. */
  readonly moduleUrl: string;
  readonly env: Readonly<Record<string, string>>;
  /** Is told every line of stdout and stderr. */
  readonly onLog: (line: string) => void;
}): FunctionProcess {
  const { moduleUrl, env, onLog } = options;
  const child = fork(RUNNER, [moduleUrl], {
    env: { PATH: process.env.PATH ?? '', ...env },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const waiting = new Map<string, Waiting>();
  let endedBy: Error | undefined;

  function expectReply(id: string, left: number): Promise<RunnerReply> {
    if (endedBy) return Promise.reject(endedBy);
    return new Promise((resolve, reject) => waiting.set(id, { left, resolve, reject }));
  }

  function arrive(id: string, reply?: RunnerReply): void {
    const entry = waiting.get(id);
    if (!entry) return;
    entry.left--;
    if (reply) entry.reply = reply;
    if (entry.left > 0 || !entry.reply) return;
    waiting.delete(id);
    entry.resolve(entry.reply);
  }

  function onLine(line: string): void {
    const end = line.indexOf(endOfLog(''));
    if (end !== 0 && line !== '') onLog(end < 0 ? line : line.slice(0, end));
    if (end >= 0) arrive(line.slice(end + endOfLog('').length));
  }

  child.on('message', (reply: RunnerReply) => arrive(reply.id, reply));
  eachLine(child.stdout as Readable, onLine);
  eachLine(child.stderr as Readable, onLine);
  // `close` comes after `exit`, when pipes and messages are read to their end.
  const ended = new Promise<void>((resolve) => {
    child.on('close', (code, signal) => {
      endedBy = new Error(signal === null ? `exit status ${code}` : `signal: ${signal}`);
      for (const entry of waiting.values()) entry.reject(endedBy);
      resolve();
    });
  });
  const ready = expectReply('ready', 1);
  // Whoever needs it waits for it; a process killed while it starts is no fault of its own.
  ready.catch(() => undefined);

  return {
    ready,
    ended,
    isAlive: () => child.connected && child.exitCode === null && child.signalCode === null,
    ask: (request) => {
      const reply = expectReply(request.id, request.kind === 'invoke' ? 3 : 1);
      // Where it cannot be sent the process is ending, and `close` says how.
      child.send(request, () => undefined);
      return reply;
    },
    kill: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Tells every line of a stream; splits at line feeds only, because a JSON line may hold other separators. */
export function eachLine(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(onLine);
  });
  stream.on('end', () => onLine(rest));
}
