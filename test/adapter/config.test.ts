import { expect, test } from 'vitest';
import { readConfig } from '../../shared/config.ts';

const ENV = {
  RELAY_TENANT: 'acme',
  RELAY_BASE_URL: 'https://platform.example',
  RELAY_SECRET_ID: 'key',
  RELAY_TABLE: 'relay',
  RELAY_BUS: 'acme',
  RELAY_START: 'now',
};
const read = (adapter: unknown) => readConfig({ ...ENV, RELAY_ADAPTER: JSON.stringify(adapter) }).adapter;

test('fills in everything but the name of an interface', () => {
  expect(read({ interfaces: [{ name: 'erp' }, { name: 'eventbridge', longPoll: false, changes: {} }] })).toEqual({
    pathPrefix: '/api/public/api/v1',
    interfaces: [
      { name: 'erp', longPoll: true },
      { name: 'eventbridge', longPoll: false, changes: { acknowledge: false, everySeconds: 300, query: {} } },
    ],
    longPollTimeoutSeconds: 90,
    crashLogFolder: 'crash',
  });
});

test('is left out where no adapter runs', () => {
  expect(readConfig(ENV).adapter).toBeUndefined();
});

const named = { interfaces: [{ name: 'erp' }] };
test.for([
  ['RELAY_ADAPTER.interfaces', {}],
  ['RELAY_ADAPTER.interfaces', { interfaces: [] }],
  ['RELAY_ADAPTER.interfaces', { interfaces: [{ name: 'erp' }, { name: 'erp' }] }],
  ['RELAY_ADAPTER.interfaces.0.name', { interfaces: [{ name: '../users' }] }],
  ['RELAY_ADAPTER.interfaces.0', { interfaces: [{ name: 'erp', longPoll: false }] }],
  ['RELAY_ADAPTER.interfaces.0', { interfaces: [{ name: 'erp', longpoll: true }] }],
  [
    'RELAY_ADAPTER.interfaces.0.changes.acknowledge',
    { interfaces: [{ name: 'erp', changes: { acknowledge: 'yes' } }] },
  ],
  ['RELAY_ADAPTER.interfaces.0.changes.everySeconds', { interfaces: [{ name: 'erp', changes: { everySeconds: 1 } }] }],
  [
    'RELAY_ADAPTER.interfaces.0.changes.query.limit',
    { interfaces: [{ name: 'erp', changes: { query: { limit: 5 } } }] },
  ],
  ['RELAY_ADAPTER.longPollTimeoutSeconds', { ...named, longPollTimeoutSeconds: 101 }],
  ['RELAY_ADAPTER.pathPrefix', { ...named, pathPrefix: 'api/' }],
  ['RELAY_ADAPTER.logging.0.level', { ...named, logging: [{ level: 'all', outputPath: 'stdout', jsonLogging: true }] }],
  ['RELAY_ADAPTER.logging.0.outputPath', { ...named, logging: [{ level: 'info', jsonLogging: true }] }],
  ['RELAY_ADAPTER.passthrough.level', { ...named, passthrough: {} }],
  ['RELAY_ADAPTER', { ...named, unknown: 'value' }],
  ['RELAY_ADAPTER', null],
] as const)('names %s where it is wrong', ([path, adapter]) => {
  expect(() => read(adapter)).toThrow(new RegExp(`- ${path} (expected|has fields)`));
});

test('names every fault at once, and never a value', () => {
  const adapter = { interfaces: [{ name: 'my secret' }], longPollTimeoutSeconds: 12345, pathPrefix: 'hidden' };
  for (const path of ['interfaces.0.name', 'longPollTimeoutSeconds']) {
    expect(() => read(adapter)).toThrow(`RELAY_ADAPTER.${path}`);
  }
  expect(() => read(adapter)).toThrow(/RELAY_ADAPTER.pathPrefix/);
  expect(() => read(adapter)).not.toThrow(/secret|12345|hidden/);
});
