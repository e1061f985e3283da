/** An EventBridge pattern as JSON; what is in it is checked where a rule is made of it. */
export type EventPattern = Readonly<Record<string, unknown>>;

/** A pattern that can be named instead of written. */
export interface ReadyPattern {
  /** One sentence: when it fires. */
  readonly description: string;
  readonly pattern: EventPattern;
}

const AUDIT = ['supplier-platform.audit'];
/** Hours in which nobody is expected, in UTC: events say no other zone. `*T2*` is 20:00 to 23:59. */
const NIGHT = ['*T2*', '*T00:*', '*T01:*', '*T02:*', '*T03:*', '*T04:*', '*T05:*'];

/** The event types of these are those of the sandbox, as far as the platform leaves them open: compare with `relay event-types`. */
export const READY_PATTERNS = {
  'bank-details-changed': {
    description: 'An answer about a bank account is changed, submitted or overridden.',
    pattern: {
      source: AUDIT,
      'detail-type': ['profile_updated', 'kit_submitted', 'answer_overridden'],
      detail: { data: { record: { changes: { key: [{ prefix: { 'equals-ignore-case': 'bank' } }] } } } },
    },
  },
  'administrator-appointed': {
    description: 'A user is given an administrator role.',
    pattern: {
      source: AUDIT,
      'detail-type': ['user_role_changed'],
      detail: { data: { record: { newRole: [{ wildcard: '*administrator*' }] } } },
    },
  },
  'connection-disconnected': {
    description: 'A supplier is disconnected.',
    pattern: { source: AUDIT, 'detail-type': ['connection_disconnected'] },
  },
  'api-key-changed': {
    description: 'An API key is created or deleted.',
    pattern: { source: AUDIT, 'detail-type': ['api_key_created', 'api_key_deleted'] },
  },
  'bulk-export': {
    description: 'More than 10,000 rows are exported at once.',
    pattern: {
      source: AUDIT,
      'detail-type': ['export_started'],
      detail: { data: { record: { export: { rows: [{ numeric: ['>', 10_000] }] } } } },
    },
  },
  'bulk-import': {
    description: 'Many profiles are changed at once by an import.',
    pattern: { source: AUDIT, 'detail-type': ['import_completed'] },
  },
  'out-of-hours': {
    description: 'Somebody does something between 20:00 and 06:00 UTC, besides signing off.',
    pattern: {
      source: AUDIT,
      'detail-type': [{ 'anything-but': ['user_logged_out', 'user_login_failed'] }],
      detail: { time: NIGHT.map((wildcard) => ({ wildcard })), data: { actor: { id: [{ exists: true }] } } },
    },
  },
  'login-failed': {
    description: 'Somebody fails to sign in.',
    pattern: { source: AUDIT, 'detail-type': ['user_login_failed'] },
  },
  'user-accounts-changed': {
    description: 'A user is created or deactivated.',
    pattern: { source: AUDIT, 'detail-type': ['user_created', 'user_deactivated'] },
  },
  'kit-decided': {
    description: 'A kit is approved or rejected.',
    pattern: { source: AUDIT, 'detail-type': ['kit_approved', 'kit_rejected'] },
  },
  'answer-overridden': {
    description: 'An answer of a supplier is overridden.',
    pattern: { source: AUDIT, 'detail-type': ['answer_overridden'] },
  },
  'risk-raised': {
    description: 'The risk level of a supplier becomes high.',
    pattern: {
      source: AUDIT,
      detail: { data: { record: { changes: { key: ['riskLevel'], to: ['high'] } } } },
    },
  },
  'document-expired': {
    description: 'A document of a supplier expires.',
    pattern: { source: AUDIT, 'detail-type': ['document_expired'] },
  },
  'relay-trouble': {
    description:
      'The relay itself needs somebody to look: records it could not carry or read, or a source that is off.',
    pattern: {
      source: ['supplier-platform.relay'],
      'detail-type': [
        'event.parked',
        'gap.found',
        'records.changed',
        'rows.missing',
        'source.switched-off',
        'profile.update-failed',
      ],
    },
  },
} as const satisfies Readonly<Record<string, ReadyPattern>>;

/** Names a ready pattern. */
export type ReadyPatternName = keyof typeof READY_PATTERNS;

/** True for the name of a ready pattern. */
export const isReadyPattern = (name: string): name is ReadyPatternName => Object.hasOwn(READY_PATTERNS, name);
