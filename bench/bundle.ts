import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { BUNDLING, bundleFunction } from '../infra/bundle.ts';

const run = promisify(execFile);

/** What the poller's bundle costs, beside one of the three SDK clients alone, bundled the same way. */
export interface BundleCost {
  readonly bytes: number;
  readonly bareBytes: number;
  /** Medians, each import in a process of its own. */
  readonly importMs: number;
  readonly bareImportMs: number;
  /** Median over pairs: the import of the poller to that of the clients. */
  readonly ratio: number;
}

/** Bundles both and imports them in turn, a process an import, so often. */
export async function measureBundle(pairs: number): Promise<BundleCost> {
  const folder = await mkdtemp(join(tmpdir(), 'relay-bench-'));
  try {
    const poller = join(folder, 'poller.mjs');
    const bare = join(folder, 'bare.mjs');
    const bytes = await bundleFunction({ entry: 'functions/poller.ts', outfile: poller });
    await build({ ...BUNDLING, entryPoints: ['bench/bare-clients.ts'], outfile: bare });
    // Once without looking, so that both files are in memory.
    await Promise.all([timeImport(poller), timeImport(bare)]);
    const times: { pollerMs: number; bareMs: number }[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      times.push({ pollerMs: await timeImport(poller), bareMs: await timeImport(bare) });
    }
    return {
      bytes,
      bareBytes: (await stat(bare)).size,
      importMs: median(times.map(({ pollerMs }) => pollerMs)),
      bareImportMs: median(times.map(({ bareMs }) => bareMs)),
      ratio: median(times.map(({ pollerMs, bareMs }) => pollerMs / bareMs)),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Says it in two lines. */
export function describeBundle({ bytes, bareBytes, importMs, bareImportMs, ratio }: BundleCost): string {
  const kb = (size: number) => `${Math.round(size / 1000)} KB`;
  return (
    `The bundle of the poller has ${kb(bytes)}; the three SDK clients alone ${kb(bareBytes)}.\n` +
    `Its import takes ${importMs.toFixed(0)} ms, theirs ${bareImportMs.toFixed(0)} ms: ${ratio.toFixed(2)} times as long.\n`
  );
}

async function timeImport(file: string): Promise<number> {
  const code = `const begun = performance.now(); await import(${JSON.stringify(file)}); console.log(performance.now() - begun)`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code]);
  return Number(stdout);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

if (import.meta.main) process.stdout.write(describeBundle(await measureBundle(15)));
