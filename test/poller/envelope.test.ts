import { expect, test } from 'vitest';
import { caughtUp, expectAllOnce } from './expect-relayed.ts';
import { startRelay } from './relay-fixture.ts';

test('reads a bare array', async () => {
  const relay = await startRelay();
  relay.platform.faults.envelope = 'array';
  relay.add(50);
  await relay.poll();
  relay.advance(30);
  relay.add(5, 20);
  await relay.poll();
  relay.advance(30);
  expect(await relay.poll()).toMatchObject({ published: 0 });
  expectAllOnce(relay);
});

const BROKEN = [
  ['data', 'answered an object with data'],
  ['html', 'HTML'],
  ['truncated', 'broken JSON'],
  ['empty', 'nothing'],
] as const;

test.each(BROKEN)('stops with the mark where it was when an answer is %s', async (envelope, words) => {
  const relay = await startRelay();
  relay.add(50);
  expect(await relay.poll()).toMatchObject({ backlogSeconds: caughtUp });
  const cursors = await relay.cursors();

  relay.advance(60);
  relay.add(20, 50);
  relay.platform.faults.envelope = envelope;
  await expect(relay.poll()).rejects.toMatchObject({ name: 'ProtocolError', message: expect.stringContaining(words) });
  expect(await relay.cursors()).toEqual(cursors);
  const [mark] = await relay.items('mark');
  expect(mark?.lastError?.S).toMatch(/^ProtocolError: /);

  relay.platform.faults.envelope = 'paged';
  expect(await relay.poll()).toMatchObject({ published: 20, backlogSeconds: caughtUp });
  expectAllOnce(relay);
  const [mended] = await relay.items('mark');
  expect(mended?.lastError).toEqual({ NULL: true });
});

test.each(BROKEN)('has no mark after a first poll that was answered with %s', async (envelope) => {
  const relay = await startRelay();
  relay.add(50);
  relay.platform.faults.envelope = envelope;
  await expect(relay.poll()).rejects.toMatchObject({ name: 'ProtocolError' });
  expect(relay.relayed()).toEqual([]);
  // The start stays, however late the first whole read is.
  relay.platform.faults.envelope = 'paged';
  relay.advance(1800);
  relay.restart();
  await relay.poll();
  expectAllOnce(relay);
});

test.each(BROKEN)('keeps what came before a page that is %s', async (envelope) => {
  const relay = await startRelay();
  relay.add(50);
  await relay.poll();
  const cursors = await relay.cursors();
  relay.advance(60);
  relay.add(70, 50);
  relay.platform.faults.limitMax = 20;
  relay.platform.faults.beforeEvents = ({ page }) => {
    relay.platform.faults.envelope = page === 2 ? envelope : 'paged';
  };
  await expect(relay.poll()).rejects.toMatchObject({ name: 'ProtocolError' });
  expect(await relay.cursors()).toEqual(cursors);
  expect(relay.relayed().length).toBeGreaterThan(50);

  relay.platform.faults.beforeEvents = null;
  relay.platform.faults.envelope = 'paged';
  relay.restart();
  await relay.poll();
  expectAllOnce(relay);
});
