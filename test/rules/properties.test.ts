import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../shared/rules/pattern.ts';

const takes = (matcher: unknown, value: unknown): boolean => compilePattern({ a: [matcher] }).matches({ a: value });
/** Few letters, so that what is looked for is there. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', '*', '\\', 'ä', '\n'), maxLength: 8 });
const key = fc.constantFrom('a', 'b', 'c');
const scalar = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null));
const { event } = fc.letrec<{ event: Record<string, unknown>; value: unknown }>((tie) => ({
  event: fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  value: fc.oneof({ maxDepth: 3 }, scalar, tie('event'), fc.array(tie('value'), { maxLength: 3 })),
}));

describe('whatever the values,', () => {
  it('a wildcard matches as the regular expression of its pieces does', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 4 }),
        word,
        fc.array(word, { maxLength: 4 }),
        (pieces, value, fills) => {
          const literals = pieces.filter((piece, index) => piece !== '' || index === 0 || index === pieces.length - 1);
          const wildcard = literals.map((piece) => piece.replace(/[\\*]/g, '\\$&')).join('*');
          fc.pre(!/(^|[^\\])(\\\\)*\*\*/.test(wildcard));
          const pattern = new RegExp(`^${literals.map((piece) => piece.replace(/[\\*]/g, '\\$&')).join('.*')}$`, 's');
          const filled = literals
            .map((piece, index) => piece + (index < literals.length - 1 ? (fills[index] ?? '') : ''))
            .join('');
          expect(takes({ wildcard }, value)).toBe(pattern.test(value));
          expect(takes({ wildcard }, filled)).toBe(true);
        },
      ),
    );
  });

  it('anything-but is the opposite of what it excludes', () => {
    const matchers = fc.record({ name: fc.constantFrom('prefix', 'suffix', 'equals-ignore-case'), text: word });
    fc.assert(
      fc.property(matchers, scalar, ({ name, text }, value) => {
        fc.pre(text !== '');
        expect(takes({ 'anything-but': { [name]: text } }, value)).toBe(!takes({ [name]: text }, value));
        expect(takes({ 'anything-but': text }, value)).toBe(!takes({ exactly: text }, value));
      }),
    );
  });

  it('a block holds an address where their first bits are the same', () => {
    const bits = (bytes: readonly number[]) => bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
    const address = fc.array(fc.constantFrom(0, 1, 127, 128, 254, 255), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(address, address, fc.integer({ min: 0, max: 31 }), (one, other, mask) => {
        const same = bits(one).slice(0, mask) === bits(other).slice(0, mask);
        expect(takes({ cidr: `${one.join('.')}/${mask}` }, other.join('.'))).toBe(same);
      }),
    );
  });

  it('an event is matched by each of its own values', () => {
    function* leaves(value: unknown, path: readonly string[]): Generator<{ path: readonly string[]; value: unknown }> {
      if (Array.isArray(value)) for (const element of value) yield* leaves(element, path);
      else if (typeof value === 'object' && value !== null)
        for (const [name, inner] of Object.entries(value)) yield* leaves(inner, [...path, name]);
      else yield { path, value };
    }
    fc.assert(
      fc.property(event, (made) => {
        for (const { path, value } of leaves(made, [])) {
          const pattern = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), [value]) as object;
          expect(compilePattern(pattern).matches(made)).toBe(true);
        }
      }),
    );
  });

  it('$or matches where one of its alternatives does by itself', () => {
    const pattern = fc.dictionary(key, fc.array(scalar, { minLength: 1, maxLength: 2 }), { minKeys: 1, maxKeys: 2 });
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 2, maxLength: 3 }), event, (alternatives, made) => {
        const each = alternatives.some((alternative) => compilePattern(alternative).matches(made));
        expect(compilePattern({ $or: alternatives }).matches(made)).toBe(each);
      }),
    );
  });

  it('a field exists or it does not', () => {
    fc.assert(
      fc.property(event, (made) => {
        const exists = compilePattern({ a: { b: [{ exists: true }] } }).matches(made);
        expect(compilePattern({ a: { b: [{ exists: false }] } }).matches(made)).toBe(!exists);
      }),
    );
  });
});
