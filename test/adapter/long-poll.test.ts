import { expect, test } from 'vitest';
import { INTERFACE, recordsOf, setStage, until } from './stage.ts';

const STREAM = `long-poll/${INTERFACE}`;
const message = (number: number) => ({ _id: `message-${number}`, type: 'vendor_update', number });

test('publishes a message that arrives while a poll hangs', async () => {
  const stage = await setStage();
  stage.start();
  await until(() => stage.platform.adapter.readers(INTERFACE) === 1);
  stage.platform.adapter.send(INTERFACE, message(1));
  await until(() => stage.arrived().length === 1);
  expect(stage.arrived()[0]).toMatchObject({
    id: 'message-1',
    type: 'vendor_update',
    stream: STREAM,
    source: `/tenants/acme/${STREAM}`,
  });
  expect(recordsOf(stage.arrived())).toEqual([message(1)]);
});

test.for(['object', 'array', 'paged'] as const)('publishes every message of the form %s once', async (form) => {
  const stage = await setStage();
  stage.platform.faults.longPollForm = form;
  for (let number = 1; number <= 30; number++) stage.platform.adapter.send(INTERFACE, message(number));
  stage.start();
  await until(() => stage.arrived().length >= 30);
  expect(recordsOf(stage.arrived())).toEqual(
    expect.arrayContaining(Array.from({ length: 30 }, (_, at) => message(at + 1))),
  );
  expect(stage.arrived()).toHaveLength(30);
});

test('publishes what is no JSON as unknown, with its text as record', async () => {
  const stage = await setStage();
  stage.platform.faults.longPollForm = 'text';
  stage.start();
  await until(() => stage.platform.adapter.readers(INTERFACE) === 1);
  stage.platform.adapter.send(INTERFACE, message(1));
  await until(() => stage.arrived().length === 1);
  expect(stage.arrived()[0]?.type).toBe('unknown');
  expect(stage.arrived()[0]?.data.record).toEqual(expect.any(String));
});

test.for([204, 304, 408, 504, 'nothing', '{}', '[]', 'null', 'reset'] as const)(
  'asks again after an empty answer of the form %s, without a hot loop, and without a fault after a long hold',
  async (form) => {
    const stage = await setStage();
    stage.platform.faults.longPollEmpty = form;
    const adapter = stage.start();
    await until(() => stage.platform.requests.longPoll >= 4);
    stage.platform.adapter.send(INTERFACE, message(1));
    await until(() => stage.arrived().length === 1);
    expect(adapter.pulses[0]?.counts.failures).toBe(0);
    // A hold of 400 ms is 4 s of the adapter's time.
    expect(adapter.pauses.filter((waitMs) => waitMs !== 10_000)).toEqual([]);
  },
);

test.for([204, 304, 408, 504, 'nothing', '{}', '[]', 'null', 'reset'] as const)(
  'makes growing pauses between fast answers of the form %s, and none after content',
  async (form) => {
    const stage = await setStage();
    stage.platform.faults.longPollHoldMs = 0;
    stage.platform.faults.longPollEmpty = form;
    const adapter = stage.start();
    const pauses = () => adapter.pauses.filter((waitMs) => waitMs !== 10_000);
    await until(() => pauses().length >= 5);
    expect(Math.max(...pauses().slice(0, 2))).toBeLessThanOrEqual(1_000);
    expect(Math.max(...pauses())).toBeGreaterThan(1_000);
    const before = pauses().length;
    expect(stage.platform.requests.longPoll).toBeLessThan(before * 3);
    for (let number = 1; number <= 3; number++) stage.platform.adapter.send(INTERFACE, message(number));
    await until(() => stage.arrived().length === 3);
    expect(pauses().length).toBeLessThanOrEqual(before + 3);
  },
);

test('backs off from a platform that fails, for as long as it says at least, and goes on after it', async () => {
  const stage = await setStage();
  stage.platform.faults.failNext = [500, 502, 503].map((status) => ({
    route: 'longPoll' as const,
    status,
    retryAfter: 7,
  }));
  const adapter = stage.start();
  stage.platform.adapter.send(INTERFACE, message(1));
  await until(() => stage.arrived().length === 1);
  const waits = adapter.said.filter(({ level }) => level === 'warn').map(({ facts }) => facts.waitMs as number);
  expect(waits).toHaveLength(3);
  for (const waitMs of waits) expect(waitMs).toBeGreaterThanOrEqual(7_000);
  expect(adapter.pulses[0]?.failure).toBeUndefined();
});

