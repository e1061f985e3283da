import { expect, test } from 'vitest';
import { drainBacklog } from '../../bench/backlog.ts';

test('drains 200,000 events of 60 days in invocations of 20 s: none lost, none repeated, few requests, flat memory', async () => {
  const events = 200_000;
  const drained = await drainBacklog({ what: 'relay', events, days: 60, seed: 1, invocationMs: 20_000 });
  expect(drained).toMatchObject({ events, published: events, lost: 0, repeated: 0 });
  expect(drained.invocations).toBeGreaterThan(1);
  // The end of an invocation cuts a window, whose pages are read again, and little time left makes windows short; how
  // often that is, the machine's speed decides: the benchmark has the close figure.
  const cut = 20 * (drained.invocations - 1);
  expect(drained.headReads).toBeLessThanOrEqual(1.2 * Math.ceil(events / 1000) + cut);
  expect(drained.puts).toBeLessThanOrEqual(1.01 * Math.ceil(events / 10));
  // The rows alone are some 150 MB of text; what is kept is the ledger's recent ids and a few pages.
  for (const bytes of drained.heapBytes) expect(bytes).toBeLessThan(200 * 2 ** 20);
});
