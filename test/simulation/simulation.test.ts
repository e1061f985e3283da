import { expect, test } from 'vitest';
import { FAULTS } from './faults.ts';
import { simulateMany } from './many.ts';
import { NAMED_SEEDS } from './named-seeds.ts';
import { playSeries } from './series.ts';
import { simulate } from './simulation.ts';

test('keeps every promise in 500 worlds', { timeout: 120_000 }, async () => {
  const { runs, failures, counts } = await simulateMany({ firstSeed: 1, runs: 500, mostFailures: 1 });
  expect(failures).toEqual([]);
  expect(runs).toBe(500);
  // The worlds are as bad as they should be.
  expect(counts['process crashes']).toBeGreaterThan(50);
  expect(counts['repeat with a cause']).toBeGreaterThan(50);
  expect(counts['pages drifted']).toBeGreaterThan(50);
});

test('keeps every promise without a repeat where nothing goes wrong', async () => {
  const calm = Object.fromEntries(FAULTS.map((fault) => [fault, 0]));
  const { failures, counts } = await simulateMany({
    firstSeed: 1,
    runs: 50,
    mostFailures: 1,
    fixed: { rates: calm, replays: 0 },
  });
  expect(failures).toEqual([]);
  expect(counts['repeat with a cause']).toBeUndefined();
});

test.each(NAMED_SEEDS)('$name', async ({ seed, fixed }) => {
  const { failures } = await playSeries({ firstSeed: seed, runs: 20, mostFailures: 1, fixed });
  expect(failures).toEqual([]);
});

test('plays the same seed the same way', async () => {
  const play = async (): Promise<string[]> => {
    const lines: string[] = [];
    await simulate(7, { trace: (line) => lines.push(line) });
    return lines;
  };
  const lines = await play();
  expect(lines.length).toBeGreaterThan(100);
  expect(await play()).toEqual(lines);
});
