import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../shared/rules/pattern.ts';
import { PatternError } from '../../shared/rules/pattern-error.ts';

const MATCHERS: readonly (readonly [matcher: unknown, reason: RegExp])[] = [
  [{}, /Match expression name not found/],
  [[], /Match value must be String/],
  [{ nope: 1 }, /Unrecognized match type nope; there are exists, prefix/],
  [{ Prefix: 'a' }, /Unrecognized match type Prefix/],
  [{ constructor: 1 }, /Unrecognized match type constructor/],
  [{ prefix: 'a', suffix: 'b' }, /Only one key allowed in match expression/],
  [{ exactly: 1 }, /exactly match pattern must be a string/],
  [{ prefix: 1 }, /prefix match pattern must be a string/],
  [{ prefix: ['a'] }, /prefix match pattern must be a string/],
  [{ prefix: { suffix: 'a' } }, /prefix: takes a string or \{"equals-ignore-case": a string\}/],
  [{ prefix: { 'equals-ignore-case': 1 } }, /equals-ignore-case match pattern must be a string/],
  [{ suffix: null }, /suffix match pattern must be a string/],
  [{ suffix: { 'equals-ignore-case': 'a', x: 1 } }, /suffix: takes a string/],
  [{ 'equals-ignore-case': ['a'] }, /equals-ignore-case match pattern must be a string/],
  [{ wildcard: 1 }, /wildcard match pattern must be a string/],
  [{ wildcard: 'a**b' }, /Consecutive wildcard characters in "a\*\*b"/],
  [{ wildcard: 'a\\b' }, /Invalid escape character/],
  [{ wildcard: 'a\\' }, /Invalid escape character/],
  [{ exists: 'true' }, /exists match pattern must be either true or false/],
  [{ 'anything-but': true }, /anything-but takes a string, a number, or a list/],
  [{ 'anything-but': [] }, /anything-but takes/],
  [{ 'anything-but': ['a', 1] }, /anything-but takes/],
  [{ 'anything-but': [null] }, /anything-but takes/],
  [{ 'anything-but': Number.POSITIVE_INFINITY }, /anything-but is given a number beyond/],
  [{ 'anything-but': {} }, /exactly one of its kinds/],
  [{ 'anything-but': { prefix: 'a', suffix: 'b' } }, /exactly one of its kinds/],
  [{ 'anything-but': { numeric: ['=', 1] } }, /Unsupported anything-but pattern: numeric/],
  [{ 'anything-but': { prefix: '' } }, /Null prefix\/suffix not allowed/],
  [{ 'anything-but': { suffix: ['a', ''] } }, /Null prefix\/suffix not allowed/],
  [{ 'anything-but': { prefix: [] } }, /with an empty list of prefix/],
  [{ 'anything-but': { prefix: { 'equals-ignore-case': 'a' } } }, /prefix match pattern must be a string/],
  [{ 'anything-but': { wildcard: ['a', 1] } }, /wildcard match pattern must be a string/],
  [{ 'anything-but': { wildcard: '**' } }, /Consecutive wildcard/],
  [{ numeric: 1 }, /Value of numeric must be an array/],
  [{ numeric: [] }, /Invalid member in numeric match/],
  [{ numeric: ['!=', 1] }, /Unrecognized numeric range operator: "!="/],
  [{ numeric: ['='] }, /Value of = must be numeric/],
  [{ numeric: ['=', '1'] }, /Value of = must be numeric/],
  [{ numeric: ['=', Number.POSITIVE_INFINITY] }, /beyond the numbers of JSON/],
  [{ numeric: ['=', 1, '<', 2] }, /Too many elements in numeric expression/],
  [{ numeric: ['<', 1, '>', 0] }, /Too many elements in numeric expression/],
  [{ numeric: ['>', 1, '<', 2, '<', 3] }, /Too many elements in numeric expression/],
  [{ numeric: ['>', 1, '>', 2] }, /Bad numeric range operator: ">"/],
  [{ numeric: ['>', 0, '<'] }, /Value of < must be numeric/],
  [{ numeric: ['>', 2, '<', 1] }, /Bottom must be less than top/],
  [{ numeric: ['>=', 1, '<=', 1] }, /Bottom must be less than top/],
  [{ cidr: 1 }, /cidr must be a string/],
  [{ cidr: '10.0.0.0' }, /Malformed CIDR, one '\/' required/],
  [{ cidr: '10.0.0.0/8/8' }, /Malformed CIDR, one '\/' required/],
  [{ cidr: '10.0.0.0/x' }, /mask bits must be an integer/],
  [{ cidr: '10.0.0.0/-1' }, /mask bits must be an integer/],
  [{ cidr: '10.0.0/8' }, /Nonstandard IP address: "10\.0\.0"/],
  [{ cidr: 'xxxx::/8' }, /Nonstandard IP address/],
  [{ cidr: '10.0.0.0/32' }, /IPv4 mask bits must be < 32/],
  [{ cidr: '::/128' }, /IPv6 mask bits must be < 128/],
  [Number.POSITIVE_INFINITY, /beyond those of JSON/],
];

