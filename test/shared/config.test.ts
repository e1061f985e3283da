import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readConfig } from '../../shared/config.ts';
import { ConfigurationError } from '../../shared/errors.ts';

const NOW_MS = Date.UTC(2026, 0, 15, 12);
const GOOD = {
  RELAY_TENANT: 'acme',
  RELAY_BASE_URL: 'https://platform.example',
  RELAY_SECRET_ID: 'acme/key',
  RELAY_TABLE: 'relay-acme',
  RELAY_BUS: 'acme',
  RELAY_START: 'now',
};

/** Reads an environment that should be refused. */
function faultsOf(changes: Readonly<Record<string, string | undefined>>): readonly string[] {
  try {
    readConfig({ ...GOOD, ...changes });
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}

test('has a default for everything that is not asked for', () => {
  const { startSeconds, ...config } = readConfig(GOOD);
  expect(config).toEqual({
    tenant: 'acme',
    baseUrl: new URL('https://platform.example'),
    authUrl: new URL('https://platform.example'),
    secretId: 'acme/key',
    table: 'relay-acme',
    bus: 'acme',
    ladder: { agesSeconds: [0, 300, 1800, 7200, 28_800, 86_400], overlapSeconds: 120 },
    fields: {},
    eventTypes: undefined,
    logLevel: 'info',
  });
  expect(startSeconds(NOW_MS)).toBe(NOW_MS / 1000);
});

test('names every variable that is missing', () => {
  const named = Object.keys(GOOD);
  const faults = faultsOf(Object.fromEntries(named.map((name) => [name, undefined])));
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual(named);
  for (const fault of faults) expect(fault).toContain('is missing: expected ');
});

test('takes an empty variable for a missing one', () => {
  expect(faultsOf({ RELAY_TABLE: ' ' })).toEqual([expect.stringContaining('RELAY_TABLE is missing')]);
  expect(readConfig({ ...GOOD, RELAY_EVENT_TYPES: '', RELAY_FIELDS: '' })).toMatchObject({
    eventTypes: undefined,
    fields: {},
  });
});

const WRONG: [name: string, values: readonly string[]][] = [
  ['RELAY_TENANT', ['Acme', '-acme', 'a b', 'a'.repeat(64), 'acme_1']],
  [
    'RELAY_BASE_URL',
    [
      'platform.example',
      'http://platform.example',
      'ftp://x',
      'https://u:p@x.example',
      'https://x.example/?a=1',
      'http://127.0.0.1.example',
    ],
  ],
  ['RELAY_AUTH_URL', ['nowhere', 'https://x.example/#a']],
  ['RELAY_SECRET_ID', ['two words']],
  ['RELAY_TABLE', ['two words']],
  ['RELAY_BUS', ['two words']],
  ['RELAY_START', ['yesterday', '30 days', 'P', 'PT', 'P1M', 'P1Y', '2026', '12:00', '-P1D', '1700000000']],
  ['RELAY_OVERLAP_SECONDS', ['-1', '1.5', '3601', 'x', '1e3']],
  ['RELAY_RECHECK_SECONDS', ['300,300', '1800,300', '0', '300,', 'x', '2592001', '1,2,3,4,5,6,7,8,9,10,11']],
  ['RELAY_FIELDS', ['{', '[]', '7', '{"id":7}', '{"when":"x"}', '{"id":""}', '{"id":"a..b"}']],
  ['RELAY_EVENT_TYPES', [',', 'a,,b']],
  ['RELAY_LOG_LEVEL', ['loud', 'INFO']],
];

test.each(WRONG)('refuses wrong values of %s by name and without the value', (name, values) => {
  for (const value of values) {
    const faults = faultsOf({ [name]: value });
    expect(faults, value).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name} is wrong: expected `));
    if (value.length > 8) expect(faults[0]).not.toContain(value);
  }
});

test('names all faults at once', () => {
  const faults = faultsOf(Object.fromEntries(WRONG.map(([name, [value]]) => [name, value])));
  expect(faults).toHaveLength(WRONG.length);
});

test('never shows a key that stands in the wrong variable', () => {
  const key = '5f0c1a2b3c4d5e6f70819203.6a1b2c3d4e5f60718293a4b5.hidden-part of-the-key';
  for (const [name] of WRONG) expect(faultsOf({ [name]: key }).join(' ')).not.toContain('hidden-part');
});

test.each([
  ['http://localhost:8080', 'http://localhost:8080/'],
  ['http://127.0.0.1:1', 'http://127.0.0.1:1/'],
  ['http://[::1]:1', 'http://[::1]:1/'],
  ['https://platform.example/root', 'https://platform.example/root'],
])('takes %s for an address', (text, href) => {
  expect(readConfig({ ...GOOD, RELAY_BASE_URL: text }).baseUrl.href).toBe(href);
});

test.each([
  ['P30D', 30 * 86_400],
  ['P2W', 14 * 86_400],
  ['P1DT2H3M4S', 93_784],
  ['PT90M', 5_400],
])('counts %s back from now', (text, seconds) => {
  expect(readConfig({ ...GOOD, RELAY_START: text }).startSeconds(NOW_MS)).toBe(NOW_MS / 1000 - seconds);
});

test.each(['2026-01-01', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00.999+01:00'])(
  'begins at %s whatever the time is',
  (text) => {
    const { startSeconds } = readConfig({ ...GOOD, RELAY_START: text });
    expect([startSeconds(NOW_MS), startSeconds(0)]).toEqual([Date.UTC(2026, 0, 1) / 1000, Date.UTC(2026, 0, 1) / 1000]);
  },
);

test('begins after 1970 however far back is asked for', () => {
  expect(readConfig({ ...GOOD, RELAY_START: 'P999999999D' }).startSeconds(NOW_MS)).toBe(1);
});

test('throws nothing but a ConfigurationError, whatever the environment holds', () => {
  const names = fc.constantFrom(...WRONG.map(([name]) => name), 'PATH');
  fc.assert(
    fc.property(fc.dictionary(names, fc.string()), (changes) => {
      expect(Array.isArray(faultsOf(changes))).toBe(true);
    }),
  );
});
