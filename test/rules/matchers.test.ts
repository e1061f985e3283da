import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../shared/rules/pattern.ts';

/** What a field's list of matchers takes, and what it leaves. */
interface Case {
  readonly matchers: readonly unknown[];
  readonly takes: readonly unknown[];
  readonly leaves: readonly unknown[];
}

const CASES: Readonly<Record<string, Case>> = {
  'a string': { matchers: ['ab'], takes: ['ab'], leaves: ['AB', 'a', 'abc', '', null, 1, {}, []] },
  'an empty string': { matchers: [''], takes: [''], leaves: [' ', null, [], 0, false] },
  'one of several values': { matchers: ['a', 1, null], takes: ['a', 1, null], leaves: ['1', 'null', 2, false] },
  'a number': { matchers: [1], takes: [1, 1.0, 10e-1], leaves: ['1', 1.5, true, null] },
  'zero of either sign': { matchers: [0], takes: [0, -0], leaves: ['0', false, null, ''] },
  true: { matchers: [true], takes: [true], leaves: [false, 'true', 1] },
  null: { matchers: [null], takes: [null], leaves: ['null', '', 0, false, {}, []] },
  'an address in any spelling': {
    matchers: ['10.0.0.1', '2001:db8::1'],
    takes: ['10.0.0.1', '010.0.0.1', '::ffff:a00:1', '2001:DB8:0:0:0:0:0:1'],
    leaves: ['10.0.0.10', '2001:db8::10', '0010.000.000.001'],
  },
  'exactly, which knows no addresses': {
    matchers: [{ exactly: '10.0.0.1' }],
    takes: ['10.0.0.1'],
    leaves: ['010.0.0.1'],
  },
  prefix: { matchers: [{ prefix: 'ab' }], takes: ['ab', 'abc'], leaves: ['a', 'ABC', 'cab', null, 1] },
  'an empty prefix': { matchers: [{ prefix: '' }], takes: ['', 'a'], leaves: [null, 1, true] },
  suffix: { matchers: [{ suffix: 'bc' }], takes: ['bc', 'abc'], leaves: ['c', 'aBC', 'bcd', null] },
  'equals-ignore-case': {
    matchers: [{ 'equals-ignore-case': 'aÄß' }],
    takes: ['aÄß', 'AäSS', 'aäß'],
    leaves: ['aÄ', 'aÄßx', 'aÄss', 'bÄß', 1],
  },
  'prefix in whatever case': {
    matchers: [{ prefix: { 'equals-ignore-case': 'aB' } }],
    takes: ['ab', 'ABc'],
    leaves: ['a', 'cab', 12],
  },
  'suffix in whatever case': {
    matchers: [{ suffix: { 'equals-ignore-case': '.pNg' } }],
    takes: ['a.PNG', '.png'],
    leaves: ['png', 'a.png.', 1],
  },
  'a wildcard': {
    matchers: [{ wildcard: 'a*c*e' }],
    takes: ['ace', 'abcde', 'acce', 'aceacee', 'a\nc\ne'],
    leaves: ['ae', 'aced', 'bace', 'aec', null],
  },
  'a wildcard whose ends must not overlap': {
    matchers: [{ wildcard: 'ab*ba' }],
    takes: ['abba', 'abxba'],
    leaves: ['aba', 'ab'],
  },
  'a wildcard whose middle must not overlap its end': {
    matchers: [{ wildcard: '*aa*a' }],
    takes: ['aaa', 'xaaya'],
    leaves: ['aa'],
  },
  'an escaped star and backslash': {
    matchers: [{ wildcard: 'a\\*\\\\*' }],
    takes: ['a*\\', 'a*\\x'],
    leaves: ['ab\\', 'a*'],
  },
  'anything-but a string': {
    matchers: [{ 'anything-but': 'a' }],
    takes: ['b', '', 1, true, null],
    leaves: ['a', {}, []],
  },
  'anything-but strings': { matchers: [{ 'anything-but': ['a', 'b'] }], takes: ['c', 1, null], leaves: ['a', 'b'] },
  'anything-but a number': { matchers: [{ 'anything-but': 1 }], takes: [2, '1', null, false], leaves: [1, 1.0] },
  'anything-but numbers': { matchers: [{ 'anything-but': [1, 2.5] }], takes: [3, '1'], leaves: [1, 2.5] },
  'anything-but prefix': {
    matchers: [{ 'anything-but': { prefix: 'a' } }],
    takes: ['b', '', 1, null],
    leaves: ['a', 'ab'],
  },
  'anything-but prefixes': {
    matchers: [{ 'anything-but': { prefix: ['a', 'b'] } }],
    takes: ['c'],
    leaves: ['a', 'bc'],
  },
  'anything-but suffix': {
    matchers: [{ 'anything-but': { suffix: ['a', 'b'] } }],
    takes: ['ac', true],
    leaves: ['ca', 'b'],
  },
  'anything-but in whatever case': {
    matchers: [{ 'anything-but': { 'equals-ignore-case': ['ab', 'c'] } }],
    takes: ['abc', 1],
    leaves: ['AB', 'C'],
  },
  'anything-but a wildcard': {
    matchers: [{ 'anything-but': { wildcard: ['*/lib/*', 'a*'] } }],
    takes: ['/bin/x', null],
    leaves: ['/lib/x', 'abc'],
  },
  'two anything-buts, of which one suffices': {
    matchers: [{ 'anything-but': 'a' }, { 'anything-but': 'b' }],
    takes: ['a', 'b'],
    leaves: [{}],
  },
  'numeric =': { matchers: [{ numeric: ['=', 3.018e2] }], takes: [301.8], leaves: [301, '301.8', null] },
  'numeric <': { matchers: [{ numeric: ['<', 5] }], takes: [4.9, -1e300], leaves: [5, 6, '4', null] },
  'numeric <=': { matchers: [{ numeric: ['<=', 5] }], takes: [5, 4], leaves: [5.1, '5', null] },
  'numeric >': { matchers: [{ numeric: ['>', 5] }], takes: [5.1], leaves: [5, '6', true] },
  'numeric >=': { matchers: [{ numeric: ['>=', 5] }], takes: [5], leaves: [4.9, '5'] },
  'a numeric range': { matchers: [{ numeric: ['>', 0, '<=', 5] }], takes: [0.1, 5], leaves: [0, 5.1, '1'] },
  'a numeric range the other way': { matchers: [{ numeric: ['>=', 0, '<', 5] }], takes: [0, 4.9], leaves: [-0.1, 5] },
  'an IPv4 block': {
    matchers: [{ cidr: '10.1.2.3/9' }],
    takes: ['10.0.0.0', '10.127.255.255', '::ffff:a01:1'],
    leaves: ['10.128.0.0', '9.255.255.255', '10.0.0', '10.0.0.256', 'a', 10, '2001:db8::'],
  },
  'every IPv4 address': {
    matchers: [{ cidr: '0.0.0.0/0' }],
    takes: ['0.0.0.0', '255.255.255.255'],
    leaves: ['::1', 1],
  },
  'an IPv6 block': {
    matchers: [{ cidr: '2001:db8::/33' }],
    takes: ['2001:db8::', '2001:0DB8:7fff:ffff::'],
    leaves: ['2001:db8:8000::', '2001:db7::', '32.1.13.184', '2001:db8::1::', '1:2', ':', '12345::'],
  },
  'every IPv6 address': {
    matchers: [{ cidr: '::/0' }],
    takes: ['::', '1:2:3:4:5:6:7::', 'FFFF::00001', '1:2:3:4:5:6:7:8'],
    leaves: ['1::2:3:4:5:6:7:8', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '1::2::3', ':::', '0.0.0.0', '::10000', ''],
  },
  'exists true': { matchers: [{ exists: true }], takes: [null, '', 0, false, ['a']], leaves: [{}, [], { b: 1 }, [{}]] },
  'exists false': { matchers: [{ exists: false }], takes: [{}, [], { b: 1 }], leaves: [null, '', 0, [null]] },
  'a value or none': { matchers: ['a', { exists: false }], takes: ['a', {}], leaves: ['b', null] },
};

describe('a field', () => {
  it.each(Object.entries(CASES))('is asked for %s', (_name, { matchers, takes, leaves }) => {
    const { matches } = compilePattern({ detail: { a: matchers } });
    expect(takes.filter((a) => !matches({ detail: { a } }))).toEqual([]);
    expect(leaves.filter((a) => matches({ detail: { a } }))).toEqual([]);
  });

  it('that the event lacks matches nothing but exists false', () => {
    const absent = Object.keys(CASES).filter((name) => compilePattern({ a: CASES[name]?.matchers }).matches({ b: 1 }));
    expect(absent).toEqual(['exists false', 'a value or none']);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'named %s is the event’s own, not JavaScript’s',
    (name) => {
      const asked = compilePattern(`{"${name}": [{"exists": true}]}`);
      expect(asked.matches({})).toBe(false);
      expect(asked.matches(JSON.parse(`{"${name}": 1}`) as object)).toBe(true);
      expect(compilePattern(`{"${name}": {"name": [{"exists": true}]}}`).matches({})).toBe(false);
    },
  );
});
