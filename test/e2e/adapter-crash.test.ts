import { expect, test } from 'vitest';
import { PATHS } from '../../sandbox/platform/paths.ts';
import { type AdapterProcess, setProcessStage } from '../adapter/process.ts';
import { INTERFACE, until } from '../adapter/stage.ts';
import type { Step } from './tap.ts';

const STREAM = `long-poll/${INTERFACE}`;
const message = (number: number) => ({ _id: `message-${number}`, type: 'vendor_update', number });

/** Kills a process at the first step of this kind; the connection is cut, so that nobody is answered. */
function killAt(death: Step, process: () => AdapterProcess | undefined) {
  let dead = false;
  return async ({ name, moment }: Step) => {
    if (dead || name !== death.name || moment !== death.moment) return;
    dead = true;
    process()?.signal('SIGKILL');
    await process()?.ended;
    throw new Error('Nobody is left to answer');
  };
}

test.for([
  { name: 'PutEvents', moment: 'answered' },
  { name: 'BatchWriteItem', moment: 'asked' },
] as const)('a message that is handed out again after a kill at $name, $moment, has the same id', async (death) => {
  const stage = await setProcessStage();
  let first: AdapterProcess | undefined;
  stage.onStep = killAt(death, () => first);
  first = stage.start();
  await until(() => stage.platform.requests.longPoll >= 1);
  stage.platform.adapter.send(INTERFACE, message(1));
  expect(await first.ended).toBe('SIGKILL');
  expect(stage.arrived().map(({ id }) => id)).toEqual(['message-1']);
  stage.platform.adapter.send(INTERFACE, message(1));
  stage.platform.adapter.send(INTERFACE, message(2));
  await stage.endLease(STREAM);
  const second = stage.start();
  await until(() => stage.arrived().some(({ id }) => id === 'message-2'));
  expect(stage.arrived().map(({ id }) => id)).toEqual(['message-1', 'message-1', 'message-2']);
  second.signal('SIGTERM');
  expect(await second.ended).toBe(0);
});

test.for([
  { name: 'PutEvents', moment: 'answered' },
  { name: PATHS.acknowledgement, moment: 'asked' },
  { name: PATHS.acknowledgement, moment: 'answered' },
] as const)(
  'a changed connection keeps its id through a kill at $name, $moment, and is acknowledged',
  async (death) => {
    const stage = await setProcessStage();
    const { publicId } = stage.platform.adapter.changeConnection(stage.platform.organisation.suppliers[0]?.publicId);
    const settings = { interfaces: [{ name: INTERFACE, longPoll: false, changes: { acknowledge: true } }] };
    let first: AdapterProcess | undefined;
    stage.onStep = killAt(death, () => first);
    first = stage.start(settings);
    expect(await first.ended).toBe('SIGKILL');
    await stage.endLease(`changes/${INTERFACE}`);
    stage.start(settings);
    await until(() => stage.platform.adapter.connections(INTERFACE).length === 0);
    await until(async () => (await stage.readMark(`changes/${INTERFACE}`)).epoch?.N === '2');
    expect(new Set(stage.arrived().map(({ id }) => id)).size).toBe(1);
    // Only where nothing could be noted after the event was taken, it is repeated.
    expect(stage.arrived()).toHaveLength(death.name === 'PutEvents' ? 2 : 1);
    expect(stage.platform.adapter.acknowledged[0]).toMatchObject({ publicId });
  },
);

test('a second process takes over from one that was killed', async () => {
  const stage = await setProcessStage();
  const first = stage.start();
  await until(() => stage.platform.requests.longPoll >= 1);
  const second = stage.start();
  await until(() => second.output().includes('stands by'));
  first.signal('SIGKILL');
  await first.ended;
  // A forwarder stands in between, which lets go of what it asked for a little later.
  await until(() => stage.platform.adapter.readers(INTERFACE) === 0);
  const endMs = Number((await stage.readMark(STREAM)).leaseEndMs?.N);
  stage.platform.adapter.send(INTERFACE, message(1));
  await until(() => stage.arrived().length === 1);
  // The lease had to end, and was no longer than the 30 seconds that it says.
  expect(Date.parse(stage.arrived()[0]?.observedat ?? '')).toBeGreaterThanOrEqual(endMs);
  expect((await stage.readMark(STREAM)).epoch?.N).toBe('2');
  second.signal('SIGTERM');
  expect(await second.ended).toBe(0);
});

test('an outage of the bus during traffic loses nothing, and needs no restart', async () => {
  const stage = await setProcessStage();
  const adapter = stage.start();
  let number = 0;
  const send = () => stage.platform.adapter.send(INTERFACE, message(++number));
  for (let count = 0; count < 20; count++) send();
  await until(() => stage.arrived().length === 20);
  stage.aws.bus.faults.down = true;
  const handedOut = stage.platform.adapter.handedOut(INTERFACE).length;
  const traffic = setInterval(send, 200);
  await until(() => adapter.output().includes('EventBridge takes nothing'));
  clearInterval(traffic);
  // One answer is all that it holds.
  expect(stage.platform.adapter.handedOut(INTERFACE).length).toBeLessThanOrEqual(handedOut + 1);
  stage.aws.bus.faults.down = false;
  await until(() => stage.arrived().length >= number);
  expect(stage.arrived().map(({ id }) => id)).toEqual(Array.from({ length: number }, (_, at) => `message-${at + 1}`));
  adapter.signal('SIGTERM');
  expect(await adapter.ended).toBe(0);
});

test('what a process held in an outage when it was killed is published by the next one', async () => {
  const stage = await setProcessStage();
  const first = stage.start();
  await until(() => stage.platform.requests.longPoll >= 1);
  stage.aws.bus.faults.down = true;
  const kept: string[] = [];
  stage.onStep = async ({ name, moment }) => {
    if (name === 'PutItem' && moment === 'answered') kept.push(name);
  };
  stage.platform.adapter.send(INTERFACE, message(1));
  await until(() => kept.length > 0);
  first.signal('SIGKILL');
  expect(await first.ended).toBe('SIGKILL');
  stage.aws.bus.faults.down = false;
  await stage.endLease(STREAM);
  const second = stage.start();
  await until(() => stage.arrived().length > 0);
  expect(stage.arrived().map(({ id }) => id)).toEqual(['message-1']);
  second.signal('SIGTERM');
  expect(await second.ended).toBe(0);
});
