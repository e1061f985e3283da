import { expect, test } from 'vitest';
import { LARGEST_TEAMS_BYTES, slackPayload, teamsPayload } from '../../sandbox/console/webhook-payloads.ts';
import { type AlertInput, alertSchema } from '../../shared/alerts/alert.ts';
import { readArrival } from '../../shared/alerts/arrival.ts';
import { toTeams } from '../../shared/alerts/card.ts';
import { toMessage } from '../../shared/alerts/message.ts';
import { toSlack } from '../../shared/alerts/slack.ts';
import { busEvent, recordOf } from './bus-event.ts';
import { HOSTILE } from './hostile.ts';

const FIELDS = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [`Field ${index}`, 'data.record.user.name']),
);

function say(events: readonly object[], alert: Partial<AlertInput> = {}) {
  const parsed = alertSchema.parse({ name: 'x', channel: 'slack', pattern: 'login-failed', ...alert });
  const arrivals = events.map((event) => readArrival(JSON.stringify({ alert: 'x', event }))!.event);
  return toMessage({ alert: parsed, events: arrivals, tenant: 'acme' });
}

const strings = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : typeof value === 'object' && value ? Object.values(value).flatMap(strings) : [];

test.each(Object.entries(HOSTILE))('%s fits Slack and Teams, in one event and in a digest', (_, text) => {
  for (const count of [1, 20]) {
    const message = say(
      Array.from({ length: count }, () => busEvent({ record: recordOf(text) })),
      { fields: FIELDS, link: 'https://platform.example/{data.record.user.name}?q={data.target.id}' },
    );
    const [slack, teams] = [toSlack(message), toTeams(message)];
    expect(slackPayload.safeParse(slack).error).toBeUndefined();
    expect(teamsPayload.safeParse(teams).error).toBeUndefined();
    expect(Buffer.byteLength(JSON.stringify(teams))).toBeLessThan(LARGEST_TEAMS_BYTES);
    expect(Buffer.byteLength(JSON.stringify(slack))).toBeLessThan(LARGEST_TEAMS_BYTES * 1.1);
    for (const shown of [...strings(slack), ...strings(teams)]) {
      expect(shown).not.toMatch(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/u);
      expect(shown.isWellFormed()).toBe(true);
    }
  }
});

test.each(Object.entries(HOSTILE))('%s is never markup', (_, text) => {
  const message = say([busEvent({ record: recordOf(text) })], {
    fields: { Name: 'data.record.user.name' },
    link: 'https://platform.example/{data.record.user.name}',
  });
  const slack = toSlack(message);
  const elements = slack.blocks.flatMap((block): unknown[] =>
    'elements' in block
      ? block.elements
      : 'fields' in block
        ? (block.fields ?? [])
        : 'text' in block
          ? [block.text]
          : [],
  ) as { type: string; text: string }[];
  const markup = elements.filter(({ type }) => type === 'mrkdwn').map(({ text }) => text);
  for (const ours of markup)
    expect(ours).toMatch(/^(\*(Who|On|When|Name)\*|<https:\/\/platform\.example\/[^<>|\s]*\|Open>)$/);
  expect(slack.text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
  const { body } = toTeams(message).attachments[0].content;
  // Markdown works in text blocks: the only one is the title, which is the tenant file's.
  expect(body.filter(({ type }) => type === 'TextBlock')).toMatchObject([{ text: 'ℹ️ X' }]);
  expect(strings(body).join('\n')).not.toContain('{{');
});

test('has no link where a value is missing, too long or would climb', () => {
  const link = 'https://platform.example/suppliers/{data.target.id}';
  const linkOf = (publicId: unknown) =>
    say([busEvent({ record: { ...recordOf('x'), profile: { publicId } } })], { link }).link;
  expect(linkOf('a b/ü')).toBe('https://platform.example/suppliers/a%20b%2F%C3%BC');
  expect(linkOf('..')).toBeUndefined();
  expect(linkOf('%2e%2e')).toBe('https://platform.example/suppliers/%252e%252e');
  expect(linkOf(undefined)).toBeUndefined();
  const long = recordOf('é'.repeat(300));
  expect(say([busEvent({ record: long })], { link: 'https://p.example/{data.record.user.name}' }).link).toBeUndefined();
});

test('finds what a tenant file picks, through lists and by index', () => {
  const record = {
    ...recordOf('x'),
    changes: [
      { key: 'a', to: { deep: 1 } },
      { key: 'b', to: [true, null, 7] },
    ],
    none: [],
    many: Array.from({ length: 30 }, (_, index) => index),
  };
  const at = 'data.record';
  const fields = {
    Keys: `${at}.changes.key`,
    First: `${at}.changes.0.key`,
    To: `${at}.changes.to`,
    Deep: `${at}.changes.to.deep`,
  };
  const more = {
    None: `${at}.none`,
    Gone: `${at}.no.such`,
    Proto: `${at}.constructor.name`,
    Length: `${at}.many.length`,
    Many: `${at}.many`,
  };
  const { facts } = say([busEvent({ record })], { fields: { ...fields, ...more } });
  expect(facts.slice(3)).toEqual([
    { label: 'Keys', value: 'a, b' },
    { label: 'First', value: 'a' },
    { label: 'To', value: '{"deep":1}, true, 7' },
    { label: 'Deep', value: '1' },
    { label: 'Many', value: `${Array.from({ length: 20 }, (_, index) => index).join(', ')}, 10 more` },
  ]);
});

test('sums up what came together: types, people, span, and how late', () => {
  const user = (name: string) => ({ user: { _id: name, name } });
  const at = (time: string) => ({ timeMs: Date.parse(time) });
  const record = (type: string, name: string) => ({ ...recordOf(type), createdAt: undefined, ...user(name) });
  const made = [
    {
      record: { ...record('profile_updated', 'Ada'), createdAt: '2026-11-21T07:45:19Z' },
      ...at('2026-11-21T07:45:19Z'),
    },
    {
      record: { ...record('profile_updated', 'Bob'), createdAt: '2026-11-21T07:40:00Z' },
      ...at('2026-11-21T07:40:00Z'),
      lateMs: 7_200_000,
    },
    { record: { ...record('kit_submitted', 'Ada'), createdAt: '2026-11-21T07:41:00Z' }, ...at('2026-11-21T07:41:00Z') },
  ];
  const message = say(made.map(busEvent));
  expect(message.title).toBe('X ×3');
  expect(message.lead).toBe(
    'profile_updated ×2, kit_submitted ×1, by 2 people, 2026-11-21 07:40:00 to 07:45:19 UTC, seen up to 2 h later',
  );
  expect(message.lines.map(({ text }) => text.slice(0, 8))).toEqual(['07:40:00', '07:41:00', '07:45:19']);
});
