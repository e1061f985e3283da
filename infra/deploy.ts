import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ConfigurationError } from '../shared/errors.ts';
import { readTenants } from './read-tenants.ts';

const HELP = `Usage: npm run deploy -- <tenant>... [options of cdk deploy]

Deploys these tenants, each described by tenants/<tenant>.json. The CDK asks before it widens permissions;
--require-approval never does not ask, --no-execute prepares the change and leaves it at that.
`;

const args = process.argv.slice(2);
const ids = args.slice(
  0,
  args.concat('-').findIndex((arg) => arg.startsWith('-')),
);
if (ids.length === 0 || args.includes('--help')) {
  process.stdout.write(HELP);
  process.exitCode = args.includes('--help') ? 0 : 2;
} else {
  process.exitCode = await deploy(ids, args.slice(ids.length));
}

/** Deploys tenants whose files are right; gives the exit code. */
async function deploy(tenants: readonly string[], options: readonly string[]): Promise<number> {
  try {
    await readTenants({ folder: 'tenants', ids: tenants });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${error.faults.join('\n')}\n`);
    return 2;
  }
  const cdk = fileURLToPath(import.meta.resolve('aws-cdk/bin/cdk'));
  // The app has the stacks of these tenants alone.
  const command = [cdk, 'deploy', '--all', '--context', `tenant=${tenants.join(',')}`, ...options];
  const [code] = await once(spawn(process.execPath, command, { stdio: 'inherit' }), 'exit');
  return code ?? 1;
}
