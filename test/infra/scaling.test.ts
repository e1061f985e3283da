import { readFileSync } from 'node:fs';
import type { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { FULL, MINIMAL, resourcesOf, templateOf } from './synthesise.ts';

const ROW = /^\|[^|]+\| (AWS::\S+) +\| +([\d,]+) +\| +(\d+) +\| +(\d+) +\|$/gm;

test('documents how many of each resource a tenant takes', () => {
  const text = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(ROW)].map(([, type = '', _default, least, everything]) => ({
    type,
    least: Number(least),
    everything: Number(everything),
  }));
  expect(rows.length).toBeGreaterThan(4);
  const [least, everything] = [MINIMAL, FULL].map(templateOf) as [Template, Template];
  const count = (template: Template, type: string) => Object.keys(resourcesOf(template, type)).length;
  expect(rows).toEqual(
    rows.map(({ type }) => ({ type, least: count(least, type), everything: count(everything, type) })),
  );
});
