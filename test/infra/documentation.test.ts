import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { checkTenant } from '../../infra/read-tenants.ts';
import { MINIMAL } from './synthesise.ts';

const text = await readFile(new URL('../../docs/deploying.md', import.meta.url), 'utf8');
const blocks = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json]) => JSON.parse(json?.replace('…', '') ?? ''));
const fragments = blocks.filter((block) => !Array.isArray(block));

test('the document has its tenant files', () => {
  expect(fragments).toHaveLength(4);
});

test.each(fragments)('a tenant file of the document is right: %j', (fragment: object) => {
  const adapter = 'network' in fragment ? { adapter: { interfaces: [{ name: 'eventbridge' }] } } : {};
  expect(checkTenant({ ...MINIMAL, ...adapter, ...fragment })).toHaveProperty('tenant');
});

test('the fault that the document shows is the one that is said', () => {
  const alerts = [{ name: 'bank-details', pattern: 'bank-details-changed', channel: 'post' }];
  expect(checkTenant({ ...MINIMAL, alerts })).toHaveProperty('faults', [
    text.match(/tenants\/acme\.json: (alerts.*)/)?.[1],
  ]);
});
