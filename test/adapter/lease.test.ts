import { expect, test } from 'vitest';
import { INTERFACE, setStage, until } from './stage.ts';

const STREAM = `long-poll/${INTERFACE}`;
const message = (number: number) => ({ _id: `message-${number}`, type: 'vendor_update', number });

test('only one of two adapters reads an interface, and the other takes over once it is given back', async () => {
  const stage = await setStage();
  const first = stage.start();
  await until(() => stage.platform.requests.longPoll >= 1);
  const second = stage.start();
  await until(() => second.pauses.filter((waitMs) => waitMs === 5_000).length >= 3);
  expect(second.pulses[0]?.counts.polls).toBe(0);
  expect(second.pulses[0]?.health()).toBe('fine');
  await first.stop();
  await until(() => (second.pulses[0]?.counts.polls ?? 0) > 0);
  stage.platform.adapter.send(INTERFACE, message(1));
  await until(() => stage.arrived().length === 1);
});

test('keeps its lease for as long as it runs', async () => {
  const stage = await setStage();
  const first = stage.start();
  await until(() => stage.platform.requests.longPoll >= 1);
  const second = stage.start();
  // Four beats are longer than a lease.
  await until(() => first.pauses.filter((waitMs) => waitMs === 10_000).length >= 5);
  expect(second.pulses[0]?.counts.polls).toBe(0);
  const [mark] = await stage.items(STREAM, 'mark');
  expect(mark).toMatchObject({
    epoch: { N: '1' },
    lastError: { NULL: true },
    fingerprint: { S: expect.stringContaining('account') },
  });
});

test('another takes over when the first can no longer prolong its lease, and what that one was handed is published', async () => {
  const stage = await setStage();
  stage.platform.faults.longPollHoldMs = 60_000;
  const first = stage.start();
  await until(() => stage.platform.adapter.readers(INTERFACE) === 1);
  // The first one's beats are cut; asking for a lease is the same operation, so both fail until it has ended.
  stage.tableFails = (operation) => operation === 'UpdateItem';
  await until(() => first.said.some(({ message: said }) => said.startsWith('Another process has the lease')));
  stage.tableFails = () => false;
  const second = stage.start();
  await until(() => stage.platform.adapter.readers(INTERFACE) === 2);
  for (let number = 1; number <= 3; number++) stage.platform.adapter.send(INTERFACE, message(number));
  await until(() => stage.arrived().length === 3);
  expect(
    stage
      .arrived()
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(['message-1', 'message-2', 'message-3']);
  await until(() => stage.platform.adapter.readers(INTERFACE) === 1);
  const stopped = Promise.all([first.stop(), second.stop()]);
  stage.platform.adapter.send(INTERFACE, message(4));
  await stopped;
  expect(stage.arrived()).toHaveLength(4);
  expect([...first.fatal, ...second.fatal]).toEqual([]);
});

test('says in the table what it fails with', async () => {
  const stage = await setStage();
  stage.platform.faults.failAlways = { longPoll: 503 };
  stage.start();
  await until(async () => (await stage.items(STREAM, 'mark'))[0]?.lastError?.S?.includes('503') ?? false);
});

test('begins a source again that fails, with growing pauses, and leaves the other alone', async () => {
  const stage = await setStage();
  stage.platform.faults.failAlways = { connections: 403 };
  const adapter = stage.start({ changes: { everySeconds: 10 } });
  const failed = () => adapter.said.filter(({ message: said }) => said.startsWith('The source failed'));
  await until(() => failed().length >= 4);
  const waits = failed().map(({ facts }) => facts.waitMs as number);
  expect(waits).toEqual(waits.toSorted((one, other) => one - other));
  expect(new Set(failed().map(({ facts }) => facts.stream))).toEqual(new Set([`changes/${INTERFACE}`]));
  stage.platform.adapter.send(INTERFACE, message(1));
  await until(() => stage.arrived().length === 1);
  stage.platform.faults.failAlways = {};
  const connection = stage.platform.organisation.suppliers[0]?.publicId;
  stage.platform.adapter.changeConnection(connection);
  await until(() => stage.arrived('changes').length === 1);
  await until(() => adapter.pulses.every(({ failure }) => failure === undefined));
});

test('looks again after an hour at a source that the platform did not serve', async () => {
  const stage = await setStage();
  stage.platform.faults.failNext = [{ route: 'longPoll', status: 404 }];
  const adapter = stage.start();
  await until(() => adapter.pauses.includes(3_600_000));
  expect(adapter.pulses[0]).toMatchObject({ off: true });
  expect(adapter.pulses[0]?.health()).toBe('off');
  expect(stage.platform.requests.longPoll).toBe(1);
});