const PATTERNS: readonly (readonly [pattern: object | string, path: string, reason: RegExp])[] = [
  [{}, '', /Empty objects are not allowed/],
  [[], '', /Filter is not an object/],
  ['"a"', '', /Filter is not an object/],
  ['null', '', /Filter is not an object/],
  ['{"a": [1]', '', /JSON/],
  ["{'a': [1]}", '', /JSON/],
  [{ a: {} }, 'a', /Empty objects are not allowed/],
  [{ a: { b: [] } }, 'a.b', /Empty arrays are not allowed/],
  [{ a: { b: 'x' } }, 'a.b', /"b" must be an object or an array: write \["x"\]/],
  [{ a: null }, 'a', /"a" must be an object or an array/],
  ['{"a": [1], "\\u0061": [2]}', '', /"a" stands twice/],
  ['{"a": {"b": [1], "b": [2]}}', '', /"b" stands twice/],
  [{ 'a.b': [1], a: { b: [2] } }, 'a.b', /Path `a\.b` cannot be allowed multiple times/],
  [{ $or: [{ a: [1] }, { b: [1] }], a: [2] }, 'a', /Path `a` cannot be allowed multiple times/],
  [{ $or: { a: [1] } }, '$or', /It must be an Array followed with \$or/],
  [{ $or: [{ a: [1] }] }, '$or', /at least 2 Objects/],
  [{ x: { $or: [{ a: [1] }, 'b'] } }, 'x.$or[1]', /Only JSON object is allowed/],
  [{ $or: [{ a: [1] }, {}] }, '$or[1]', /Empty objects are not allowed/],
  [{ $or: [{ a: [1] }, { b: [{ prefix: 1 }] }] }, '$or[1].b[0]', /prefix match pattern/],
  [{ $or: [{ prefix: ['a'] }, { a: [1] }] }, '$or[0].prefix', /reserved/],
  [{ $or: [{ a: { regex: ['a'] } }, { a: [1] }] }, '$or[0].a.regex', /reserved/],
];

function refusal(pattern: object | string): PatternError {
  try {
    compilePattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) return error;
    throw error;
  }
  throw new Error('The pattern was taken');
}

describe('a pattern is refused', () => {
  it.each(MATCHERS)('for the matcher %j', (matcher, reason) => {
    const { message, path } = refusal({ detail: { a: ['x', matcher] } });
    expect(path).toMatch(/^detail\.a\[1\]/);
    expect(message).toMatch(/^Event pattern is not valid\. Reason: detail\.a\[1\]/);
    expect(message).toMatch(reason);
  });

  it.each(PATTERNS)('that is %j', (pattern, path, reason) => {
    const error = refusal(pattern);
    expect(error.name).toBe('PatternError');
    expect(error.path).toBe(path);
    expect(error.message).toMatch(reason);
  });

  it('with more characters than EventBridge takes', () => {
    const ofLength = (length: number) => ({ a: ['x'.repeat(length - '{"a":[""]}'.length)] });
    expect(() => compilePattern(ofLength(2_048))).not.toThrow();
    expect(refusal(ofLength(2_049)).message).toMatch(/2049 characters, more than 2048/);
    expect(() => compilePattern(ofLength(4_096), { mostCharacters: 4_096 })).not.toThrow();
    expect(refusal(`${JSON.stringify(ofLength(2_000))}${' '.repeat(49)}`).message).toMatch(/2049 characters/);
  });

  it('with $ors that multiply to more than 1,000 combinations', () => {
    const ors = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, { $or: [{ a: [1] }, { b: [1] }] }]));
    expect(compilePattern(ors(9)).matches({})).toBe(false);
    for (const count of [10, 40]) expect(refusal(ors(count)).message).toMatch(/more than 1000 combinations/);
  });
});

describe('a pattern is taken', () => {
  it.each([
    '{"prefix": ["a"], "cidr": {"exists": [1]}}',
    '{"a": [{"prefix": ""}, {"suffix": ""}, {"wildcard": ""}, {"equals-ignore-case": ""}, {"anything-but": ""}]}',
    '{"a": {"x": [1]}, "b": {"x": ["\\"x\\": {", "}"]}}',
    '{"a": ["x", "x"]}',
    '{"$or": [{"a": [1]}, {"a": [1]}]}',
  ])('that is %s', (pattern) => {
    expect(() => compilePattern(pattern)).not.toThrow();
  });
});
