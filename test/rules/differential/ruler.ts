import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Pair } from './pairs.ts';

const VERSION = '2.1.0';

/** AWS's own matcher, in a process of its own. */
export interface Ruler {
  /** One answer for each pair, in order: `true`, `false`, or `error` and why the pattern is refused. */
  ask(pairs: readonly Pair[]): Promise<string[]>;
  stop(): Promise<void>;
}

/** Starts Ruler; needs Java 17 and, the first time on a machine, Maven and Maven Central. */
export function startRuler(): Ruler {
  const java = spawn(
    'java',
    [
      '-XX:TieredStopAtLevel=1',
      '-cp',
      join(fetchLibraries(), '*'),
      fileURLToPath(new URL('RulerLines.java', import.meta.url)),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const ended = once(java, 'exit');
  const lines = createInterface({ input: java.stdout })[Symbol.asyncIterator]();
  return {
    async ask(pairs) {
      // The empty line asks for the answers so far.
      java.stdin.write(`${pairs.map(({ pattern, event }) => JSON.stringify([pattern, event])).join('\n')}\n\n`);
      const answers: string[] = [];
      while (answers.length < pairs.length) {
        const { value, done } = await lines.next();
        if (done) throw new Error('Ruler ended before it had answered');
        answers.push(value);
      }
      return answers;
    },
    async stop() {
      java.stdin.end();
      await ended;
    },
  };
}

/** Outside the working copy, and whole or not at all, so that a run that was cut off is no trouble to the next. */
function fetchLibraries(): string {
  const folder = join(tmpdir(), `event-ruler-${VERSION}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.${process.pid}`;
  const pom = fileURLToPath(new URL('pom.xml', import.meta.url));
  execFileSync('mvn', ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${partial}`], {
    stdio: ['ignore', 2, 'inherit'],
  });
  renameSync(partial, folder);
  return folder;
}
