import { expect, test } from 'vitest';
import { toNotice } from '../../shared/relay/notice.ts';
import { compilePattern } from '../../shared/rules/pattern.ts';
import { READY_PATTERNS } from '../../shared/subscribing/ready-patterns.ts';
import { toBusEvent } from '../../shared/subscribing/to-bus-event.ts';
import { busEvent } from '../alerts/bus-event.ts';

interface Record {
  changes?: { key: string; to: string }[];
  newRole?: string;
  export?: { rows: number };
}

const HOUR_MS = 3_600_000;
const START_MS = Date.parse('2026-11-21T00:00:00Z');
const nowMs = START_MS;
const notices = ['event.parked', 'gap.found', 'records.changed', 'rows.missing', 'profile.updated'].map((type) =>
  toBusEvent(toNotice({ type, id: type, tenant: 'acme', nowMs, summary: type, facts: {} })),
);
/** A day of the sandbox, and what the relay says of itself. */
const events = [
  ...Array.from({ length: 12_000 }, (_, index) => busEvent({ timeMs: START_MS + Math.floor((index / 500) * HOUR_MS) })),
  ...notices,
];

/** What each pattern promises, in code of another kind. */
const PROMISES: { [Name in keyof typeof READY_PATTERNS]: (type: string, record: Record, hour: number) => boolean } = {
  'bank-details-changed': (type, { changes = [] }) =>
    ['profile_updated', 'kit_submitted', 'answer_overridden'].includes(type) &&
    changes.some(({ key }) => /^bank/i.test(key)),
  'administrator-appointed': (type, { newRole }) => type === 'user_role_changed' && /administrator/.test(newRole ?? ''),
  'connection-disconnected': (type) => type === 'connection_disconnected',
  'api-key-changed': (type) => type.startsWith('api_key_'),
  'bulk-export': (type, record) => type === 'export_started' && (record.export?.rows ?? 0) > 10_000,
  'bulk-import': (type) => type === 'import_completed',
  'out-of-hours': (type, record, hour) =>
    (hour >= 20 || hour < 6) && 'user' in record && !['user_logged_out', 'user_login_failed'].includes(type),
  'login-failed': (type) => type === 'user_login_failed',
  'user-accounts-changed': (type) => ['user_created', 'user_deactivated'].includes(type),
  'kit-decided': (type) => ['kit_approved', 'kit_rejected'].includes(type),
  'answer-overridden': (type) => type === 'answer_overridden',
  'risk-raised': (_, { changes = [] }) => changes.some(({ key, to }) => key === 'riskLevel' && to === 'high'),
  'document-expired': (type) => type === 'document_expired',
  'relay-trouble': (type) => type.includes('.') && type !== 'profile.updated',
};

test.each(Object.entries(READY_PATTERNS))('%s fires for what it says and for nothing else', (name, { pattern }) => {
  const compiled = compilePattern(JSON.stringify(pattern));
  const promise = PROMISES[name as keyof typeof READY_PATTERNS];
  const expected = events.filter(({ time, detail }) =>
    promise(detail.type, detail.data.record as Record, new Date(time).getUTCHours()),
  );
  expect(expected.length).toBeGreaterThan(0);
  expect(expected.length).toBeLessThan(events.length / 2);
  expect(events.filter((event) => compiled.matches(event))).toEqual(expected);
});

test.each(Object.entries(READY_PATTERNS))('%s says in a sentence when it fires', (_, { description }) => {
  expect(description).toMatch(/^[A-Z].*\.$/);
});
