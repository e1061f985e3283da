import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { createTable } from '../../cli/table.ts';
import { cutTo } from '../../cli/text.ts';

const ROWS = [
  { id: '6ace4ab074e2e592d42d8761', name: 'Ada Lovelace', note: '分析机関の最初のプログラマー' },
  { id: '6ace4ab074e2e592d42d8762', name: '👩🏽‍🔬 Ž. Ŷ', note: 'e\u0301le\u0300ve' },
];
const COLUMNS = [
  { title: 'NAME', of: ({ name }: (typeof ROWS)[number]) => name },
  { title: 'NOTE', of: ({ note }: (typeof ROWS)[number]) => note },
  { title: 'ID', of: ({ id }: (typeof ROWS)[number]) => id, whole: true },
];
const linesOf = (text: string) => text.trimEnd().split('\n');

test.each([20, 40, 41, 42, 43, 60, 80])('fits %d columns, wide characters included', (width) => {
  const lines = linesOf(createTable(COLUMNS, { width }).format(ROWS));
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
});

test('cuts ids last', () => {
  const lines = linesOf(createTable(COLUMNS, { width: 40 }).format(ROWS));
  expect(lines[1]).toMatch(/^Ada L… {2}.*… +6ace4ab074e2e592d42d8761$/);
});

test('lines columns up under their titles', () => {
  const lines = linesOf(createTable(COLUMNS).format(ROWS));
  const starts = lines.map((line) => stringWidth(line.slice(0, Math.max(line.indexOf('ID'), line.indexOf('6ace')))));
  expect(new Set(starts).size).toBe(1);
});

test('keeps the columns of the first rows for those that come later', () => {
  const table = createTable(COLUMNS, { width: 60 });
  const [titles] = linesOf(table.format([ROWS[1]!]));
  const [later] = linesOf(table.format([ROWS[0]!]));
  expect(stringWidth(later!.slice(0, later!.indexOf('6ace')))).toBe(titles!.indexOf('ID'));
});

test.each(['', 'a', '日本', 'e\u0301e\u0301e\u0301', '🇱🇻🇱🇻'])('cuts %j to any width without exceeding it', (text) => {
  for (const width of [1, 2, 3, 4, 5]) expect(stringWidth(cutTo(text, width))).toBeLessThanOrEqual(width);
});
