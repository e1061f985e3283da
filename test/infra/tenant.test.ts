import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, onTestFinished, test } from 'vitest';
import { checkTenant, readTenants } from '../../infra/read-tenants.ts';
import type { Tenant } from '../../infra/tenant.ts';
import { writeTenantSchema } from '../../infra/tenant-schema.ts';
import type { ConfigurationError } from '../../shared/errors.ts';
import { FULL, IMPORTED, MINIMAL } from './synthesise.ts';

const ROOT = new URL('../../', import.meta.url);

test('a tenant file needs an id, an address and a start', () => {
  expect(checkTenant(MINIMAL)).toEqual({
    tenant: { ...MINIMAL, pollMinutes: 1, logLevel: 'info', retentionDays: 30, alerts: [], subscriptions: [] },
  });
  const { faults } = checkTenant({}) as { faults: string[] };
  expect(faults).toEqual([
    'id: expected string, but it is missing',
    'baseUrl: expected string, but it is missing',
    'start: expected string, but it is missing',
  ]);
});

const wrong: readonly (readonly [field: string, change: object, expected: string])[] = [
  ['id', { id: 'Acme' }, 'id: expected at most 40 lower case letters, digits, hyphens'],
  ['baseUrl', { baseUrl: 'http://platform.example' }, 'baseUrl: is wrong: expected the https address of the platform'],
  ['authUrl', { authUrl: 'login' }, 'authUrl: is wrong: expected an https address'],
  ['start', { start: 'yesterday' }, 'start: is wrong: expected "now", an ISO 8601 time or a duration back'],
  ['pollMinutes', { pollMinutes: 0 }, 'pollMinutes: '],
  ['overlapSeconds', { overlapSeconds: 4000 }, 'overlapSeconds: is wrong: expected whole seconds, 0 to 3600'],
  ['recheckSeconds', { recheckSeconds: [600, 300] }, 'recheckSeconds: is wrong: expected at most 10 ages'],
  ['fields', { fields: { colour: 'a.b' } }, 'fields: is wrong: expected JSON with dotted paths'],
  ['eventTypes', { eventTypes: ['a,b'] }, 'eventTypes[0]: expected an event type'],
  ['logLevel', { logLevel: 'loud' }, 'logLevel: expected one of "debug"|"info"|"warn"|"error"'],
  ['retentionDays', { retentionDays: 31 }, 'retentionDays: expected one of 1|3|5|7'],
  ['alarmEmail', { alarmEmail: 'me' }, 'alarmEmail: expected an e-mail address'],
  ['alert', { alerts: [{ name: 'a', pattern: 'login-failed', channel: 'post' }] }, 'alerts[0].channel: '],
  ['alert name', { alerts: [alert('a'), alert('a')] }, 'alerts: expected each name once'],
  ['ready pattern', { alerts: [{ ...alert('a'), pattern: 'nothing' }] }, 'alerts[0].pattern: expected a pattern or '],
  [
    'pattern of an alert',
    { alerts: [{ ...alert('a'), pattern: { source: 'x' } }] },
    'alerts[0].pattern: Event pattern is not valid. Reason: source',
  ],
  ['alerts too long', { alerts: manyAlerts() }, 'alerts: expected at most 3584 bytes in all, not '],
  ['subscription', { subscriptions: [{ ...subscription(), name: 'A' }] }, 'subscriptions[0].name: expected lower case'],
  [
    'pattern of a subscription',
    { subscriptions: [{ ...subscription(), pattern: {} }] },
    'subscriptions[0].pattern: Event pattern is not valid.',
  ],
  [
    'target',
    { subscriptions: [{ ...subscription(), target: 'arn:aws:s3:::bucket' }] },
    'subscriptions[0].target: expected the ARN of a queue',
  ],
  ['subscribers', { subscribers: ['12'] }, 'subscribers[0]: expected an AWS account id of 12 digits'],
  ['senders', { profileUpdates: { accounts: [] } }, 'profileUpdates.accounts: '],
  ['adapter', { adapter: { interfaces: [] } }, 'adapter.interfaces: expected at least one interface'],
  ['image without an adapter', { adapterImage: 'a:1' }, 'adapterImage: expected together with adapter'],
  ['network without an adapter', { network: IMPORTED.network }, 'network: expected together with adapter'],
  [
    'network',
    { ...FULL, network: { vpcId: 'mine', subnetIds: ['subnet-01234567'] } },
    'network.vpcId: expected the id',
  ],
  ['secret', { existing: { secretArn: 'key' } }, 'existing.secretArn: expected the whole ARN of a secret'],
  ['unknown field', { colour: 'red' }, 'colour: is no field that is known'],
  ['unknown field inside', { existing: { table: 'a' } }, 'existing.table: is no field that is known'],
];

