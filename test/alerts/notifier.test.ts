import { expect, test } from 'vitest';
import { busEvent } from './bus-event.ts';
import { manyQueued, queued, setStage } from './notifier-stage.ts';

const ids = (items: readonly { messageId: string }[]) => items.map(({ messageId }) => messageId);

/** Adds up the events that messages say they tell of, by their titles: one, or `×n`. */
const countTold = (messages: readonly { payload: unknown }[]) =>
  messages
    .map(({ payload }) => /×(\d+)/.exec((payload as { blocks: [{ text: { text: string } }] }).blocks[0].text.text)?.[1])
    .reduce((sum, count) => sum + Number(count ?? 1), 0);

test('tells of one event in one message', async () => {
  const { webhooks, run } = await setStage();
  expect(await run([queued()])).toEqual({ messages: 1, events: 1, quiet: 0, repeats: 0, failed: [] });
  expect(webhooks.received).toHaveLength(1);
});

test.each([1000, 250, 100])(
  'tells of a burst of 1,000 events in a handful of messages, in batches of %d',
  async (size) => {
    const { webhooks, run } = await setStage();
    for (let from = 0; from < 1000; from += size) expect((await run(manyQueued(size))).failed).toEqual([]);
    expect(webhooks.received).toHaveLength(1000 / size);
    expect(countTold(webhooks.received)).toBe(1000);
    expect(webhooks.refusals).toEqual([]);
  },
);

test('keeps a second between messages, of one alert or of several with one webhook', async () => {
  const { webhooks, secret, run } = await setStage([{ name: 'a' }, { name: 'b' }]);
  secret.b = secret.a;
  for (let batch = 0; batch < 5; batch++) await run([queued(busEvent(), 'a'), queued(busEvent(), 'b')]);
  const times = webhooks.received.map(({ receivedMs }) => receivedMs);
  expect(times).toHaveLength(10);
  for (const [index, timeMs] of times.entries()) {
    if (index > 0) expect(timeMs - times[index - 1]!).toBeGreaterThanOrEqual(1000);
  }
  expect(webhooks.refusals).toEqual([]);
});

test('drops repeats by event id, in a batch and across batches, and keeps alerts apart', async () => {
  const { webhooks, run } = await setStage([{ name: 'a' }, { name: 'b' }]);
  const event = busEvent();
  const again = { ...event, id: 'another-delivery' };
  expect(await run([queued(event, 'a'), queued(again, 'a')])).toMatchObject({
    messages: 1,
    events: 1,
    repeats: 1,
    failed: [],
  });
  expect(await run([queued(again, 'a'), queued(event, 'b')])).toMatchObject({
    messages: 1,
    events: 1,
    repeats: 1,
    failed: [],
  });
  expect(webhooks.received.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('remembers the latest 20,000 events and no more', async () => {
  const { notifier, run } = await setStage();
  const items = Array.from({ length: 20_001 }, (_, index) =>
    queued({ id: `event-${index}`, 'detail-type': 'custom', detail: {} }),
  );
  expect(await run(items)).toMatchObject({ messages: 1, events: 20_001 });
  expect(await run(items.slice(1))).toMatchObject({ messages: 0, repeats: 20_000 });
  expect(await notifier.notify(items.slice(0, 1), Number.POSITIVE_INFINITY)).toMatchObject({ messages: 1, repeats: 0 });
});

test('gives back every item of an event that could not be told, its repeats included', async () => {
  const { webhooks, run } = await setStage();
  webhooks.fail('everything', { status: 500 });
  const event = busEvent();
  const items = [queued(event), queued(event)];
  expect((await run(items)).failed).toEqual(ids(items));
});

test('leaves out replayed and late events, unless the alert wants them', async () => {
  const { webhooks, run } = await setStage([
    { name: 'usual' },
    { name: 'all', quiet: { replayed: false, laterThanSeconds: 10 * 86_400 } },
  ]);
  const [replayed, late, fine] = [
    busEvent({ replayed: true }),
    busEvent({ lateMs: 86_401_000 }),
    busEvent({ lateMs: 86_400_000 }),
  ];
  const items = ['usual', 'all'].flatMap((alert) => [replayed, late, fine].map((event) => queued(event, alert)));
  expect(await run(items)).toEqual({ messages: 2, events: 4, quiet: 2, repeats: 0, failed: [] });
  expect(countTold(webhooks.received)).toBe(4);
});

test('gives back what it cannot read or does not know, with a reason, and tells the rest', async () => {
  const { webhooks, log, run } = await setStage();
  const bodies = [
    '',
    'not json',
    '[]',
    '{"alert":"everything"}',
    '{"alert":"everything","event":{"id":"x","detail":7}}',
  ];
  const bad = bodies.map((body, index) => ({ messageId: `bad-${index}`, body }));
  const unknown = queued(busEvent(), 'no-such-alert');
  const { failed, messages } = await run([...bad, queued(), unknown]);
  expect(failed).toEqual(ids([...bad, unknown]));
  expect(messages).toBe(1);
  expect(webhooks.received).toHaveLength(1);
  expect(log.map(({ messageId, reason }) => [messageId, reason])).toEqual([
    ...ids(bad).map((id) => [id, 'expected {"alert": name, "event": bus event}']),
    [unknown.messageId, 'there is no alert of that name'],
  ]);
});

test('tells of events that others put on the bus, whatever is in them', async () => {
  const { webhooks, run } = await setStage();
  const details = [
    {},
    { id: 7, data: 'x' },
    { data: { actor: 'x', target: [], summary: 7 } },
    { time: 'noon', lateby: '1' },
  ];
  const events = details.map((detail, index) => ({ id: `e${index}`, 'detail-type': 'custom', detail }));
  expect(await run(events.map((event) => queued(event)))).toMatchObject({ messages: 1, events: 4, failed: [] });
  expect(countTold(webhooks.received)).toBe(4);
});
