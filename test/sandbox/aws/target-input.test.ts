import { expect, test } from 'vitest';
import { DeliveryError } from '../../../sandbox/aws/destination.ts';
import { writeInput } from '../../../sandbox/aws/target-input.ts';

const DETAIL =
  '{"state":"RUNNING","count":12345678901234567890,"who":"Ada \\"the\\" <b>","tags":["a","b"],"list":[{"n":1},{"n":2},{}]}';
const EVENT = `{"version":"0","id":"7b","detail-type":"t","source":"s","account":"1","time":"2026-01-02T03:04:05Z","region":"r","resources":[],"detail":${DETAIL}}`;
const RULE = { name: 'alert', arn: 'arn:aws:events:us-east-1:1:rule/relay/alert' };

type Input = Parameters<typeof writeInput>[0]['target'];
const write = (target: Input): string =>
  writeInput({ json: EVENT, rule: RULE, target, ingestedMs: Date.parse('2026-01-02T03:04:06.500Z') });
const transform = (InputTemplate: string, InputPathsMap: Record<string, string> = {}): string =>
  write({ InputTransformer: { InputTemplate, InputPathsMap } });

test('is the event itself unless the target asks for something else', () => {
  expect(write({})).toBe(EVENT);
});

test('is a constant', () => {
  expect(write({ Input: '{"a":1}' })).toBe('{"a":1}');
});

test('is a part of the event, with every digit', () => {
  expect(write({ InputPath: '$.detail' })).toBe(DETAIL);
  expect(write({ InputPath: '$.detail.tags[1]' })).toBe('"b"');
  expect(write({ InputPath: '$.detail.list[*].n' })).toBe('[1,2]');
  expect(write({ InputPath: '$.detail-type' })).toBe('"t"');
  expect(write({ InputPath: '$' })).toBe(EVENT);
});

test('wraps the whole event, as an alert is', () => {
  expect(transform('{"alert":"bank","event":<aws.events.event.json>}')).toBe(`{"alert":"bank","event":${EVENT}}`);
});

test('puts quotes around a text that stands bare, and around nothing else', () => {
  const paths = { state: '$.detail.state', count: '$.detail.count', tags: '$.detail.tags', who: '$.detail.who' };
  expect(transform('{"s":<state>,"n":<count>,"t":<tags>,"w":<who>}', paths)).toBe(
    '{"s":"RUNNING","n":12345678901234567890,"t":["a","b"],"w":"Ada \\"the\\" <b>"}',
  );
});

test('puts a text into a text without its quotes', () => {
  const paths = { state: '$.detail.state', who: '$.detail.who', count: '$.detail.count' };
  const filled = transform('{"text":"<who> is \\"<state>\\" (<count>)"}', paths);
  expect(JSON.parse(filled)).toEqual({ text: 'Ada "the" <b> is "RUNNING" (12345678901234567890)' });
});

test('writes a template that is no JSON as a text', () => {
  expect(transform('<state> at last', { state: '$.detail.state' })).toBe('"RUNNING at last"');
  expect(transform('"<state> at last"', { state: '$.detail.state' })).toBe('"RUNNING at last"');
  expect(transform('<tags>', { tags: '$.detail.tags' })).toBe('["a","b"]');
});

test('knows the variables that are always there', () => {
  const filled = transform(
    '{"arn":<aws.events.rule-arn>,"name":"by <aws.events.rule-name>","at":<aws.events.event.ingestion-time>,"e":<aws.events.event>}',
  );
  const { detail: _, 'detail-type': detailType, ...rest } = JSON.parse(EVENT);
  expect(JSON.parse(filled)).toEqual({
    arn: RULE.arn,
    name: 'by alert',
    at: '2026-01-02T03:04:06.500Z',
    e: { ...rest, detailType },
  });
});

test('writes an empty text where the event has nothing', () => {
  expect(transform('{"a":<a>,"b":"[<a>]"}', { a: '$.detail.nothing.at.all' })).toBe('{"a":"","b":"[]"}');
});

test('fails where the template does not come to JSON', () => {
  const attempt = () => transform('{"a":"<aws.events.event.json>"}');
  expect(attempt).toThrow(DeliveryError);
  expect(attempt).toThrow(/valid JSON/);
});
