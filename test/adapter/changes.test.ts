import { expect, test } from 'vitest';
import type { RelayEvent } from '../../shared/relay/event.ts';
import { type AdapterStage, INTERFACE, setStage, until } from './stage.ts';

const STREAM = `changes/${INTERFACE}`;
/** Ten seconds of the adapter's time are one of ours. */
const CHANGES = { longPoll: false, changes: { everySeconds: 10 } };
const ACKNOWLEDGING = { longPoll: false, changes: { everySeconds: 10, acknowledge: true } };

const buyers = (stage: AdapterStage) =>
  stage.platform.organisation.suppliers
    .map(({ publicId }) => publicId)
    .filter((publicId) => stage.platform.adapter.changeConnection(publicId).connectionRole === 'buyer');
const change = (stage: AdapterStage, publicId: string, state: string) =>
  stage.platform.adapter.changeConnection(publicId, { state, changedOn: '2026-11-20T10:00:00.000Z' });
const listed = (stage: AdapterStage) =>
  stage.platform.adapter.connections(INTERFACE).filter(({ connectionRole }) => connectionRole === 'buyer');
const scans = async (stage: AdapterStage, count: number) => {
  const before = stage.platform.requests.connections;
  await until(() => stage.platform.requests.connections >= before + count);
};
const stateOf = ({ data }: RelayEvent) => (data.record as { state?: unknown }).state;

/** A connection in which the organisation buys, the only one that is listed. */
function anyone(stage: AdapterStage): string {
  const buyer = stage.platform.organisation.suppliers[0]?.publicId ?? '';
  return buyer;
}

test('publishes every changed connection once, over all pages', async () => {
  const stage = await setStage();
  const changed = buyers(stage);
  expect(changed.length).toBeGreaterThan(50);
  stage.platform.faults.limitClamp = 20;
  stage.start(CHANGES);
  await until(() => stage.arrived('changes').length >= changed.length);
  await scans(stage, 10);
  const events = stage.arrived('changes');
  expect(events.map(({ data }) => data.target?.id).toSorted()).toEqual(changed.toSorted());
  expect(events[0]).toMatchObject({
    type: 'connection_changed',
    stream: STREAM,
    data: { target: { kind: 'connection' } },
  });
  for (const { time, data } of events) expect(time).toBe((data.record as { changedOn: string }).changedOn);
});

test('publishes A, B and A again as three events, also from process to process', async () => {
  const stage = await setStage();
  const publicId = anyone(stage);
  for (const [index, state] of ['A', 'B', 'A'].entries()) {
    change(stage, publicId, state);
    const adapter = stage.start(CHANGES);
    await until(() => stage.arrived('changes').length === index + 1);
    await scans(stage, 4);
    await adapter.stop();
  }
  const events = stage.arrived('changes');
  expect(events.map(stateOf)).toEqual(['A', 'B', 'A']);
  expect(new Set(events.map(({ id }) => id)).size).toBe(3);
});

test('gives a connection the same id again where it does not know whether it published it', async () => {
  const stage = await setStage();
  change(stage, anyone(stage), 'A');
  let writes = 0;
  // The second write says that it was published.
  stage.tableFails = (operation) => operation === 'PutItem' && ++writes > 1;
  const adapter = stage.start(CHANGES);
  await until(() => stage.arrived('changes').length === 1);
  await adapter.stop();
  stage.tableFails = () => false;
  stage.start(CHANGES);
  await until(() => stage.arrived('changes').length === 2);
  await scans(stage, 4);
  const [first, second, ...rest] = stage.arrived('changes');
  expect(second?.id).toBe(first?.id);
  expect(rest).toEqual([]);
});

test('gives what comes after an unconfirmed event another id', async () => {
  const stage = await setStage();
  const publicId = anyone(stage);
  change(stage, publicId, 'A');
  let writes = 0;
  stage.tableFails = (operation) => operation === 'PutItem' && ++writes > 1;
  const adapter = stage.start(CHANGES);
  await until(() => stage.arrived('changes').length === 1);
  await adapter.stop();
  stage.tableFails = () => false;
  change(stage, publicId, 'B');
  stage.start(CHANGES);
  await until(() => stage.arrived('changes').length === 2);
  const [first, second] = stage.arrived('changes');
  expect(second?.id).not.toBe(first?.id);
});

