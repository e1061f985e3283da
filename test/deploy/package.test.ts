import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
/** Somebody else's app with a relay in it, and a rule of his own on its bus. */
const APP = `
import { App, Stack } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { type BusEvent, pattern } from 'supplier-event-relay';
import { SupplierRelay, type TenantInput } from 'supplier-event-relay/cdk';

const tenant: TenantInput = { id: 'theirs', baseUrl: 'https://platform.example', start: 'now' };
const app = new App();
const stack = new Stack(app, 'Theirs');
const { bus } = new SupplierRelay(stack, 'Suppliers', { tenant });
new Rule(stack, 'Rule', { eventBus: bus, eventPattern: { ...pattern({ type: ['profile_updated'] }) } });
export const typeOf = ({ detail }: BusEvent): string => detail.type;
const resources: { Type: string }[] = Object.values(app.synth().getStackByName('Theirs').template.Resources);
console.log(resources.map(({ Type }) => Type).join(' '));
`;

let folder: string;
let tarball: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-package-'));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder]);
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[')));
  tarball = join(folder, filename);
  await writeFile(join(folder, 'package.json'), '{ "name": "theirs", "private": true, "type": "module" }');
  const { 'aws-cdk-lib': cdk, constructs } = JSON.parse(await readFile('package.json', 'utf8')).devDependencies;
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...flags, tarball, `aws-cdk-lib@${cdk}`, `constructs@${constructs}`], { cwd: folder });
});

afterAll(() => rm(folder, { recursive: true }));

test('the package says what it exports as publint wants it said', async () => {
  const { messages, pkg = {} } = await publint({ strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test('installed into an empty project, the construct and the helper for patterns work', async () => {
  await writeFile(join(folder, 'app.ts'), APP);
  const { stdout } = await run(process.execPath, ['app.ts'], { cwd: folder });
  expect(stdout.split(/\s+/)).toEqual(expect.arrayContaining(['AWS::Scheduler::Schedule', 'AWS::Events::Rule']));
});

test('its types are those of a strict project', async () => {
  await writeFile(join(folder, 'app.ts'), APP);
  await symlink(join(process.cwd(), 'node_modules/@types'), join(folder, 'node_modules/@types')).catch(() => undefined);
  const flags = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', '--types', 'node'];
  await run('tsc', [...flags, 'app.ts'], { cwd: folder }).catch(({ stdout }) => expect.fail(stdout));
});

test('it brings the relay command', async () => {
  const { stdout } = await run('npx', ['--no-install', 'relay', '--help'], { cwd: folder });
  expect(stdout).toContain('relay events --follow');
});
