import { compilePattern } from '../shared/rules/pattern.ts';

/** An event as a rule sees it: EventBridge's envelope around what the relay publishes of an average record. */
const EVENT = JSON.stringify({
  version: '0',
  id: '53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa',
  'detail-type': 'profile_updated',
  source: 'supplier-platform.audit',
  account: '123456789012',
  time: '2026-11-20T09:41:07Z',
  region: 'eu-central-1',
  resources: ['tenant/acme', 'user/6543f1c2a9b84e0012ab77d1', 'profile/655b0e0c8d3f4a0013c9e41f'],
  detail: {
    specversion: '1.0',
    id: '6565a1b2c3d4e5f601234567',
    source: '/tenants/acme/audit',
    type: 'profile_updated',
    subject: 'profile/655b0e0c8d3f4a0013c9e41f',
    time: '2026-11-20T09:41:07.312Z',
    datacontenttype: 'application/json',
    tenant: 'acme',
    stream: 'audit',
    observedat: '2026-11-20T09:41:31.004Z',
    lateby: 23,
    replayed: false,
    data: {
      actor: { id: '6543f1c2a9b84e0012ab77d1', email: 'maria.lund@acme.example', name: 'Maria Lund' },
      target: { kind: 'profile', id: '655b0e0c8d3f4a0013c9e41f' },
      summary: 'Maria Lund updated the profile of Nordwind Logistik GmbH',
      record: {
        _id: '6565a1b2c3d4e5f601234567',
        eventType: 'profile_updated',
        createdAt: '2026-11-20T09:41:07.312Z',
        user: { _id: '6543f1c2a9b84e0012ab77d1', email: 'maria.lund@acme.example', roles: ['buyer', 'approver'] },
        ip: '203.0.113.44',
        changes: [
          {
            question: 'bank_account',
            section: 'finance',
            before: 'DE02120300000000202051',
            after: 'DE02500105170137075030',
          },
          { question: 'contact_name', section: 'contacts', before: 'J. Brandt', after: 'S. Okafor' },
          { question: 'employees', section: 'company', before: 120, after: 134 },
        ],
      },
    },
  },
});

const PATTERNS: Readonly<Record<string, object>> = {
  'source and type': { source: ['supplier-platform.audit'], 'detail-type': ['profile_updated', 'profile_created'] },
  'another type': { source: ['supplier-platform.audit'], 'detail-type': ['login_failed'] },
  'a field of the record': {
    source: ['supplier-platform.audit'],
    detail: { replayed: [false], lateby: [{ numeric: ['<', 86_400] }], data: { target: { kind: ['profile'] } } },
  },
  'one element of an array': {
    'detail-type': ['profile_updated'],
    detail: {
      replayed: [false],
      data: { record: { changes: { section: ['finance'], question: [{ wildcard: '*bank*' }] } } },
    },
  },
  'every kind of matcher': {
    source: [{ prefix: 'supplier-platform.' }],
    $or: [
      { detail: { data: { actor: { email: [{ suffix: { 'equals-ignore-case': '@OTHER.EXAMPLE' } }] } } } },
      { detail: { data: { record: { ip: [{ cidr: '10.0.0.0/8' }] }, summary: [{ wildcard: '*deleted*profile*' }] } } },
      { detail: { time: [{ 'anything-but': { wildcard: ['*T09:*', '*T1*'] } }], correlation: [{ exists: false }] } },
    ],
  },
};

const ROUNDS = 21;
const TIMES = 20_000;
const event = JSON.parse(EVENT) as object;

const parseNs = measure(() => JSON.parse(EVENT));
const rows = Object.entries(PATTERNS).map(([name, pattern]) => {
  const { matches } = compilePattern(pattern);
  return { name, matches: matches(event), ns: measure(() => matches(event)) };
});
if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ parseNs, rows })}\n`);
else report();

function report(): void {
  process.stdout.write(
    `An event of ${EVENT.length} characters, parsed in ${show(parseNs)}; CPU time, medians of ${ROUNDS} rounds\n\n`,
  );
  for (const { name, matches, ns } of rows) {
    const result = matches ? 'matches' : 'does not';
    process.stdout.write(
      `${name.padEnd(26)}${result.padEnd(10)}${show(ns).padStart(9)}  ${(ns / parseNs).toFixed(3)} of parsing\n`,
    );
  }
}

/** Nanoseconds of CPU time a call takes, the median of several rounds, of which the first warms up and does not count. */
function measure(call: () => unknown): number {
  const rounds: number[] = [];
  // What is computed must be of use, or it need not be computed.
  let used = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const begun = process.cpuUsage();
    for (let time = 0; time < TIMES; time++) if (call()) used++;
    const { user, system } = process.cpuUsage(begun);
    if (round > 0) rounds.push(((user + system) * 1000) / TIMES);
  }
  if (used > (ROUNDS + 1) * TIMES) throw new Error('A call counted twice');
  return rounds.sort((one, other) => one - other)[ROUNDS >> 1] as number;
}

function show(ns: number): string {
  return `${(ns / 1000).toFixed(2)} µs`;
}
