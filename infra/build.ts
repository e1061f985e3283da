import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { bundleAll, bundleCommand } from './bundle.ts';

/** Builds what the package ships: JavaScript and types of what others import, the bundles, and the `relay` command. */
await rm('dist', { recursive: true, force: true });
execFileSync('tsc', ['--project', 'tsconfig.build.json'], { stdio: 'inherit' });
await Promise.all([bundleAll('dist/bundles'), bundleCommand('dist/cli')]);
