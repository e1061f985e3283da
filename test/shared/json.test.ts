import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, isObject, parseJson, rawNumber, writeJson } from '../../shared/relay/json.ts';

/** As many levels as no recursive writer survives. */
const DEPTH = 20_000;
const deepText = `${'{"a":['.repeat(DEPTH)}${']}'.repeat(DEPTH)}`;

/** Gives an equal value whose objects have their keys in the opposite order. */
function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reverseKeys(inner)]),
  );
}

test('writes what the engine writes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(writeJson(value)).toBe(JSON.stringify(value));
    }),
  );
});

test('writes and reads twenty thousand levels', () => {
  const parsed = parseJson(deepText);
  expect(() => JSON.stringify(parsed)).toThrow(RangeError);
  expect(writeJson(parsed)).toBe(deepText);
  expect(canonicalJson(parsed)).toBe(deepText);
});

test('gives values that differ in the order of keys one canonical text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(reverseKeys(value))).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('keeps the order of a list in its canonical text', () => {
  expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]));
});

test('reads what the engine reads', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(parseJson(text))).toBe(text);
    }),
  );
});

test('keeps every digit of a whole number', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (number) => {
      const text = `{"id":${number},"list":[${number},"${number}"]}`;
      expect(writeJson(parseJson(text))).toBe(text);
      expect(canonicalJson(parseJson(text))).toBe(text);
    }),
  );
});

test.each(['0.12345678901234567890', '123456789.123456789123456789', '-9007199254740993', '1e400'])(
  'keeps %s as it came',
  (number) => {
    expect(writeJson(parseJson(`{"a": ${number}}`))).toBe(`{"a":${number}}`);
  },
);

test('leaves numbers that a double holds to be numbers, also beside longer ones', () => {
  expect(parseJson('[1, 2.5, -0, 1e3, 9007199254740991]')).toEqual([1, 2.5, -0, 1000, 9007199254740991]);
  const [small, long, text] = parseJson('[7, 12345678901234567890, "12345678901234567890"]') as unknown[];
  expect([small, rawNumber(long), text]).toEqual([7, '12345678901234567890', '12345678901234567890']);
  expect(isObject(long)).toBe(false);
});

test.each(['', '{', '{"a":1', '<html>', 'undefined', '[1,]', '{"a":12345678901234567890'])('refuses %j', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});