test('drops a message that is handed out again, also in a new process', async () => {
  const stage = await setStage();
  stage.platform.faults.redeliveries = 2;
  const first = stage.start();
  stage.platform.adapter.send(INTERFACE, message(1));
  await until(() => stage.platform.adapter.handedOut(INTERFACE).length === 3);
  await first.stop();
  stage.start();
  stage.platform.faults.redeliveries = 0;
  stage.platform.adapter.send(INTERFACE, message(1));
  stage.platform.adapter.send(INTERFACE, message(2));
  await until(() => stage.arrived().some(({ id }) => id === 'message-2'));
  expect(stage.arrived().map(({ id }) => id)).toEqual(['message-1', 'message-2']);
});

test.for([message(1), { type: 'nameless' }])(
  'makes growing pauses where the platform hands out the same again and again: %o',
  async (sent) => {
    const stage = await setStage();
    stage.platform.faults.redeliveries = Number.POSITIVE_INFINITY;
    stage.platform.adapter.send(INTERFACE, sent);
    const adapter = stage.start();
    const pauses = () => adapter.pauses.filter((waitMs) => waitMs !== 10_000);
    await until(() => pauses().length >= 5);
    expect(Math.max(...pauses())).toBeGreaterThan(1_000);
    expect(stage.platform.requests.longPoll).toBeLessThan(pauses().length * 3);
  },
);

test('publishes two messages that share an id, where they do not say the same', async () => {
  const stage = await setStage();
  stage.platform.faults.longPollForm = 'array';
  stage.platform.adapter.send(INTERFACE, { id: 'supplier-7', type: 'vendor_create' });
  stage.platform.adapter.send(INTERFACE, { id: 'supplier-7', type: 'vendor_block' });
  stage.start();
  await until(() => stage.arrived().length === 2);
  expect(stage.arrived().map(({ type }) => type)).toEqual(['vendor_create', 'vendor_block']);
});

test('publishes every message without an id, each under an id of its own, also when they say the same', async () => {
  const stage = await setStage();
  stage.platform.faults.longPollForm = 'array';
  const sync = { type: 'sync', supplier: 'all' };
  stage.platform.adapter.send(INTERFACE, sync);
  stage.platform.adapter.send(INTERFACE, sync);
  const first = stage.start();
  await until(() => stage.arrived().length === 2);
  await first.stop();
  stage.start();
  stage.platform.adapter.send(INTERFACE, sync);
  await until(() => stage.arrived().length === 3);
  const ids = stage.arrived().map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
  expect(ids).toEqual([ids[0], `${ids[0]}-2`, `${ids[0]}-3`]);
});

test('keeps what arrived while the bus takes nothing, and asks for nothing more until it does', async () => {
  const stage = await setStage();
  stage.aws.bus.faults.down = true;
  const adapter = stage.start();
  for (let number = 1; number <= 50; number++) stage.platform.adapter.send(INTERFACE, message(number));
  await until(() => adapter.said.some(({ message: said }) => said.startsWith('EventBridge takes nothing')));
  expect(stage.platform.requests.longPoll).toBe(1);
  expect(stage.platform.adapter.handedOut(INTERFACE)).toHaveLength(1);
  expect(adapter.pulses[0]?.failure).toBeDefined();
  stage.aws.bus.faults.down = false;
  await until(() => stage.arrived().length === 50);
  expect(new Set(stage.arrived().map(({ id }) => id)).size).toBe(50);
  await until(() => adapter.pulses[0]?.failure === undefined);
});

test('goes on where the bus refuses it for want of a permission that is then given', async () => {
  const stage = await setStage();
  stage.aws.bus.faults.entry = () => 'AccessDeniedException';
  const adapter = stage.start();
  stage.platform.adapter.send(INTERFACE, message(1));
  await until(() => adapter.said.filter(({ level }) => level === 'error').length >= 2);
  stage.aws.bus.faults.entry = () => undefined;
  await until(() => stage.arrived().length === 1);
  expect(adapter.fatal).toEqual([]);
});

test('parks what the bus does not take before the process has to end', async () => {
  const stage = await setStage();
  stage.aws.bus.faults.down = true;
  const adapter = stage.start();
  const sent = { ...message(1), note: 'as it came' };
  stage.platform.adapter.send(INTERFACE, sent);
  await until(() => stage.platform.adapter.handedOut(INTERFACE).length === 1);
  await adapter.stop();
  expect(JSON.parse((await stage.readParked(STREAM, 'message-1')) ?? '')).toEqual(sent);
  expect(stage.arrived()).toEqual([]);
});

