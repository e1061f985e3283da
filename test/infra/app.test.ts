import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** Runs the app as the CDK does. */
function runApp(context: object) {
  const folder = mkdtempSync(join(tmpdir(), 'relay-app-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { status, stderr } = spawnSync(process.execPath, ['infra/app.ts'], {
    cwd: new URL('../../', import.meta.url),
    env: { PATH: process.env.PATH, CDK_OUTDIR: folder, CDK_CONTEXT_JSON: JSON.stringify(context) },
    encoding: 'utf8',
  });
  return { status, stderr, templates: readdirSync(folder).filter((name) => name.endsWith('.template.json')) };
}

test('the app synthesises a tenant with the real bundles, and the checks find nothing', () => {
  const { status, stderr, templates } = runApp({ tenant: 'example' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(templates).toEqual(['supplier-relay-example.template.json']);
});

test('a tenant that does not exist is named, without a stack', () => {
  const { status, stderr, templates } = runApp({ tenant: 'example,nobody' });
  expect(stderr).toMatch(/^tenants\/nobody\.json: cannot be read; there are: .*example.*\n$/);
  expect(status).toBe(2);
  expect(templates).toEqual([]);
});
