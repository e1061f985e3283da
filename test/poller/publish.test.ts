import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { expect, onTestFinished, test } from 'vitest';
import { FAKE_CREDENTIALS } from '../../sandbox/aws/credentials.ts';
import { noFaults } from '../../sandbox/aws/faults.ts';
import { createJsonServer, ServiceError } from '../../sandbox/aws/json-server.ts';
import { createEventBridgeBus } from '../../shared/aws/bus.ts';
import { createNormaliser } from '../../shared/relay/normalise.ts';
import type { ParkedRecord } from '../../shared/relay/ports.ts';
import { createPublisher } from '../../shared/relay/publish.ts';

interface Entry {
  readonly Detail: string;
}

/** A publisher in front of a bus that answers as it is told. */
async function startPublisher(answer: (ids: string[], entries: readonly Entry[]) => object) {
  const putEvents = (input: unknown) => {
    const { Entries } = input as { Entries: Entry[] };
    return answer(
      Entries.map(({ Detail }) => JSON.parse(Detail).id),
      Entries,
    );
  };
  const server = await createJsonServer({ operations: { PutEvents: putEvents }, faults: noFaults() });
  const client = new EventBridgeClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: FAKE_CREDENTIALS,
    maxAttempts: 1,
  });
  onTestFinished(async () => {
    client.destroy();
    await server.close();
  });
  const parked: ParkedRecord[] = [];
  const publisher = createPublisher({
    bus: createEventBridgeBus({ client, name: 'acme' }),
    parkingLot: { park: async (record) => void parked.push(record) },
    sleep: async () => undefined,
    random: () => 0,
    clock: () => Date.UTC(2026, 0, 15, 12),
  });
  const normaliser = createNormaliser({ tenant: 'acme', stream: 'audit' });
  const publish = (records: readonly object[]) =>
    publisher.publish(
      records.map((record) => normaliser.toEvent(normaliser.identify(record), Date.UTC(2026, 0, 15, 12))),
      () => undefined,
    );
  return { publish, parked, requests: server.requests };
}

const records = (count: number, extra: Readonly<Record<number, object>> = {}) =>
  Array.from({ length: count }, (_, index) => ({ id: `event-${index}`, ...extra[index] }));
const accept = (ids: readonly string[]) => ({ FailedEntryCount: 0, Entries: ids.map((id) => ({ EventId: id })) });

test('splits a request that is refused as a whole down to the culprit', async () => {
  const accepted: string[] = [];
  const { publish, parked, requests } = await startPublisher((ids, entries) => {
    if (entries.some(({ Detail }) => Detail.includes('"culprit":true')))
      throw new ServiceError('ValidationException', 'No.');
    accepted.push(...ids);
    return accept(ids);
  });
  const settlement = await publish(records(20, { 6: { culprit: true } }));
  expect(settlement).toMatchObject({ published: 20, parked: 1 });
  expect(settlement.failure).toBeUndefined();
  expect([...settlement.settledIds].filter((id) => id.startsWith('event')).toSorted()).toEqual(
    expect.arrayContaining(records(20).map(({ id }) => id)),
  );
  expect(parked.map(({ id, record }) => [id, record])).toEqual([['event-6', '{"id":"event-6","culprit":true}']]);
  expect(accepted.filter((id) => id.startsWith('event-')).toSorted()).toEqual(
    [...records(20).map(({ id }) => id), 'event-6/parked'].toSorted(),
  );
  // One whole batch of ten, and the halves around one entry of the other.
  expect(requests.PutEvents).toBeLessThan(14);
});

test('repeats a batch whose answer does not cover every entry', async () => {
  let short = true;
  const { publish } = await startPublisher((ids) => {
    const answer = accept(short ? ids.slice(1) : ids);
    short = false;
    return answer;
  });
  const settlement = await publish(records(5));
  expect(settlement).toMatchObject({ published: 5, parked: 0 });
  expect(settlement.settledIds).toHaveLength(5);
});

test('parks nothing when permissions are missing, and begins nothing more', async () => {
  const { publish, parked, requests } = await startPublisher(() => {
    throw new ServiceError('AccessDeniedException', 'Not authorized to perform events:PutEvents.');
  });
  const settlement = await publish(records(500));
  expect(settlement).toMatchObject({ published: 0, parked: 0, settledIds: [] });
  expect(String(settlement.failure)).toContain('AccessDeniedException');
  expect(parked).toEqual([]);
  expect(requests.PutEvents).toBeLessThanOrEqual(8);
});

test('keeps every request within ten entries and a megabyte', async () => {
  const sizes: number[] = [];
  const { publish } = await startPublisher((ids, entries) => {
    sizes.push(ids.length);
    expect(entries.reduce((sum, { Detail }) => sum + Buffer.byteLength(Detail), 0)).toBeLessThan(1_000_000);
    return accept(ids);
  });
  await publish(
    records(60, Object.fromEntries(Array.from({ length: 30 }, (_, index) => [index, { blob: 'é'.repeat(90_000) }]))),
  );
  expect(Math.max(...sizes)).toBe(10);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(60);
});