test('leaves connections on the list unless told to acknowledge them, and does not ask in a hot loop', async () => {
  const stage = await setStage();
  change(stage, anyone(stage), 'A');
  const adapter = stage.start(CHANGES);
  await scans(stage, 6);
  expect(stage.platform.adapter.acknowledged).toEqual([]);
  expect(stage.arrived('changes')).toHaveLength(1);
  const rests = adapter.pauses.filter((waitMs) => waitMs === 5_000).length;
  // A page with it, and one with nothing new.
  expect(stage.platform.requests.connections).toBeLessThanOrEqual((rests + 1) * 2 + 2);
});

test.for(['acknowledgement', 'acknowledge'] as const)(
  'acknowledges at %s what was accepted, one a call',
  async (path) => {
    const stage = await setStage();
    stage.platform.faults.acknowledgePath = path;
    const changed = buyers(stage).slice(0, 5);
    const adapter = stage.start(ACKNOWLEDGING);
    await until(() => listed(stage).length === 0);
    expect(stage.platform.adapter.acknowledged).toEqual(
      expect.arrayContaining(changed.map((publicId) => ({ interface: INTERFACE, connectionRole: 'buyer', publicId }))),
    );
    const taken = stage.platform.adapter.acknowledged.length;
    expect(stage.arrived('changes')).toHaveLength(taken);
    // The other path is tried once at most.
    const { acknowledgement, acknowledge } = stage.platform.requests;
    expect(acknowledgement + acknowledge).toBe(path === 'acknowledge' ? taken + 1 : taken);
    expect(adapter.said.filter(({ level }) => level === 'warn')).toEqual([]);
  },
);

test('does not acknowledge a connection that changed since it was published', async () => {
  const stage = await setStage();
  const publicId = anyone(stage);
  change(stage, publicId, 'A');
  // While its event is put, it changes.
  let changed = false;
  stage.aws.bus.faults.entry = () => {
    if (!changed) change(stage, publicId, 'B');
    changed = true;
    return undefined;
  };
  stage.start(ACKNOWLEDGING);
  await until(() => listed(stage).length === 0);
  expect(stage.arrived('changes').map(stateOf)).toEqual(['A', 'B']);
  expect(stage.platform.adapter.acknowledged).toHaveLength(1);
});

test('acknowledges nothing that the bus has not taken', async () => {
  const stage = await setStage();
  change(stage, anyone(stage), 'A');
  stage.aws.bus.faults.down = true;
  const adapter = stage.start(ACKNOWLEDGING);
  await until(() => adapter.said.some(({ level }) => level === 'error'));
  expect(stage.platform.adapter.acknowledged).toEqual([]);
  stage.aws.bus.faults.down = false;
  await until(() => listed(stage).length === 0);
  expect(stage.arrived('changes')).toHaveLength(1);
});

test('tells the platform once that a connection cannot be carried, and keeps its record', async () => {
  const stage = await setStage();
  const publicId = anyone(stage);
  stage.platform.adapter.changeConnection(publicId, { blob: 'x'.repeat(1_100_000) });
  stage.start(ACKNOWLEDGING);
  await until(() => stage.platform.adapter.acknowledged.length === 1);
  await scans(stage, 4);
  expect(stage.platform.adapter.acknowledged).toMatchObject([{ publicId, errors: [expect.any(String)] }]);
  expect(listed(stage)).toHaveLength(1);
  const [event, ...rest] = stage.arrived('changes');
  expect(rest).toEqual([]);
  expect(event).toMatchObject({ recordomitted: true });
  expect(JSON.parse((await stage.readParked(STREAM, event?.id ?? '')) ?? '')).toMatchObject({ publicId });
});

test('reads the list as soon as a long poll has something', async () => {
  const stage = await setStage();
  stage.start({ longPoll: true, changes: { everySeconds: 86_400 } });
  await until(() => stage.platform.requests.connections >= 1 && stage.platform.adapter.readers(INTERFACE) === 1);
  change(stage, anyone(stage), 'A');
  stage.platform.adapter.send(INTERFACE);
  await until(() => stage.arrived('changes').length === 1);
});
