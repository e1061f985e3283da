import { expect } from 'vitest';
import { shapeRecord } from '../../sandbox/platform/record-shape.ts';
import type { TrailRow } from '../../sandbox/platform/trail.ts';
import { FIRST_MS, type RelayFixture } from './relay-fixture.ts';

/** Matches the backlog of a mark that has come to now, save for the second that goes on. */
export const caughtUp: unknown = expect.toSatisfy((seconds: number) => seconds <= 1, 'at most a second');

/** Checks that everything the platform has shown since `sinceMs` is on the bus once, each record as it was returned. */
export function expectAllOnce(
  { platform, relayed }: RelayFixture,
  { sinceMs = FIRST_MS, gone = [] }: { sinceMs?: number; gone?: readonly TrailRow[] } = {},
): void {
  const rows = [...platform.trail, ...gone].filter(({ time }) => time >= sinceMs);
  const arrived = relayed();
  const left = arrived.map(({ record }) => record);
  const missing = rows.filter((row) => !takeFrom(left, JSON.stringify(shapeRecord(row, platform.faults))));
  expect({ missing: missing.map(({ id }) => id), unexpected: left }).toEqual({ missing: [], unexpected: [] });
  expect(new Set(arrived.map(({ detail }) => detail.id)).size).toBe(rows.length);
}

function takeFrom(texts: string[], text: string): boolean {
  const index = texts.indexOf(text);
  if (index >= 0) texts.splice(index, 1);
  return index >= 0;
}
