import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { App, CfnResource, type Stack } from 'aws-cdk-lib';
import { bundleAll } from '../../infra/bundle.ts';
import { RelayStack } from '../../infra/relay-stack.ts';
import type { TenantInput } from '../../infra/tenant.ts';
import { ACCOUNT, type Ministack, REGION } from './ministack.ts';

const run = promisify(execFile);
/** What the emulator's CloudFormation does not know. */
const UNKNOWN = new Set([
  'AWS::Events::Archive',
  'AWS::Events::EventBusPolicy',
  'AWS::EventSchemas::Registry',
  'AWS::EventSchemas::Schema',
]);

/** What a deployment left behind. */
export interface Deployed {
  /** The stack's outputs, by name. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The bundles that were deployed. */
  readonly bundles: string;
  /** What was taken out of the template, by type and place. */
  readonly leftOut: readonly string[];
  remove(): Promise<void>;
}

/** Bundles, synthesises, bootstraps and deploys a tenant with the CDK's own command. */
export async function deployTenant(ministack: Ministack, tenant: TenantInput): Promise<Deployed> {
  const folder = await mkdtemp(join(tmpdir(), 'relay-deploy-'));
  const bundles = join(folder, 'bundles');
  const assembly = join(folder, 'assembly');
  await bundleAll(bundles);
  const app = new App({ outdir: assembly });
  const stack = new RelayStack(app, { tenant, bundles });
  const leftOut = leaveOut(stack);
  app.synth();
  const env = { PATH: process.env.PATH, HOME: folder, CI: 'true', NO_COLOR: '1', ...ministack.env };
  const cdk = (...args: string[]) => run('cdk', [...args, '--app', assembly], { env, cwd: folder });
  await cdk('bootstrap', `aws://${ACCOUNT}/${REGION}`);
  await cdk('deploy', '--require-approval', 'never', '--method', 'direct', '--outputs-file', 'outputs.json');
  const outputs = JSON.parse(await readFile(join(folder, 'outputs.json'), 'utf8'));
  return { outputs: outputs[stack.stackName], bundles, leftOut, remove: () => rm(folder, { recursive: true }) };
}

function leaveOut(stack: Stack): string[] {
  const unknown = stack.node
    .findAll()
    .filter((node): node is CfnResource => CfnResource.isCfnResource(node) && UNKNOWN.has(node.cfnResourceType));
  for (const { node } of unknown) node.scope?.node.tryRemoveChild(node.id);
  return unknown.map(({ cfnResourceType, node }) => `${cfnResourceType} ${node.path}`);
}
