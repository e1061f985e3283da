import { expect, test } from 'vitest';
import { createRedactor } from '../../shared/redact.ts';

const KEY = '6ace4e0874e2e592d42d8761.51ab2f7b1c9d4c2aa1e6f0b3.S3cr3t+/with"quotes"and\\slashes';

test('hides an API key whole, in parts, and as JSON and addresses write it', () => {
  const { hideKey, redact } = createRedactor();
  hideKey(KEY);
  const [account = '', id = '', secret = ''] = KEY.split('.');
  for (const text of [
    KEY,
    account,
    id,
    secret,
    `${account}.${id}`,
    JSON.stringify({ key: KEY }),
    encodeURIComponent(KEY),
  ]) {
    const shown = redact(`before ${text} after`);
    expect(shown).toContain('[hidden]');
    for (const part of [account, id, secret, 'S3cr3t']) expect(shown).not.toContain(part);
  }
});

test.for([
  'Authorization: Bearer abcdefghijklmnop',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhY21lIn0.c2lnbmF0dXJl',
  'https://hooks.slack.com/services/T0/B0/abcdef',
  'https://prod-01.westeurope.logic.azure.com:443/workflows/1/triggers/manual?sig=abcdef',
  'https://acme.webhook.office.com/webhookb2/1',
  'https://example.com/hook?token=abcdef',
])('hides what looks like a secret: %s', (text) => {
  const shown = createRedactor().redact(`before "${text}" after`);
  expect(shown).toMatch(/\[hidden\]/);
  expect(shown).not.toMatch(/abcdef|eyJ|c2lnbmF0dXJl|webhookb2\/1/);
  expect(shown).toMatch(/^before ".*" after$/);
});

test('hides a secret that was cut short', () => {
  const { hideKey, redact } = createRedactor();
  hideKey(KEY);
  for (const length of [10, 20, 40, 55]) expect(redact(`key=${KEY.slice(0, length)}…`)).toBe('[hidden]…');
  expect(redact('nothing secret was cut here…')).toBe('nothing secret was cut here…');
});

test('leaves everything else as it is', () => {
  const { hideKey, redact } = createRedactor([undefined, 'short']);
  hideKey(KEY);
  const text = 'Request failed with 503: GET /api/public/api/v1/users/events?page=1: short';
  expect(redact(text)).toBe(text);
});
