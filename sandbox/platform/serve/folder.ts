import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kept } from '../kept.ts';
import type { TrailRow } from '../trail.ts';

/** Where a platform is kept between two runs: its state in one file, its audit trail line by line in another. */
export interface Folder {
  /** What the last run left; undefined before the first. */
  readonly state: Kept | undefined;
  /** The audit trail of all runs. */
  readonly rows: TrailRow[];
  /** Replaces the state, whole or not at all. */
  save(state: Kept): void;
  /** Adds to the audit trail; on disk before anyone is shown it. */
  append(rows: readonly TrailRow[]): void;
}

/** Opens a folder, which is made where there is none. @throws where it cannot be written or holds something else */
export function openFolder(path: string): Folder {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const statePath = join(path, 'platform.json');
  const trailPath = join(path, 'trail.jsonl');
  let saved = existsSync(statePath) ? readFileSync(statePath, 'utf8') : undefined;
  // Without a state there was no platform to speak of: its past is made up again.
  const rows = saved === undefined ? [] : readRows(trailPath);
  // A line that a crash cut off is gone for good: what follows has to begin on a line of its own.
  writeFileSync(trailPath, rows.map(writeRow).join(''), { mode: 0o600 });

  return {
    state: saved === undefined ? undefined : (JSON.parse(saved) as Kept),
    rows,
    save(state) {
      const text = JSON.stringify(state);
      if (text === saved) return;
      writeFileSync(`${statePath}.new`, text, { mode: 0o600 });
      renameSync(`${statePath}.new`, statePath);
      saved = text;
    },
    append: (added) => appendFileSync(trailPath, added.map(writeRow).join('')),
  };
}

const writeRow = (row: TrailRow) => `${JSON.stringify(row)}\n`;

function readRows(path: string): TrailRow[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  lines.pop();
  return lines.map((line) => JSON.parse(line) as TrailRow);
}
