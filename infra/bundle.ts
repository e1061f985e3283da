import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { leanPlugin } from './lean-plugin.ts';

const ROOT = new URL('../', import.meta.url);
/** The functions that run in Lambda, by the name of their file. */
const FUNCTIONS = ['poller', 'notifier', 'profile-updater'] as const;

/**
 * How every process is bundled: modules where a package has them, since the CommonJS builds of the SDK are twice the size
 * and fail on a dynamic `require`.
 */
export const BUNDLING = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  // Packages written in CommonJS ask for Node's own modules this way.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
} as const satisfies BuildOptions;

/**
 * Bundles a Lambda function: what a Lambda never uses is left out. Gives the size in bytes.
 * Without a source map, which would be four times the bundle and part of every cold start: the same commit gives the
 * same bundle, so a map can be made when one is needed.
 */
export async function bundleFunction(options: { entry: string; outfile: string }): Promise<number> {
  const { entry, outfile } = options;
  await build({ ...BUNDLING, entryPoints: [entry], outfile, plugins: [leanPlugin()] });
  return (await readFile(outfile)).length;
}

/** Bundles the adapter beside its Dockerfile: the folder is all that the image is built from. */
async function bundleAdapter(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await build({
    ...BUNDLING,
    entryPoints: [source('adapter.ts')],
    outfile: `${folder}/adapter.mjs`,
    // The image takes one file, and starts once: there a map makes crash logs readable at no cost.
    sourcemap: 'inline',
    sourcesContent: false,
  });
  await copyFile(source('adapter.Dockerfile'), `${folder}/Dockerfile`);
}

/** Bundles everything that a stack runs: a folder a process. */
export async function bundleAll(folder: string): Promise<void> {
  await Promise.all([
    ...FUNCTIONS.map((name) =>
      bundleFunction({ entry: source(`${name}.ts`), outfile: `${folder}/${name}/${name}.mjs` }),
    ),
    bundleAdapter(`${folder}/adapter`),
  ]);
}

/** Bundles the `relay` command with all that it needs; what few of its commands use is a file of its own. */
export async function bundleCommand(folder: string): Promise<void> {
  await build({
    ...BUNDLING,
    entryPoints: [fileURLToPath(new URL('cli/main.ts', ROOT))],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    splitting: true,
  });
}

const source = (name: string): string => fileURLToPath(new URL(`functions/${name}`, ROOT));
