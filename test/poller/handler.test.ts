import { expect, test } from 'vitest';
import { setStage } from './handler-stage.ts';

const DAY_MS = 86_400_000;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

test.each([
  ['P30D', 30],
  [new Date(Date.now() - 10 * DAY_MS).toISOString(), 10],
])('relays everything since %s once and nothing older', async (RELAY_START, days) => {
  const { platform, start, ids } = await setStage();
  const nowMs = Date.now();
  // Nothing lies so near the start that the time the processes take to start would matter.
  platform.add(400, { time: (index) => nowMs - 40 * DAY_MS + index * (DAY_MS / 10) + DAY_MS / 20 });
  const poll = start({ RELAY_START });
  const since = [...platform.trail].filter(({ time }) => time >= nowMs - days * DAY_MS).map(({ id }) => id);
  expect(await poll()).toMatchObject({
    published: since.length,
    known: 0,
    parked: 0,
    filtered: 0,
    mark: expect.stringMatching(ISO),
    checkedThrough: expect.stringMatching(ISO),
    backlogSeconds: expect.any(Number),
    skewSeconds: expect.any(Number),
  });
  await poll();
  await start({ RELAY_START })();
  expect(ids().toSorted()).toEqual(since.toSorted());
});

test('begins now and relays what happens from then on', async () => {
  const { platform, start, ids, log } = await setStage({ history: { events: 200, days: 1 } });
  const poll = start();
  expect(await poll()).toMatchObject({ published: 0 });
  const fresh = platform.add(3).map(({ id }) => id);
  expect(await poll()).toMatchObject({ published: 3, known: 0 });
  expect(ids().toSorted()).toEqual(fresh.toSorted());
  for (const line of log) expect(line).not.toContain(platform.apiKey.split('.')[2]);
});

test('publishes in the form that rules match on', async () => {
  const { platform, aws, start } = await setStage();
  const poll = start();
  await poll();
  const [row] = platform.add(1);
  await poll();
  const record = row?.record as { eventType: string };
  expect(aws.bus.events[0]).toMatchObject({
    source: 'supplier-platform.audit',
    'detail-type': record.eventType,
    detail: {
      specversion: '1.0',
      id: row?.id,
      source: '/tenants/acme/audit',
      tenant: 'acme',
      stream: 'audit',
      data: { record },
    },
  });
  expect(aws.bus.events[0]?.resources).toContain('tenant/acme');
});

test('skips while another process polls', async () => {
  const waiting = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const { platform, start, ids } = await setStage({
    sleep: () => {
      asked.resolve();
      return waiting.promise;
    },
  });
  const [first, second] = [start(), start()];
  await first();
  const fresh = platform.add(3).map(({ id }) => id);
  platform.faults.failNext = [{ route: 'events', latencyMs: 1 }];
  const polling = first();
  await asked.promise;
  expect(await second()).toMatchObject({ skipped: 'lease', published: 0, mark: null });
  waiting.resolve();
  expect(await polling).toMatchObject({ published: 3 });
  expect(await second()).not.toHaveProperty('skipped');
  expect(ids().toSorted()).toEqual(fresh.toSorted());
});

test('replays a window, and asks for a window that makes sense', async () => {
  const { platform, aws, start } = await setStage();
  const poll = start({ RELAY_START: 'P1D' });
  const nowMs = Date.now();
  platform.add(50, { time: (index) => nowMs - 3_600_000 + index * 60_000 });
  await poll();
  const replay = { from: new Date(nowMs - 3_600_000).toISOString(), to: new Date(nowMs).toISOString() };
  const replayed = await poll({ replay });
  expect(replayed).toMatchObject({ published: 50, known: 0, parked: 0, filtered: 0 });
  expect(replayed).not.toHaveProperty('next');
  expect(aws.bus.events.filter(({ detail }) => detail.replayed)).toHaveLength(50);
  expect(await poll({ source: 'aws.scheduler', detail: {} })).toMatchObject({ published: 0 });
  for (const wrong of [
    { from: 'yesterday', to: replay.to },
    { from: replay.from },
    { ...replay, types: [] },
    { ...replay, typo: 1 },
  ]) {
    await expect(poll({ replay: wrong })).rejects.toMatchObject({ errorType: 'ConfigurationError' });
  }
});

test('relays the wanted types only, now and after the filter is gone', async () => {
  const { platform, start, aws } = await setStage();
  const wanted = start({ RELAY_EVENT_TYPES: 'a, c' });
  await wanted();
  platform.add(
    ['a', 'b', 'c', 'b', undefined].map((eventType, index) => ({ id: `${index}`, ...(eventType && { eventType }) })),
  );
  expect(await wanted()).toMatchObject({ published: 3, filtered: 2 });
  expect(aws.bus.events.map((event) => event['detail-type']).toSorted()).toEqual(['a', 'c', 'unknown']);
  expect(await start()()).toMatchObject({ published: 0 });
});

test('finds id, time, type and actor where it is told', async () => {
  const { platform, start, aws } = await setStage();
  const fields = { id: 'meta.key', time: 'meta.at', type: 'what.code', actor: 'who' };
  const poll = start({ RELAY_FIELDS: JSON.stringify(fields) });
  await poll();
  const at = new Date().toISOString();
  platform.add([{ id: 'same', meta: { key: 'k1', at }, what: { code: 'opened' }, who: { email: 'a@b.example' } }]);
  await poll();
  expect(aws.bus.events[0]?.detail).toMatchObject({
    id: 'k1',
    time: at,
    type: 'opened',
    data: { actor: { email: 'a@b.example' } },
  });
});
