import { expect, test } from 'vitest';
import { alertSchema, notifierAlertsSchema, patternOf, writeNotifierAlerts } from '../../shared/alerts/alert.ts';
import { READY_PATTERNS } from '../../shared/subscribing/ready-patterns.ts';

const ALERT = { name: 'logins', pattern: 'login-failed', channel: 'slack' };
const LINK = 'https://platform.example/users/{data.actor.id}?from={tenant}';

test('fills in what is left out', () => {
  expect(alertSchema.parse(ALERT)).toEqual({
    ...ALERT,
    severity: 'info',
    fields: {},
    quiet: { replayed: true, laterThanSeconds: 86_400 },
  });
  expect(alertSchema.parse({ ...ALERT, quiet: { replayed: false } }).quiet).toEqual({
    replayed: false,
    laterThanSeconds: 86_400,
  });
});

test('has the pattern that it names or brings', () => {
  expect(patternOf(alertSchema.parse(ALERT))).toBe(READY_PATTERNS['login-failed'].pattern);
  const pattern = { source: ['x'] };
  expect(patternOf(alertSchema.parse({ ...ALERT, pattern }))).toEqual(pattern);
});

test('goes to the notifier without its pattern', () => {
  const alerts = [ALERT, { ...ALERT, name: 'links', link: LINK, severity: 'critical' }].map((alert) =>
    alertSchema.parse(alert),
  );
  const written = writeNotifierAlerts(alerts);
  expect(written).not.toContain('login-failed');
  expect(notifierAlertsSchema.parse(JSON.parse(written))).toEqual(alerts.map(({ pattern: _, ...alert }) => alert));
});

test.each([
  [{ name: 'Logins' }, 'name expected a name of at most 48 lower case letters, digits and inner hyphens'],
  [{ name: 'a'.repeat(49) }, 'name expected a name'],
  [{ name: '-a' }, 'name expected a name'],
  [{ pattern: 'constructor' }, 'pattern expected a pattern or one of bank-details-changed'],
  [{ pattern: ['x'] }, 'pattern expected a pattern or the name of a ready one'],
  [{ channel: 'mail' }, 'channel expected slack or teams'],
  [{ severity: 'fatal' }, 'severity expected info, warning or critical'],
  [{ fields: { Role: 'data..role' } }, 'fields.Role expected a dotted path into the event'],
  [{ fields: { '': 'data' } }, 'fields. expected labels'],
  [
    { fields: Object.fromEntries(Array.from({ length: 11 }, (_, index) => [index, 'data'])) },
    'fields expected at most 10 fields',
  ],
  [{ link: 'http://platform.example/' }, 'link expected an https address'],
  [{ link: 'https://{data.host}/x' }, 'link expected an https address'],
  [{ link: 'https://platform.example{data.host}/x' }, 'link expected an https address'],
  [{ link: 'https://user@{data.host}/x' }, 'link expected an https address'],
  [{ link: 'https://platform.example/{data' }, 'link expected an https address'],
  [{ link: 'https://platform.example/{}' }, 'link expected an https address'],
  [{ quiet: { laterThanSeconds: 0 } }, 'quiet.laterThanSeconds expected at least 1'],
  [{ quiet: { replayed: 'no' } }, 'quiet.replayed expected true or false'],
  [{ colour: 'red' }, 'has what is unknown: colour'],
])('says what is wrong: %j', (change, message) => {
  const issues = alertSchema.safeParse({ ...ALERT, ...change }).error?.issues ?? [];
  expect(issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join('\n')).toContain(message);
});
