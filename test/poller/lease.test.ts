import { expect, test } from 'vitest';
import { expectAllOnce } from './expect-relayed.ts';
import { type RelayFixture, startRelay } from './relay-fixture.ts';

/** Holds the next answer with events back until it is told to come. */
function holdNextAnswer(relay: RelayFixture): { asked: Promise<void>; answer: () => void } {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  relay.platform.faults.failNext = [{ route: 'events', latencyMs: 1 }];
  relay.freeze = () => {
    asked.resolve();
    return held.promise;
  };
  return { asked: asked.promise, answer: held.resolve };
}

test('skips while another run holds the lease, and takes it once it is given back', async () => {
  const relay = await startRelay();
  await relay.poll();
  const cursors = await relay.cursors();
  relay.advance(60);
  relay.add(30, 55);
  const { asked, answer } = holdNextAnswer(relay);
  const polling = relay.poll({ runMs: 10_000 });
  await asked;
  relay.restart();
  expect(await relay.poll()).toMatchObject({ skipped: 'lease', mark: null, published: 0 });
  answer();
  expect(await polling).toMatchObject({ published: 30 });
  expect((await relay.cursors())['0']).toBeGreaterThan(cursors['0'] as number);
  expect(await relay.poll()).toMatchObject({ published: 0, known: 30 });
  expectAllOnce(relay);
});

test('stops without harm when another run has taken its lease over', async () => {
  const relay = await startRelay();
  await relay.poll();
  relay.advance(60);
  relay.add(30, 55);
  const { asked, answer } = holdNextAnswer(relay);
  const frozenPoll = relay.poll({ runMs: 10_000 }).catch((error: unknown) => error);
  await asked;
  relay.freeze = undefined;
  relay.restart();
  // The process may run for 15 s, and its lease lasts 30 s longer.
  relay.advance(40);
  expect(await relay.poll()).toMatchObject({ skipped: 'lease' });
  relay.advance(10);
  expect(await relay.poll()).toMatchObject({ published: 30 });
  const cursors = await relay.cursors();
  answer();
  expect(await frozenPoll).toMatchObject({ name: 'LostLeaseError', retryable: true });
  expect(await relay.cursors()).toEqual(cursors);
  relay.advance(10);
  expect(await relay.poll()).toMatchObject({ published: 0 });
  expectAllOnce(relay);
});
