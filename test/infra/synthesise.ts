import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll } from 'vitest';
import { RelayStack } from '../../infra/relay-stack.ts';
import type { TenantInput } from '../../infra/tenant.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'relay-infra-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** A resource of a template. */
export interface Resource {
  readonly Type: string;
  // Templates are as deep as they are; tests name what they look at.
  readonly Properties: Readonly<Record<string, Json>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** What JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The least that a tenant file may say. */
export const MINIMAL: TenantInput = { id: 'acme', baseUrl: 'https://platform.example', start: 'now' };

/** A tenant with everything that can be had. */
export const FULL: TenantInput = {
  ...MINIMAL,
  id: 'full',
  authUrl: 'https://login.example:8443',
  start: 'P30D',
  pollMinutes: 5,
  overlapSeconds: 60,
  recheckSeconds: [300, 86_400],
  fields: { id: 'eventId', actor: 'who.name' },
  eventTypes: ['profile_updated', 'user_created'],
  logLevel: 'debug',
  retentionDays: 90,
  alarmEmail: 'operations@example.com',
  alerts: [
    { name: 'bank', pattern: 'bank-details-changed', channel: 'slack', severity: 'critical' },
    { name: 'own', pattern: { source: ['supplier-platform.audit'] }, channel: 'teams' },
  ],
  subscriptions: ['sqs', 'sns', 'lambda', 'events', 'states', 'kinesis', 'firehose'].map((service) => ({
    name: `to-${service}`,
    pattern: { source: ['supplier-platform.audit'] },
    target: `arn:aws:${service}:us-east-1:111111111111:${service === 'events' ? 'event-bus/theirs' : 'theirs'}`,
  })),
  subscribers: ['222222222222', '333333333333'],
  profileUpdates: { accounts: ['444444444444'] },
  adapter: {
    interfaces: [{ name: 'eventbridge' }, { name: 'erp', longPoll: false, changes: { acknowledge: true } }],
    passthrough: { level: 'warn' },
  },
};

/** A tenant that takes over what stands already. */
export const IMPORTED: TenantInput = {
  ...FULL,
  id: 'imported',
  adapterImage: '111111111111.dkr.ecr.us-east-1.amazonaws.com/adapter@sha256:0123',
  network: { vpcId: 'vpc-01234567', subnetIds: ['subnet-01234567', 'subnet-89abcdef'] },
  existing: {
    tableName: 'an-older-table',
    secretArn: 'arn:aws:secretsmanager:us-east-1:111111111111:secret:older-key-AbCdEf',
    webhooksSecretArn: 'arn:aws:secretsmanager:us-east-1:111111111111:secret:older-webhooks-AbCdEf',
  },
};

/** Synthesises the stacks of tenants, in one app, with bundles that hold nothing: so hashes stay what they are. */
export function synthesise(...tenants: readonly TenantInput[]): { app: App; stacks: readonly RelayStack[] } {
  const bundles = mkdtempSync(join(FOLDER, 'bundles-'));
  for (const name of ['poller', 'notifier', 'profile-updater', 'adapter']) {
    mkdirSync(join(bundles, name));
    writeFileSync(join(bundles, name, `${name}.mjs`), '');
  }
  writeFileSync(join(bundles, 'adapter', 'Dockerfile'), 'FROM scratch\n');
  const app = new App({ outdir: mkdtempSync(join(FOLDER, 'assembly-')) });
  return { app, stacks: tenants.map((tenant) => new RelayStack(app, { tenant, bundles })) };
}

/** Gives the template of a tenant's stack. */
export function templateOf(tenant: TenantInput): Template {
  const [stack] = synthesise(tenant).stacks;
  return Template.fromStack(stack as RelayStack);
}

/** Gives a template's resources of a type, by logical id; all, where no type is given. */
export function resourcesOf(template: Template, type?: string): Readonly<Record<string, Resource>> {
  const { Resources: all } = template.toJSON() as { Resources: Record<string, Resource> };
  return Object.fromEntries(Object.entries(all).filter(([, { Type }]) => type === undefined || Type === type));
}
