import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Summary } from './many.ts';
import type { ScenarioFixed } from './scenario.ts';
import type { Check } from './watch.ts';

/** One way to break the relay, and what must notice. */
interface Mutation {
  readonly name: string;
  /** File, text that occurs there once, and what is put in its place. */
  readonly edits: readonly (readonly [file: string, text: string, broken: string])[];
  readonly checks: readonly Check[];
  /** Runs within which it has to be noticed; most took fewer than ten, the wrong `total` 98. */
  readonly within: number;
  readonly fixed?: ScenarioFixed;
}

const ROOT = new URL('../../', import.meta.url).pathname;
const DAY = 86_400;

const mutations: Mutation[] = [
  {
    name: 'rungs that follow the head without a look of their own',
    edits: [
      [
        'shared/relay/ladder.ts',
        'if (window.fromSeconds <= cursor + 1) {',
        'if (rung > 0 || window.fromSeconds <= cursor + 1) {',
      ],
    ],
    checks: ['cursor passes only what is published'],
    within: 100,
  },
  {
    name: 'no overlap and no rungs',
    edits: [
      [
        'shared/relay/poller.ts',
        'const cursors = placeCursors(ladder, mark);',
        'const cursors = placeCursors(ladder, mark); cursors.length = 1;',
      ],
      [
        'shared/relay/ladder.ts',
        'const { agesSeconds } = ladder;\n  const rungs',
        'const agesSeconds = [0];\n  const rungs',
      ],
      [
        'shared/relay/ladder.ts',
        '[String(age), cursors[rung] as number]',
        '[String(age), (cursors[0] as number) - age]',
      ],
    ],
    checks: ['cursor passes only what is published', 'nothing lost'],
    within: 100,
  },
  {
    name: 'a mark that follows the latest event',
    edits: [
      [
        'shared/relay/relay.ts',
        'const observedAtMs = clock();',
        'Object.assign(counts, { latest: Math.max(0, ...wanted.map(({ timeMs }) => timeMs ?? 0)) }); const observedAtMs = clock();',
      ],
      [
        'shared/relay/ladder.ts',
        'Math.min(trusted - age, window.toSeconds ?? trusted)',
        '(rung > 0 ? Math.min(trusted - age, window.toSeconds ?? trusted) : Math.floor((counts.latest ?? 0) / 1000))',
      ],
    ],
    checks: ['cursor passes only what is published', 'comes to the end', 'cursor never passes a clock'],
    within: 100,
  },
  {
    name: 'a mark that is moved before its window is published',
    edits: [
      [
        'shared/relay/ladder.ts',
        'const whole = await stride.pass(',
        'cursors[0] = Math.max(cursors[0], Math.min(window.toSeconds ?? Infinity, toSeconds(clock() + Math.min(0, skewMs)) - 1)); const whole = await stride.pass(',
      ],
    ],
    checks: ['cursor passes only what is published', 'cursor never passes a clock'],
    within: 100,
  },
  {
    name: 'the results of single entries not looked at',
    edits: [
      [
        'shared/relay/publish.ts',
        "const fault = faults === 'refused' ? REFUSED : faults[index];",
        'const fault = undefined;',
      ],
    ],
    checks: ['cursor passes only what is published', 'nothing lost'],
    within: 100,
  },
  {
    name: 'a mark that is saved whatever the epoch, and a lease that everybody gets',
    edits: [
      ['test/simulation/table.ts', 'if (mark?.epoch !== epoch) return false;', ''],
      ['test/simulation/table.ts', 'if (!(lease.endMs < nowMs || lease.owner === owner)) return undefined;', ''],
    ],
    checks: ['cursor never goes back'],
    within: 500,
    fixed: { rates: { 'two invocations at once': 0.5, 'process freezes': 0.4 } },
  },
  {
    name: 'a mark that is saved whatever the epoch',
    edits: [['test/simulation/table.ts', 'if (mark?.epoch !== epoch) return false;', '']],
    checks: ['cursor never goes back'],
    within: 500,
    fixed: { rates: { 'process freezes': 0.4 } },
  },
  {
    name: 'a `total` that ends a read',
    edits: [
      [
        'shared/relay/read.ts',
        'const proven = !promised && (count',
        'const proven = !promised && (total !== undefined || count',
      ],
    ],
    checks: ['cursor passes only what is published', 'nothing lost'],
    within: 1_000,
  },
  {
    name: 'a ledger that files ids by when they were seen',
    edits: [
      ['shared/relay/ledger.ts', 'const BUCKET_MS = 300_000;', 'const BUCKET_MS = 300_000; let now = () => 0;'],
      [
        'shared/relay/ledger.ts',
        'const buckets = new Map<string, Set<string>>();',
        'now = clock; const buckets = new Map<string, Set<string>>();',
      ],
      ['shared/relay/ledger.ts', 'Math.floor(timeMs / BUCKET_MS)', 'Math.floor(now() / BUCKET_MS)'],
    ],
    checks: ['no repeat without cause'],
    within: 100,
  },
  {
    name: 'a ledger that keeps an id for 30 days from the time of its event',
    edits: [
      [
        'shared/relay/ledger.ts',
        'at + MOST_IDS_AN_ITEM), expiresAtSeconds }',
        "at + MOST_IDS_AN_ITEM), expiresAtSeconds: (Date.parse(bucket + 'Z') || clock()) / 1000 + KEPT_SECONDS }",
      ],
    ],
    checks: ['no repeat without cause'],
    within: 1_000,
    fixed: {
      ...{ startBackSeconds: 40 * DAY, pastShare: 0.5, pastSeconds: 40 * DAY },
      rates: { 'process crashes': 0.3, 'platform 503': 0.1 },
    },
  },
  {
    name: 'a page that is left at the first known id',
    edits: [
      ['shared/relay/relay.ts', 'if (known.has(sighting.id)) counts.known += 1;', 'if (known.has(sighting.id)) break;'],
    ],
    checks: ['cursor passes only what is published', 'nothing lost'],
    within: 100,
  },
  {
    name: 'a ledger that is written before the bus has the events',
    edits: [
      [
        'shared/relay/relay.ts',
        'const settlement = await publisher.publish(',
        'await ledger.record(fresh); const settlement = await publisher.publish(',
      ],
    ],
    checks: ['cursor passes only what is published', 'nothing lost'],
    within: 200,
  },
  {
    name: 'a replay that tells nobody what it published',
    edits: [['shared/relay/poller.ts', 'await passed.finally(() => marks.countReplay())', 'await passed']],
    checks: ['no repeat without cause'],
    within: 500,
    fixed: { replays: 20, rates: { 'platform slow': 0.2 } },
  },
];

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Copies relay and simulation, and breaks the copy. */
function breakCopy({ edits }: Pick<Mutation, 'edits'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'mutation-'));
  folders.push(folder);
  for (const part of ['shared', 'test/simulation', 'package.json'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  for (const [file, text, broken] of edits) {
    const path = join(folder, file);
    const pieces = readFileSync(path, 'utf8').split(text);
    expect(pieces, `${file} has once: ${text}`).toHaveLength(2);
    writeFileSync(path, pieces.join(broken));
  }
  return folder;
}

function play(folder: string, { within, fixed = {} }: Pick<Mutation, 'within' | 'fixed'>): Summary {
  const main = join(folder, 'test/simulation/main.ts');
  const options = ['--json', '--seed', '1', '--runs', String(within), '--fixed', JSON.stringify(fixed)];
  const { stdout, stderr } = spawnSync(process.execPath, [main, ...options], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Summary;
}

test.each(mutations)('notices $name', { timeout: 120_000 }, (mutation) => {
  const { failures } = play(breakCopy(mutation), mutation);
  expect(mutation.checks).toContain(failures[0]?.violation.check);
});
