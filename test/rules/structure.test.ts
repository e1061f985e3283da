import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../shared/rules/pattern.ts';

const matches = (pattern: object, event: object): boolean => compilePattern(pattern).matches(event);

describe('fields', () => {
  it('must all hold', () => {
    expect(matches({ a: [1], b: [2] }, { a: 1, b: 2, c: 3 })).toBe(true);
    expect(matches({ a: [1], b: [2] }, { a: 1, b: 3 })).toBe(false);
    expect(matches({ a: [1], b: [2] }, { a: 1 })).toBe(false);
  });

  it('are found at their depth only', () => {
    expect(matches({ a: { b: { c: [1] } } }, { a: { b: { c: 1 } } })).toBe(true);
    expect(matches({ a: { b: [1] } }, { b: 1, a: { c: { b: 1 } } })).toBe(false);
    expect(matches({ a: [1] }, { a: { a: 1 } })).toBe(false);
  });

  it('are found across dots in keys of pattern and event', () => {
    expect(matches({ 'a.b': [1] }, { a: { b: 1 } })).toBe(true);
    expect(matches({ a: { b: [1] } }, { 'a.b': 1 })).toBe(true);
    expect(matches({ a: { b: { c: [1] } } }, { a: { 'b.c': 1 } })).toBe(true);
    expect(matches({ a: { b: { c: [1] } } }, { 'a.b': { c: 1 } })).toBe(true);
    expect(matches({ a: { b: [1] } }, { 'a.b': 2, a: { b: 1 } })).toBe(true);
  });

  it('may be the parent and the child of one another', () => {
    const pattern = { a: [{ exists: false }], 'a.b': [1] };
    expect(matches(pattern, { a: { b: 1 } })).toBe(true);
    expect(matches(pattern, { a: [5, { b: 1 }] })).toBe(false);
  });

  it('of a pattern given as text and as an object are the same', () => {
    const pattern = { source: ['a', { prefix: 'b' }], detail: { n: [{ numeric: ['>', 1] }] } };
    const event = { source: 'bc', detail: { n: 2 } };
    expect(compilePattern(JSON.stringify(pattern)).matches(event)).toBe(true);
    expect(matches(pattern, event)).toBe(true);
  });
});

describe('$or', () => {
  const either = { $or: [{ a: [1] }, { b: [2], c: [3] }] };

  it('holds where one alternative does', () => {
    expect(matches(either, { a: 1 })).toBe(true);
    expect(matches(either, { b: 2, c: 3 })).toBe(true);
    expect(matches(either, { b: 2 })).toBe(false);
    expect(matches(either, {})).toBe(false);
  });

  it('stands beside fields that must hold, too', () => {
    expect(matches({ ...either, d: [4] }, { a: 1, d: 4 })).toBe(true);
    expect(matches({ ...either, d: [4] }, { a: 1 })).toBe(false);
  });

  it('may stand deeper, in itself and several times', () => {
    const pattern = { x: { $or: [{ a: [1] }, { $or: [{ b: [2] }, { c: [3] }] }] }, y: either };
    expect(matches(pattern, { x: { c: 3 }, y: { a: 1 } })).toBe(true);
    expect(matches(pattern, { x: { c: 3 }, y: { b: 2 } })).toBe(false);
    expect(matches(pattern, { x: {}, y: { a: 1 } })).toBe(false);
  });

  it('is no field of the event', () => {
    expect(matches(either, { $or: [{ a: 1 }] })).toBe(false);
  });
});

describe('arrays', () => {
  it('hold a field where one element does', () => {
    expect(matches({ a: ['x'] }, { a: ['y', 'x'] })).toBe(true);
    expect(matches({ a: ['x'] }, { a: [['y'], ['x']] })).toBe(true);
    expect(matches({ a: ['x'] }, { a: ['y'] })).toBe(false);
    expect(matches({ a: [{ 'anything-but': 'x' }] }, { a: ['x', 'y'] })).toBe(true);
    expect(matches({ a: [{ 'anything-but': 'x' }] }, { a: ['x', 'x'] })).toBe(false);
  });

  const both = { list: { id: [1], on: [true] } };

  it('of objects hold fields together in one element', () => {
    const list = [
      { id: 1, on: false },
      { id: 2, on: true },
    ];
    expect(matches(both, { list })).toBe(false);
    expect(matches(both, { list: [...list, { id: 1, on: true }] })).toBe(true);
    expect(matches(both, { list: [[{ id: 1 }], [{ on: true }]] })).toBe(false);
    expect(matches(both, { list: [[{ id: 1, on: true }]] })).toBe(true);
  });

  it('that are different ones hold fields apart', () => {
    const pattern = { one: { id: [1] }, two: { id: [2] } };
    expect(matches(pattern, { one: [{ id: 0 }, { id: 1 }], two: [{ id: 2 }] })).toBe(true);
  });

  it('inside elements belong to their element', () => {
    const pattern = { orders: { id: [1], lines: { sku: ['a'] } } };
    const order = (id: number, ...skus: string[]) => ({ id, lines: skus.map((sku) => ({ sku })) });
    expect(matches(pattern, { orders: [order(1, 'b'), order(2, 'a')] })).toBe(false);
    expect(matches(pattern, { orders: [order(2, 'a'), order(1, 'b', 'a')] })).toBe(true);
  });

  it('let their plain elements hold beside an object in them', () => {
    expect(matches({ a: ['x'], 'a.b': [1] }, { a: ['x', { b: 1 }] })).toBe(true);
    expect(matches({ a: ['x'], 'a.b': [1] }, { a: [['x'], { b: 1 }] })).toBe(false);
  });

  it('let plain elements of one array hold beside a field of the object that has it', () => {
    expect(matches({ a: { tags: ['x'], id: [1] } }, { a: [{ tags: ['y', 'x'], id: 1 }] })).toBe(true);
    expect(matches({ a: { tags: ['x'], id: [1] } }, { a: [{ tags: ['x'], id: 2 }, { id: 1 }] })).toBe(false);
  });

  it('hold a field absent where the element chosen by the fields before it lacks it', () => {
    const pattern = { list: { id: [1], note: [{ exists: false }] } };
    expect(matches(pattern, { list: [{ id: 1 }, { id: 2, note: 'x' }] })).toBe(true);
    expect(matches(pattern, { list: [{ id: 1, note: 'x' }, { id: 2 }] })).toBe(false);
  });

  it('do not hold a field absent for the sake of fields after it, as EventBridge does not', () => {
    const pattern = { list: { absent: [{ exists: false }], id: [1] } };
    expect(matches(pattern, { list: [{ id: 1 }, { id: 2, absent: 'x' }] })).toBe(false);
  });
});
