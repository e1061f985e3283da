import { expect, test } from 'vitest';
import { compilePattern } from '../../shared/rules/pattern.ts';
import { pattern } from '../../shared/subscribing/pattern.ts';
import { busEvent } from '../alerts/bus-event.ts';

const events = Array.from({ length: 3000 }, () => busEvent());

test('writes the pattern of a rule', () => {
  expect(
    pattern({
      source: ['supplier-platform.audit'],
      type: ['profile_updated', { prefix: 'kit_' }],
      tenant: ['acme'],
      lateby: [{ numeric: ['<', 3600] }],
      data: { actor: { email: [{ suffix: '.example' }] }, record: { changes: { key: ['legalName'] } } },
    }),
  ).toEqual({
    source: ['supplier-platform.audit'],
    'detail-type': ['profile_updated', { prefix: 'kit_' }],
    detail: {
      tenant: ['acme'],
      lateby: [{ numeric: ['<', 3600] }],
      data: { actor: { email: [{ suffix: '.example' }] }, record: { changes: { key: ['legalName'] } } },
    },
  });
});

test('matches what it asks for and nothing else', () => {
  const wanted = compilePattern(
    pattern({ type: ['profile_updated'], data: { record: { changes: { key: ['taxId'] } } } }),
  );
  const expected = events.filter(({ detail: { type, data } }) => {
    const { changes = [] } = data.record as { changes?: { key: string }[] };
    return type === 'profile_updated' && changes.some(({ key }) => key === 'taxId');
  });
  expect(expected.length).toBeGreaterThan(10);
  expect(events.filter((event) => wanted.matches(event))).toEqual(expected);
});

test('asks for everything of the relay where nothing is wanted in particular', () => {
  const all = compilePattern(pattern({}));
  expect(events.every((event) => all.matches(event))).toBe(true);
  expect(all.matches({ source: 'aws.s3', detail: {} })).toBe(false);
});

test('what an event cannot have is an error of its type', () => {
  // @ts-expect-error there is no such field
  pattern({ tennant: ['acme'] });
  // @ts-expect-error a leaf is a list
  pattern({ tenant: 'acme' });
  // @ts-expect-error there is no such source
  pattern({ source: ['aws.s3'] });
  // @ts-expect-error replayed is true or false
  expect(pattern({ replayed: ['yes'] })).toHaveProperty('detail.replayed');
});
