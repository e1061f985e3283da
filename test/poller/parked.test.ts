import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { caughtUp } from './expect-relayed.ts';
import { START_MS, startRelay } from './relay-fixture.ts';

/** Text that hardly compresses, so that what is parked takes several items. */
function noise(length: number): string {
  let text = '';
  for (let index = 0; text.length < length; index++)
    text += createHash('sha512').update(String(index)).digest('base64');
  return text.slice(0, length);
}

const big = {
  id: 'big',
  eventType: 'kit_submitted',
  createdAt: '2026-01-15T11:50:00.000Z',
  blob: noise(1_200_000),
  ключ: 'é😀\u2028',
};

test('parks a record over 1 MB, publishes its event without it, and gives it back byte for byte', async () => {
  const relay = await startRelay();
  relay.platform.add([big, { id: 'small' }], { time: START_MS - 600_000 });
  expect(await relay.poll()).toMatchObject({ published: 2, parked: 1, backlogSeconds: caughtUp });

  const event = relay.relayed().find(({ detail }) => detail.id === 'big');
  expect(event?.detail).toMatchObject({ type: 'kit_submitted', recordomitted: true, time: big.createdAt });
  expect(event?.detail.data).toEqual({ summary: 'kit_submitted' });
  const said = relay.aws.bus.events.find(({ source }) => source === 'supplier-platform.relay');
  expect(said).toMatchObject({ 'detail-type': 'event.parked', detail: { data: { record: { id: 'big' } } } });

  expect((await relay.items('parked#')).length).toBeGreaterThan(1);
  const parked = await relay.parkingLot.read('big');
  expect(parked).toMatchObject({ id: 'big', type: 'kit_submitted', sinceMs: START_MS });
  expect(parked?.record).toBe(JSON.stringify(big));

  relay.restart();
  relay.advance(60);
  expect(await relay.poll()).toMatchObject({ published: 0, parked: 0 });
  relay.advance(400);
  expect(await relay.poll()).toMatchObject({ published: 0, parked: 0 });
  expect(relay.relayed()).toHaveLength(2);
});

test('publishes ten records whole that only together are over 1 MB', async () => {
  const relay = await startRelay();
  const records = Array.from({ length: 10 }, (_, index) => ({ id: `half-${index}`, blob: 'x'.repeat(450_000) }));
  relay.platform.add(records, { time: START_MS - 60_000 });
  expect(await relay.poll()).toMatchObject({ published: 10, parked: 0 });
  expect(relay.relayed().map(({ record }) => record.length)).toEqual(
    records.map((each) => JSON.stringify(each).length),
  );
});

test.each(['MalformedDetail', 'InvalidArgument'])('parks what the bus refuses as %s, and goes on', async (code) => {
  const relay = await startRelay();
  relay.add(25);
  relay.platform.add([{ id: 'poison', note: 'marker-in-the-record' }], { time: START_MS - 60_000 });
  relay.aws.bus.faults.entry = ({ Detail }) => (Detail?.includes('marker-in-the-record') ? code : undefined);
  expect(await relay.poll()).toMatchObject({ published: 26, parked: 1, backlogSeconds: caughtUp });
  expect((await relay.parkingLot.read('poison'))?.record).toBe('{"id":"poison","note":"marker-in-the-record"}');
  expect(relay.relayed().find(({ detail }) => detail.id === 'poison')?.detail.recordomitted).toBe(true);
  relay.restart();
  relay.advance(60);
  expect(await relay.poll()).toMatchObject({ published: 0, parked: 0 });
});

test('parks what the bus will not even take without its record', async () => {
  const relay = await startRelay();
  relay.platform.add([{ id: 'poison' }, { id: 'sound' }], { time: START_MS - 60_000 });
  relay.aws.bus.faults.entry = ({ Detail }) =>
    JSON.parse(Detail ?? '{}').id === 'poison' ? 'MalformedDetail' : undefined;
  expect(await relay.poll()).toMatchObject({ published: 1, parked: 1, backlogSeconds: caughtUp });
  expect((await relay.parkingLot.read('poison'))?.record).toBe('{"id":"poison"}');
  relay.restart();
  relay.advance(60);
  expect(await relay.poll()).toMatchObject({ published: 0, parked: 0 });
});

test('reads nothing back of what was never parked', async () => {
  const relay = await startRelay();
  expect(await relay.parkingLot.read('none')).toBeUndefined();
});

test.each(['with#hash', 'x'.repeat(250), 'é/ ?'])(
  'reads back by the id %j, and by no other that begins like it',
  async (id) => {
    const relay = await startRelay();
    const park = (which: string) =>
      relay.parkingLot.park({ id: which, type: 't', why: 'w', sinceMs: START_MS, record: `"${which}"` });
    await park(id);
    await park(`${id}#0000`);
    expect((await relay.parkingLot.read(id))?.record).toBe(`"${id}"`);
  },
);
