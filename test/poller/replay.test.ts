import { expect, test } from 'vitest';
import { expectAllOnce } from './expect-relayed.ts';
import { FIRST_MS, START_MS, startRelay } from './relay-fixture.ts';

const ALL = { fromSeconds: FIRST_MS / 1000, toSeconds: START_MS / 1000 };
const LONG = { deadlineMs: START_MS + 86_400_000 };

test('publishes a window again, flagged, and later polls do not repeat it', async () => {
  const relay = await startRelay();
  const rows = relay.add(80);
  await relay.poll();
  expectAllOnce(relay);
  const result = await relay.replay(ALL, LONG);
  expect(result).toMatchObject({ published: 80, known: 0, parked: 0, filtered: 0 });
  expect(result).not.toHaveProperty('next');
  const replayed = relay.relayed().filter(({ detail }) => detail.replayed);
  expect(replayed.map(({ detail }) => detail.id).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  relay.advance(60);
  expect(await relay.poll()).toMatchObject({ published: 0 });
});

test('relays what lies before the start, and the ledger knows it from then on', async () => {
  const relay = await startRelay();
  await relay.poll();
  relay.platform.add(30, { time: (index) => FIRST_MS - 86_400_000 + index * 60_000 });
  const fromSeconds = FIRST_MS / 1000 - 2 * 86_400;
  expect(await relay.replay({ ...ALL, fromSeconds }, LONG)).toMatchObject({ published: 30 });
  relay.platform.faults.ignoredFilters = ['after'];
  relay.advance(60);
  expect(await relay.poll()).toMatchObject({ published: 0 });
});

test('publishes once what a replay saw before the poll', async () => {
  const relay = await startRelay();
  await relay.poll();
  relay.advance(60);
  relay.add(1, 55);
  // From here on the poller holds the ledger of these minutes in memory.
  await relay.poll();
  relay.advance(60);
  relay.add(20, 55);
  await relay.replay({ fromSeconds: START_MS / 1000 + 62, toSeconds: relay.now() / 1000 }, LONG);
  expect(await relay.poll()).toMatchObject({ published: 0, known: 21 });
  expectAllOnce(relay);
});

test('publishes once what a replay published while the poller had the ledger in memory', async () => {
  const relay = await startRelay();
  await relay.poll();
  relay.advance(60);
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  relay.platform.faults.latencyMs = 1;
  relay.freeze = () => {
    relay.freeze = undefined;
    asked.resolve();
    return held.promise;
  };
  const replayed = relay.replay({ fromSeconds: START_MS / 1000, toSeconds: START_MS / 1000 + 120 }, LONG);
  await asked.promise;
  relay.add(1, 55);
  await relay.poll();
  relay.advance(30);
  relay.add(5, 20);
  held.resolve();
  expect(await replayed).toMatchObject({ published: 6 });
  expect(await relay.poll()).toMatchObject({ published: 0, known: 6 });
});

test('says where to go on when its time is up', async () => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { limitMax: 20, latencyMs: 1000 });
  relay.add(900);
  const seen = () => new Set(relay.relayed().map(({ detail }) => detail.id)).size;
  let fromSeconds = ALL.fromSeconds;
  let runs = 0;
  for (; runs < 50; runs++) {
    const { next } = await relay.replay({ ...ALL, fromSeconds }, { deadlineMs: relay.now() + 30_000 });
    if (next === undefined) break;
    expect(Date.parse(next) / 1000).toBeGreaterThanOrEqual(fromSeconds);
    fromSeconds = Date.parse(next) / 1000;
    relay.restart();
  }
  expect(runs).toBeGreaterThan(0);
  expect(runs).toBeLessThan(50);
  expect(seen()).toBe(900);
});

test('replays the wanted types only, and leaves the others to the poll', async () => {
  const relay = await startRelay();
  relay.platform.add(
    ['a', 'b', 'a', 'c'].map((eventType, index) => ({ id: `${eventType}-${index}`, eventType })),
    {
      time: START_MS - 60_000,
    },
  );
  expect(await relay.replay({ ...ALL, types: ['a'] }, LONG)).toMatchObject({ published: 2 });
  expect(await relay.poll()).toMatchObject({ published: 2, known: 2 });
});

test('leaves mark and lease alone', async () => {
  const relay = await startRelay();
  await relay.poll();
  const cursors = await relay.cursors();
  relay.platform.faults.envelope = 'html';
  await expect(relay.replay(ALL, LONG)).rejects.toMatchObject({ name: 'ProtocolError' });
  expect(await relay.cursors()).toEqual(cursors);
  relay.platform.faults.envelope = 'paged';
  await relay.replay(ALL, LONG);
  expect(await relay.cursors()).toEqual(cursors);
});
