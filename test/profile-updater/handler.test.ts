import { expect, test } from 'vitest';
import { commandEvent, setStage } from './stage.ts';

test('changes a profile and tells it on the bus, once, however often the command comes', async () => {
  const stage = await setStage();
  const updater = stage.start();
  const event = commandEvent('c-1', { publicId: stage.publicId, answers: { taxId: 'LV-1' } });
  const first = await updater.invoke(event);
  const second = await stage.start().invoke(event);
  expect(second).toEqual(first);
  expect(stage.patches()).toBe(1);
  expect(stage.told()).toEqual([
    {
      id: 'command/c-1',
      type: 'profile.updated',
      facts: { command: 'c-1', publicId: stage.publicId, answers: ['taxId'] },
    },
  ]);
  expect(stage.aws.bus.events[0]).toMatchObject({
    source: 'supplier-platform.relay',
    'detail-type': 'profile.updated',
    resources: ['tenant/acme'],
  });
  expect([...stage.platform.trail].map(({ record }) => record)).toMatchObject([{ eventType: 'profile_updated' }]);
});

test('tells what the platform refuses, and does not try it again', async () => {
  const stage = await setStage();
  const updater = stage.start();
  const unknown = commandEvent('c-1', { publicId: 'unheard-of', answers: { taxId: 'x' } });
  await updater.invoke(unknown);
  await updater.invoke(unknown);
  await updater.invoke(commandEvent('c-2', { publicId: stage.publicId, answers: { noSuchAnswer: 1 } }));
  expect(stage.patches()).toBe(2);
  expect(stage.told()).toMatchObject([
    {
      id: 'command/c-1',
      type: 'profile.update-failed',
      facts: { command: 'c-1', publicId: 'unheard-of', status: 404 },
    },
    {
      id: 'command/c-2',
      type: 'profile.update-failed',
      facts: { status: 400, why: expect.stringContaining('noSuchAnswer') },
    },
  ]);
});

test('tries again within its time what may pass', async () => {
  const stage = await setStage();
  stage.platform.faults.failNext = [429, 500, 503].map((status) => ({ route: 'profile', status }));
  await stage.start().invoke(commandEvent('c-1', { publicId: stage.publicId, answers: { taxId: 'LV-1' } }));
  expect(stage.patches()).toBe(4);
  expect(stage.told()).toMatchObject([{ id: 'command/c-1', type: 'profile.updated' }]);
});

test('fails where an outage outlasts it, and is carried out by the next attempt', async () => {
  const stage = await setStage();
  stage.platform.faults.failAlways = { profile: 503 };
  const updater = stage.start({ timeoutMs: 16_000 });
  const event = commandEvent('c-1', { publicId: stage.publicId, answers: { taxId: 'LV-1' } });
  await expect(updater.invoke(event)).rejects.toMatchObject({ errorType: 'TransportError' });
  expect(stage.told()).toEqual([]);
  stage.platform.resetFaults();
  await stage.start().invoke(event);
  expect(stage.told()).toMatchObject([{ id: 'command/c-1', type: 'profile.updated' }]);
});

test('does not take a refused key for a refused command', async () => {
  const stage = await setStage();
  const { apiKey } = stage.platform;
  stage.platform.rotateKey();
  const updater = stage.start();
  const event = commandEvent('c-1', { publicId: stage.publicId, answers: { taxId: 'LV-1' } });
  await expect(updater.invoke(event)).rejects.toMatchObject({ errorType: 'AuthenticationError' });
  expect(apiKey).not.toBe(stage.platform.apiKey);
  expect(stage.told()).toEqual([]);
});

test('tells an outcome later that the bus would not take at first, without another change', async () => {
  const stage = await setStage();
  let refusals = 1;
  stage.aws.bus.faults.entry = () => (refusals-- > 0 ? 'AccessDeniedException' : undefined);
  const updater = stage.start();
  const event = commandEvent('c-1', { publicId: stage.publicId, answers: { taxId: 'LV-1' } });
  await expect(updater.invoke(event)).rejects.toMatchObject({ errorType: 'PublishError' });
  await updater.invoke(event);
  expect(stage.patches()).toBe(1);
  expect(stage.told()).toMatchObject([{ id: 'command/c-1', type: 'profile.updated' }]);
});

test('changes a profile once where two processes are given the command at once', async () => {
  const stage = await setStage();
  stage.platform.faults.latencyMs = 300;
  const event = commandEvent('c-1', { publicId: stage.publicId, answers: { taxId: 'LV-1' } });
  const results = await Promise.allSettled([stage.start().invoke(event), stage.start().invoke(event)]);
  expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ errorType: 'LostLeaseError' });
  }
  expect(stage.patches()).toBe(1);
  expect(new Set(stage.told().map(({ id }) => id))).toEqual(new Set(['command/c-1']));
});

test.each<[words: string, event: unknown, why: RegExp]>([
  ['nothing', null, /detail: /],
  ['no detail', { source: 'supplier-platform.command' }, /detail: /],
  ['no id', commandEvent(undefined, { publicId: 'x', answers: { a: 1 } }), /^id: expected a text$/],
  ['an empty id', commandEvent(' ', { publicId: 'x', answers: { a: 1 } }), /^id: expected an id$/],
  [
    'another type',
    commandEvent('c', { publicId: 'x', answers: { a: 1 } }, 'kit.update'),
    /^type: expected profile\.update$/,
  ],
  ['no data', commandEvent('c', undefined), /^data: expected an object/],
  [
    'a profile that leads elsewhere',
    commandEvent('c', { publicId: '..', answers: { a: 1 } }),
    /^data\.publicId: expected the id/,
  ],
  ['no answers', commandEvent('c', { publicId: 'x', answers: {} }), /^data\.answers: expected at least one answer$/],
  ['a list of answers', commandEvent('c', { publicId: 'x', answers: ['a'] }), /^data\.answers: expected an object/],
  ['several faults', commandEvent('c', { publicId: 7, answers: null }), /data\.publicId: .*; data\.answers: /],
])('tells what is wrong with a command that has %s, under an id that stays the same', async (_, event, why) => {
  const stage = await setStage();
  const updater = stage.start();
  await updater.invoke(event);
  await updater.invoke(event);
  const [first, second] = stage.told();
  expect(first).toMatchObject({ type: 'profile.update-failed', facts: { why: expect.stringMatching(why) } });
  expect(second).toEqual(first);
  expect(stage.platform.requests.profile).toBe(0);
});

test('tells that an id is taken where another command has it', async () => {
  const stage = await setStage();
  const updater = stage.start();
  const answers = { taxId: 'LV-1' };
  await updater.invoke(commandEvent('c-1', { publicId: stage.publicId, answers }));
  await updater.invoke(commandEvent('c-1', { publicId: stage.publicId, answers: { taxId: 'LV-2' } }));
  expect(stage.patches()).toBe(1);
  expect(stage.told()).toMatchObject([
    { id: 'command/c-1', type: 'profile.updated' },
    {
      id: expect.stringMatching(/^command\/c-1\/[0-9a-f]{16}$/),
      type: 'profile.update-failed',
      facts: { why: 'id: another command has it already' },
    },
  ]);
});
