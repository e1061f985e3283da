import { expect, test } from 'vitest';
import { type RelayFixture, START_MS, startRelay } from './relay-fixture.ts';

const DAY_MS = 86_400_000;

/** What the relay said of itself on the bus. */
const notices = ({ aws }: RelayFixture) =>
  aws.bus.events
    .filter(({ source }) => source === 'supplier-platform.relay')
    .map((event) => ({
      type: event['detail-type'],
      detail: event.detail as { id: string; data: { record: unknown } },
    }));

test('takes the time from the field that fits the window, not from that of the supplier', async () => {
  const relay = await startRelay();
  const records = Array.from({ length: 5 }, (_, index) => ({
    id: `event-${index}`,
    createdAt: new Date(START_MS - 900 * DAY_MS).toISOString(),
    occurredAt: new Date(START_MS - 60_000 - index).toISOString(),
  }));
  for (const record of records) relay.platform.add([record], { time: Date.parse(record.occurredAt) });
  expect(await relay.poll()).toMatchObject({ published: 5 });
  expect(relay.relayed().map(({ detail }) => detail.time)).toEqual(
    records.map(({ occurredAt }) => occurredAt).reverse(),
  );

  relay.restart();
  relay.advance(30);
  const late = new Date(relay.now() - 5_000).toISOString();
  relay.platform.add([{ id: 'later', createdAt: '2020-01-01T00:00:00Z', occurredAt: late }], {
    time: Date.parse(late),
  });
  expect(await relay.poll()).toMatchObject({ published: 1, known: 5 });
});

test('says on the bus when records change their shape, once, and goes on', async () => {
  // Old records change with the new ones here: nothing may be read twice.
  const relay = await startRelay({ env: { RELAY_OVERLAP_SECONDS: '0' } });
  relay.add(30, 60);
  await relay.poll();
  expect(notices(relay)).toEqual([]);

  relay.advance(100);
  relay.platform.faults.id = 'none';
  relay.platform.faults.actorField = 'createdBy';
  relay.add(30, 60);
  expect(await relay.poll()).toMatchObject({ published: 30 });
  expect(notices(relay)).toMatchObject([
    {
      type: 'records.changed',
      detail: { data: { record: { before: { id: '_id', actor: 'user' }, after: { id: 'none', actor: 'createdBy' } } } },
    },
  ]);

  relay.restart();
  relay.advance(100);
  relay.add(30, 60);
  expect(await relay.poll()).toMatchObject({ published: 30 });
  expect(notices(relay)).toHaveLength(1);
});

test('says on the bus when a re-check shows far fewer events than were published, and goes on', async () => {
  const relay = await startRelay();
  await relay.poll();
  relay.advance(600);
  const rows = relay.add(100, 590);
  await relay.poll();
  relay.platform.trail.remove(rows.slice(0, 90).map(({ id }) => id));
  relay.advance(1200);
  relay.add(3, 10);
  expect(await relay.poll()).toMatchObject({ published: 3 });
  expect(notices(relay)).toMatchObject([
    { type: 'rows.missing', detail: { id: expect.stringContaining('audit/rows-missing/') } },
  ]);
});

test('says nothing when a re-check shows what was published', async () => {
  const relay = await startRelay();
  await relay.poll();
  relay.advance(600);
  relay.add(100, 590);
  await relay.poll();
  relay.advance(1200);
  expect(await relay.poll()).toMatchObject({ published: 0 });
  expect(notices(relay)).toEqual([]);
});

test('says on the bus where a gap is', async () => {
  const relay = await startRelay();
  relay.platform.faults.limitClamp = 20;
  relay.platform.faults.deepRows = 40;
  relay.platform.faults.types = 'missing';
  relay.platform.faults.typeForm = 'none';
  relay.platform.add(100, { time: START_MS - 600_000 });
  expect(await relay.poll()).toMatchObject({ gaps: expect.toSatisfy((gaps: number) => gaps > 0) });
  expect(notices(relay)[0]).toMatchObject({ type: 'gap.found', detail: { id: expect.stringContaining('audit/gap/') } });
});

test('counts how late events were first seen, by type', async () => {
  const relay = await startRelay();
  const at = (ago: number) => new Date(START_MS - ago * 1000).toISOString();
  relay.platform.add([{ id: 'a', eventType: 'import', createdAt: at(10) }], { time: START_MS - 10_000 });
  relay.platform.add([{ id: 'b', eventType: 'import', createdAt: at(400) }], { time: START_MS - 400_000 });
  relay.platform.add([{ id: 'c', eventType: '__proto__', createdAt: at(3_000) }], { time: START_MS - 3_000_000 });
  const { lateness } = await relay.poll();
  expect(lateness.byType.import).toEqual([1, 0, 1, 0, 0, 0, 0]);
  expect(Object.keys(lateness.byType).sort()).toEqual(['__proto__', 'import']);
  expect([...lateness.sampleSeconds].sort((one, other) => one - other)).toEqual([10, 400, 3_000]);
});
