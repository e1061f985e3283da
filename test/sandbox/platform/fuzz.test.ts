import { expect, onTestFinished, test } from 'vitest';
import { createPlatform } from '../../../sandbox/platform/platform.ts';
import { fuzz } from '../../fuzz/fuzz.ts';
import { learnSource } from '../../fuzz/source.ts';

test('answers two thousand bad requests with errors of one shape, and good ones as ever', async () => {
  const platform = await createPlatform({ history: { events: 100, days: 1 } });
  onTestFinished(() => platform.close());
  platform.faults.longPollHoldMs = 1;
  const source = await learnSource({ baseUrl: platform.url, apiKey: platform.apiKey, seed: 1 });
  expect(source.operations).toHaveLength(16);
  const { statuses, faults } = await fuzz(platform.url, { ...source, requests: 2000 });
  expect(faults).toEqual([]);
  expect(Object.keys(statuses)).toEqual(
    expect.arrayContaining(['200', '201', '204', '400', '401', '404', '405', '415', '431']),
  );
  const after = await learnSource({ baseUrl: platform.url, apiKey: platform.apiKey, seed: 1 });
  expect(after.ids).toEqual(source.ids);
});
