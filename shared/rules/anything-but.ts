import { PatternError } from './pattern-error.ts';
import { isObject, type Scalar, type Test } from './scalar.ts';
import { testIgnoringCase, testPrefix, testSuffix, testWildcard } from './strings.ts';

const OPERATORS: Readonly<Record<string, (text: string, path: string) => Test>> = {
  prefix: testPrefix,
  suffix: testSuffix,
  'equals-ignore-case': testIgnoringCase,
  wildcard: testWildcard,
};

/**
 * Tests for every value but the given: a string, a number, a list of either, or what `prefix`, `suffix`,
 * `equals-ignore-case` or `wildcard` with a string or a list of strings would match.
 * @throws {PatternError} for anything else
 */
export function testAnythingBut(operand: unknown, path: string): Test {
  if (isObject(operand)) return testNone(operand, path);
  const values = Array.isArray(operand) ? (operand as readonly unknown[]) : [operand];
  const type = typeof values[0];
  if ((type !== 'string' && type !== 'number') || !values.every((value) => typeof value === type))
    throw new PatternError(
      path,
      'anything-but takes a string, a number, or a list of which all are strings or all numbers',
    );
  if (!values.every((value) => type === 'string' || Number.isFinite(value)))
    throw new PatternError(path, 'anything-but is given a number beyond those of JSON');
  const excluded = new Set(values as readonly Scalar[]);
  return (value) => !excluded.has(value);
}

function testNone(operand: Readonly<Record<string, unknown>>, path: string): Test {
  const names = Object.keys(operand);
  const [name = ''] = names;
  if (names.length !== 1) throw new PatternError(path, 'anything-but takes exactly one of its kinds of match');
  const test = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (test === undefined)
    throw new PatternError(path, `Unsupported anything-but pattern: ${name}; use ${Object.keys(OPERATORS).join(', ')}`);
  const texts = Array.isArray(operand[name]) ? (operand[name] as readonly unknown[]) : [operand[name]];
  if (texts.length === 0) throw new PatternError(path, `anything-but with an empty list of ${name} excludes nothing`);
  const excluded = texts.map((text) => {
    if (typeof text !== 'string') throw new PatternError(path, `${name} match pattern must be a string`);
    if (text === '' && (name === 'prefix' || name === 'suffix'))
      throw new PatternError(path, `Null prefix/suffix not allowed: every string has an empty ${name}`);
    return test(text, path);
  });
  return (value) => !excluded.some((excludes) => excludes(value));
}
