import { testAnythingBut } from './anything-but.ts';
import { readAddress, testCidr } from './ip-address.ts';
import { testNumeric } from './numeric.ts';
import { PatternError } from './pattern-error.ts';
import { isObject, type Scalar, type Test } from './scalar.ts';
import {
  testIgnoringCase,
  testPrefix,
  testPrefixIgnoringCase,
  testSuffix,
  testSuffixIgnoringCase,
  testWildcard,
} from './strings.ts';

/** What a pattern asks of one field. */
export interface Field {
  /** One of the field's values must pass. */
  readonly test: Test;
  /** The field may be absent instead. */
  readonly mayBeAbsent: boolean;
}

/** Matchers by name; `exists` stands apart, since absence is no value. */
const MATCHERS: Readonly<Record<string, (operand: unknown, path: string) => Test>> = {
  prefix: (operand, path) => {
    if (isObject(operand)) return testPrefixIgnoringCase(readIgnoringCase(operand, `${path}.prefix`));
    return testPrefix(readText(operand, { name: 'prefix', path }));
  },
  suffix: (operand, path) => {
    if (isObject(operand)) return testSuffixIgnoringCase(readIgnoringCase(operand, `${path}.suffix`));
    return testSuffix(readText(operand, { name: 'suffix', path }));
  },
  'equals-ignore-case': (operand, path) => testIgnoringCase(readText(operand, { name: 'equals-ignore-case', path })),
  wildcard: (operand, path) => testWildcard(readText(operand, { name: 'wildcard', path }), path),
  numeric: testNumeric,
  cidr: testCidr,
  'anything-but': testAnythingBut,
  exactly: (operand, path) => {
    const text = readText(operand, { name: 'exactly', path });
    return (value) => value === text;
  },
};

/**
 * Compiles the list of values and matchers that a pattern gives for a field.
 * @throws {PatternError} for an empty list and for every value or matcher that EventBridge does not know
 */
export function compileField(values: readonly unknown[], path: string): Field {
  if (values.length === 0)
    throw new PatternError(path, 'Empty arrays are not allowed: give a value, or leave the field out');
  const exact = new Set<Scalar>();
  const tests: Test[] = [];
  let mayBeAbsent = false;
  for (const [index, value] of values.entries()) {
    const place = `${path}[${index}]`;
    if (isObject(value)) {
      const matcher = readMatcher(value, place);
      if (matcher === 'absent') mayBeAbsent = true;
      else tests.push(matcher);
    } else {
      const scalar = readScalar(value, place);
      exact.add(scalar);
      // EventBridge reads a string that is an IP address as the address, whatever its spelling.
      const address = typeof scalar === 'string' ? readAddress(scalar) : undefined;
      if (address !== undefined) tests.push((other) => typeof other === 'string' && readAddress(other) === address);
    }
  }
  if (tests.length === 0) return { test: (value) => exact.has(value), mayBeAbsent };
  return { test: (value) => exact.has(value) || tests.some((test) => test(value)), mayBeAbsent };
}

function readScalar(value: unknown, path: string): Scalar {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new PatternError(path, 'the number is beyond those of JSON');
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Scalar;
  throw new PatternError(path, 'Match value must be String, number, true, false, or null, or a matcher in braces');
}

function readMatcher(matcher: Readonly<Record<string, unknown>>, path: string): Test | 'absent' {
  const names = Object.keys(matcher);
  const [name = ''] = names;
  if (names.length === 0) throw new PatternError(path, 'Match expression name not found: {} matches nothing');
  if (names.length > 1)
    throw new PatternError(path, `Only one key allowed in match expression: write ${names.join(', ')} as one each`);
  const operand = matcher[name];
  if (name === 'exists') {
    if (typeof operand !== 'boolean')
      throw new PatternError(path, 'exists match pattern must be either true or false, without quotes');
    return operand ? () => true : 'absent';
  }
  const compile = Object.hasOwn(MATCHERS, name) ? MATCHERS[name] : undefined;
  if (compile === undefined)
    throw new PatternError(
      path,
      `Unrecognized match type ${name}; there are exists, ${Object.keys(MATCHERS).join(', ')}`,
    );
  return compile(operand, path);
}

function readIgnoringCase(operand: Readonly<Record<string, unknown>>, path: string): string {
  const [name, ...more] = Object.keys(operand);
  if (name !== 'equals-ignore-case' || more.length > 0)
    throw new PatternError(path, 'takes a string or {"equals-ignore-case": a string}');
  return readText(operand[name], { name, path });
}

function readText(operand: unknown, { name, path }: { name: string; path: string }): string {
  if (typeof operand === 'string') return operand;
  throw new PatternError(path, `${name} match pattern must be a string`);
}
