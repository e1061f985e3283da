import { expect, test } from 'vitest';
import { readMessages, readRows } from '../../shared/platform/payload.ts';

const one = { _id: '1', type: 'sync' };
const two = { _id: '2', type: 'sync' };

test.for([
  ['an empty body', '', []],
  ['white space', ' \n', []],
  ['null', 'null', []],
  ['an empty object', '{}', []],
  ['an empty array', '[]', []],
  ['an empty envelope', '{"total":0,"results":[]}', []],
  ['one object', JSON.stringify(one), [one]],
  ['an array', JSON.stringify([one, null, {}, two]), [one, two]],
  ['an envelope', JSON.stringify({ total: 2, page: 0, results: [one, two] }), [one, two]],
  ['an envelope of another name', JSON.stringify({ messages: [one] }), [one]],
  ['a message that has a list in it', JSON.stringify({ ...one, items: [two] }), [{ ...one, items: [two] }]],
  ['a text in JSON', '"sync now"', ['sync now']],
  ['a text', 'sync now', ['sync now']],
  ['broken JSON', '{"_id":', ['{"_id":']],
] as const)('takes %s apart', ([, text, messages]) => {
  expect(readMessages(text)).toEqual(messages);
});

test.for([
  ['an empty body', '', []],
  ['an array', JSON.stringify([one]), [one]],
  ['an envelope', JSON.stringify({ connections: [one], anything: 1 }), [one]],
] as const)('reads a list from %s', ([, text, rows]) => {
  expect(readRows('/list', text)).toEqual(rows);
});

test.for(['{}', '{"error":"no"}', '"text"', '<html>'])('takes %s for no list', (text) => {
  expect(() => readRows('/list', text)).toThrow('without a list');
});