test.each(wrong)('a wrong %s is refused by its place, with what was expected', (_, change, expected) => {
  const { faults } = checkTenant({ ...MINIMAL, ...change }) as { faults: string[] };
  expect(faults.join('\n')).toContain(expected);
  expect(faults).toHaveLength(1);
});

test('every fault of every file is named at once, with the file', async () => {
  const folder = await writeFolder({
    one: { ...MINIMAL, id: 'one', start: 'then', pollMinutes: 'often' },
    two: { ...MINIMAL, id: 'two', colour: 'red' },
  });
  expect(await faultsOf(folder)).toEqual([
    `${folder}/one.json: pollMinutes: expected number, received string`,
    `${folder}/two.json: colour: is no field that is known`,
  ]);
});

test('two tenants with one id are refused: the id is the name of the file', async () => {
  const folder = await writeFolder({ one: { ...MINIMAL, id: 'one' }, two: { ...MINIMAL, id: 'one' } });
  expect(await faultsOf(folder)).toEqual([`${folder}/two.json: id: expected two, the name of the file, not one`]);
});

test('a tenant that does not exist is said to be missing, with those that there are', async () => {
  const folder = await writeFolder({ one: { ...MINIMAL, id: 'one' }, two: { ...MINIMAL, id: 'two' } });
  expect(await faultsOf(folder, ['three'])).toEqual([`${folder}/three.json: cannot be read; there are: one, two`]);
});

test('one tenant among 500 is read alone: the others could be anything', async () => {
  const folder = await writeFolder({ acme: MINIMAL });
  await Promise.all(Array.from({ length: 499 }, (_, index) => writeFile(join(folder, `t${index}.json`), 'no JSON')));
  const tenants = await readTenants({ folder, ids: ['acme'] });
  expect(tenants.map(({ id }) => id)).toEqual(['acme']);
  expect(await faultsOf(folder)).toHaveLength(499);
});

test('the published schema is that of the code, and takes what the code takes', async () => {
  const published = await readFile(new URL('docs/tenant-schema.json', ROOT), 'utf8');
  // Written anew by: node infra/tenant-schema.ts
  expect(published).toBe(writeTenantSchema());
  const validate = new Ajv2020({ validateFormats: false }).compile(JSON.parse(published));
  for (const tenant of [MINIMAL, FULL, IMPORTED]) {
    expect(validate(tenant), JSON.stringify(validate.errors)).toBe(true);
  }
  expect(validate({ ...MINIMAL, colour: 'red' })).toBe(false);
});

test('the example is right, and shows every field that a new tenant can have', async () => {
  const [example] = (await readTenants({ folder: 'tenants', ids: ['example'] })) as [Tenant];
  const written = JSON.parse(await readFile(new URL('tenants/example.json', ROOT), 'utf8'));
  const { properties } = JSON.parse(writeTenantSchema());
  const special = ['authUrl', 'fields', 'eventTypes', 'adapterImage', 'network', 'existing'];
  expect(Object.keys(written).sort()).toEqual(
    Object.keys(properties)
      .filter((key) => !special.includes(key))
      .sort(),
  );
  expect(example.id).toBe('example');
});

test('npm run deploy names a tenant that does not exist before anything is built', () => {
  const { status, stderr } = spawnSync(process.execPath, ['infra/deploy.ts', 'nobody'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(stderr).toBe('tenants/nobody.json: cannot be read; there are: example\n');
  expect(status).toBe(2);
});

function alert(name: string) {
  return { name, pattern: 'login-failed', channel: 'slack' };
}

function manyAlerts(): object[] {
  const fields = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`Field ${index}`, 'data.record.one']));
  return Array.from({ length: 12 }, (_, index) => ({ ...alert(`a${index}`), fields }));
}

function subscription() {
  return { name: 'a', pattern: { source: ['a'] }, target: 'arn:aws:sqs:us-east-1:111111111111:queue' };
}

async function writeFolder(files: Readonly<Record<string, object>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'relay-tenants-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [id, tenant] of Object.entries(files)) await writeFile(join(folder, `${id}.json`), JSON.stringify(tenant));
  return folder;
}

const faultsOf = (folder: string, ids?: readonly string[]): Promise<readonly string[]> =>
  readTenants({ folder, ...(ids && { ids }) }).then(
    () => expect.fail('the files were taken'),
    (error: ConfigurationError) => error.faults,
  );
