import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ConfigurationError } from '../shared/errors.ts';
import { acknowledgeFindings } from './acknowledged-findings.ts';
import { bundleAll } from './bundle.ts';
import { readTenants } from './read-tenants.ts';
import { RelayStack } from './relay-stack.ts';

try {
  await main();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.faults.join('\n')}\n`);
  process.exitCode = 2;
}

/** A stack for every tenant of `-c tenant=a,b`, or for all. */
async function main(): Promise<void> {
  const app = new App();
  const named: unknown = app.node.tryGetContext('tenant');
  const tenants = await readTenants({
    folder: 'tenants',
    ...(typeof named === 'string' && { ids: named.split(',') }),
  });
  const bundles = `${app.outdir}/bundles`;
  await bundleAll(bundles);
  for (const tenant of tenants) acknowledgeFindings(new RelayStack(app, { tenant, bundles }));
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
}
