import { expect, test } from 'vitest';
import { expectAllOnce } from './expect-relayed.ts';
import { type RelayFixture, START_MS, startRelay } from './relay-fixture.ts';

const idOf = (detail: string | undefined): string => JSON.parse(detail ?? '{}').id;

/** Adds records `event-0`, `event-1`, … a minute old. */
const addNumbered = ({ platform }: RelayFixture, count: number) =>
  platform.add(
    Array.from({ length: count }, (_, index) => ({ id: `event-${index}` })),
    { time: START_MS - 60_000 },
  );

test.each(['ThrottlingException', 'InternalFailure', 'InternalException'])(
  'repeats only the entries that are refused with %s',
  async (code) => {
    const relay = await startRelay();
    addNumbered(relay, 35);
    const left = new Map([
      ['event-3', 2],
      ['event-9', 1],
      ['event-10', 3],
      ['event-34', 1],
    ]);
    relay.aws.bus.faults.entry = ({ Detail }) => {
      const id = idOf(Detail);
      const times = left.get(id) ?? 0;
      left.set(id, times - 1);
      return times > 0 ? code : undefined;
    };
    expect(await relay.poll()).toMatchObject({ published: 35, parked: 0 });
    expectAllOnce(relay);
    expect(relay.aws.bus.entries).toEqual({ accepted: 35, refused: 7, dropped: 0 });
  },
);

test.each(['AccessDeniedException', 'NotAuthorizedForSourceException', 'SomethingNew'])(
  'leaves the mark when one entry fails with %s, and repeats none of the others',
  async (code) => {
    const relay = await startRelay();
    await relay.poll();
    const cursors = await relay.cursors();
    addNumbered(relay, 35);
    relay.advance(1);
    relay.aws.bus.faults.entry = ({ Detail }) => (idOf(Detail) === 'event-17' ? code : undefined);
    const failed = await relay.poll().catch((error: unknown) => error);
    expect(failed).toMatchObject({ name: 'PublishError', retryable: false, message: expect.stringContaining(code) });
    expect(await relay.cursors()).toEqual(cursors);
    // Those beside it in its batch were taken.
    const taken = relay.relayed().map(({ detail }) => detail.id);
    expect(taken).toEqual(expect.arrayContaining(['event-16', 'event-18']));

    relay.aws.bus.faults.entry = () => undefined;
    relay.restart();
    expect(await relay.poll()).toMatchObject({ published: 35 - taken.length, known: taken.length });
    expectAllOnce(relay);
  },
);

test.each([
  { status: 500, code: 'InternalFailure' },
  { status: 503, code: 'ServiceUnavailable' },
  { status: 400, code: 'ThrottlingException' },
])('repeats a request that is answered with $status $code', async (fault) => {
  const relay = await startRelay();
  addNumbered(relay, 35);
  let times = 5;
  relay.aws.bus.faults.refuse = (operation) => (operation === 'PutEvents' && times-- > 0 ? fault : undefined);
  expect(await relay.poll()).toMatchObject({ published: 35 });
  expectAllOnce(relay);
});

test('repeats with the same ids what was accepted when the answer was lost', async () => {
  const relay = await startRelay();
  addNumbered(relay, 35);
  let times = 1;
  relay.aws.bus.faults.cut = (operation) => operation === 'PutEvents' && times-- > 0;
  expect(await relay.poll()).toMatchObject({ published: 35 });
  const ids = relay.relayed().map(({ detail }) => detail.id);
  expect(new Set(ids).size).toBe(35);
  // One batch.
  expect(ids).toHaveLength(45);
  relay.advance(10);
  expect(await relay.poll()).toMatchObject({ published: 0 });
});

test.each([
  { status: 400, code: 'AccessDeniedException' },
  { status: 403, code: 'AccessDeniedException' },
  { status: 400, code: 'ResourceNotFoundException' },
  { status: 400, code: 'UnrecognizedClientException' },
])('stops at once when a request is refused with $status $code', async (fault) => {
  const relay = await startRelay();
  await relay.poll();
  const cursors = await relay.cursors();
  addNumbered(relay, 35);
  relay.advance(1);
  relay.aws.bus.faults.refuse = (operation) => (operation === 'PutEvents' ? fault : undefined);
  await expect(relay.poll()).rejects.toMatchObject({ message: expect.stringContaining(fault.code) });
  expect(relay.aws.bus.requests.PutEvents).toBeLessThanOrEqual(4);
  expect(await relay.items('parked#')).toEqual([]);
  expect(await relay.cursors()).toEqual(cursors);
  relay.aws.bus.faults.refuse = () => undefined;
  await relay.poll();
  expectAllOnce(relay);
});

test('does not call a poll a success that could publish nothing', async () => {
  const relay = await startRelay();
  await relay.poll();
  const cursors = await relay.cursors();
  const [before] = await relay.items('mark');
  addNumbered(relay, 35);
  relay.advance(30);
  relay.aws.bus.faults.down = true;
  await expect(relay.poll()).rejects.toMatchObject({ name: 'PublishError', retryable: true });
  expect(await relay.cursors()).toEqual(cursors);
  const [after] = await relay.items('mark');
  expect(after?.lastSuccessMs).toEqual(before?.lastSuccessMs);
  relay.aws.bus.faults.down = false;
  await relay.poll();
  expectAllOnce(relay);
});

test('cuts a long type for the bus and keeps it whole in the detail', async () => {
  const relay = await startRelay();
  const eventType = `${'é'.repeat(127)}😀 and more`;
  relay.platform.add(
    [
      { id: 'one', eventType },
      { id: 'two', eventType: 'a\n\tb' },
    ],
    { time: START_MS - 60_000 },
  );
  await relay.poll();
  expectAllOnce(relay);
  const [one, two] = ['one', 'two'].map((id) => relay.relayed().find(({ detail }) => detail.id === id));
  expect(one?.detail.type).toBe(eventType);
  // Cut between two characters, never in the middle of one.
  expect(one?.detailType).toBe('é'.repeat(127));
  expect([two?.detailType, two?.detail.data.summary]).toEqual(['a b', 'a b']);
});