test('publishes what an earlier process kept in the table, before it polls, and forgets it there', async () => {
  const stage = await setStage();
  stage.aws.bus.faults.down = true;
  const first = stage.start();
  stage.platform.adapter.send(INTERFACE, message(1));
  stage.platform.adapter.send(INTERFACE, { type: 'nameless', long: 12345678901234567890n.toString() });
  await until(() => stage.platform.adapter.handedOut(INTERFACE).length === 1);
  await first.stop();
  const polls = stage.platform.requests.longPoll;
  const kept = await stage.items(STREAM, 'parked#');
  expect(kept.length).toBeGreaterThan(0);
  const second = stage.start();
  await until(() => second.said.some(({ message: said }) => said.startsWith('An earlier process')));
  expect(stage.platform.requests.longPoll).toBe(polls);
  stage.aws.bus.faults.down = false;
  await until(() => stage.arrived().length >= kept.length);
  await until(async () => (await stage.items(STREAM, 'parked#')).length === 0);
  const ids = stage.arrived().map(({ id }) => id);
  expect(kept.map(({ id }) => id?.S).every((id) => ids.includes(String(id)))).toBe(true);
  await until(() => stage.platform.adapter.waiting(INTERFACE) === 0);
});

test('keeps a copy in the table while the bus takes nothing, in case the process is killed, and none after', async () => {
  const stage = await setStage();
  stage.aws.bus.faults.down = true;
  stage.start();
  for (let number = 1; number <= 5; number++) stage.platform.adapter.send(INTERFACE, message(number));
  await until(() => stage.platform.adapter.handedOut(INTERFACE).length === 1);
  const [delivered] = stage.platform.adapter.handedOut(INTERFACE);
  await until(async () => (await stage.items(STREAM, 'parked#')).length > 0);
  expect((await stage.items(STREAM, 'parked#')).every((item) => item.held?.BOOL)).toBe(true);
  expect(delivered).toBeDefined();
  stage.aws.bus.faults.down = false;
  await until(() => stage.arrived().length === 5);
  await until(async () => (await stage.items(STREAM, 'parked#')).length === 0);
  expect(new Set(stage.arrived().map(({ id }) => id)).size).toBe(5);
});

test('publishes what arrives on a poll that hangs when the process is to stop, and polls no more', async () => {
  const stage = await setStage();
  stage.platform.faults.longPollHoldMs = 30_000;
  const adapter = stage.start();
  await until(() => stage.platform.adapter.readers(INTERFACE) === 1);
  const stopped = adapter.stop();
  expect(adapter.ended).toBe(false);
  stage.platform.adapter.send(INTERFACE, message(1));
  stage.platform.adapter.send(INTERFACE, message(2));
  await stopped;
  expect(stage.arrived().map(({ id }) => id)).toEqual(['message-1']);
  expect(stage.platform.adapter.waiting(INTERFACE)).toBe(1);
  const [mark] = await stage.items(STREAM, 'mark');
  expect(mark?.leaseEndMs?.N).toBe('0');
});

test('publishes though the table does not answer', async () => {
  const stage = await setStage();
  const adapter = stage.start();
  await until(() => stage.platform.adapter.readers(INTERFACE) === 1);
  stage.tableFails = () => true;
  stage.platform.adapter.send(INTERFACE, message(1));
  stage.platform.adapter.send(INTERFACE, { type: 'nameless' });
  await until(() => stage.arrived().length === 2);
  expect(adapter.said.some(({ message: said }) => said.includes('a repeat is possible'))).toBe(true);
});

test('publishes as much as came of an answer that was cut', async () => {
  const stage = await setStage();
  stage.platform.faults.failNext = [{ route: 'longPoll', reset: 'mid-body' }];
  stage.platform.adapter.send(INTERFACE, message(1));
  stage.start();
  await until(() => stage.arrived().length >= 1);
  expect(stage.arrived()[0]?.type).toBe('unknown');
  expect(JSON.stringify(message(1)).startsWith(String(stage.arrived()[0]?.data.record))).toBe(true);
});

test('renews a token that was revoked while nothing was asked for', async () => {
  const stage = await setStage();
  stage.start();
  await until(() => stage.platform.requests.longPoll >= 1);
  stage.platform.revokeTokens();
  await until(() => stage.platform.requests.token >= 2);
  stage.platform.adapter.send(INTERFACE, message(1));
  await until(() => stage.arrived().length === 1);
});

test('stops for a key that is refused', async () => {
  const stage = await setStage();
  stage.platform.deleteKey();
  const adapter = stage.start();
  await until(() => adapter.ended);
  expect(adapter.fatal).toMatchObject([{ name: 'AuthenticationError' }]);
});
