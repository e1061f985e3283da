import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { FAKE_CREDENTIALS } from '../../sandbox/aws/credentials.ts';
import { createDynamo } from '../../sandbox/aws/dynamo.ts';
import { createDynamoCommandLog } from '../../shared/aws/commands.ts';
import { createCommands } from '../../shared/relay/commands.ts';
import type { RelayEvent } from '../../shared/relay/event.ts';
import { createPublisher } from '../../shared/relay/publish.ts';
import { commandEvent } from './stage.ts';

const START_MS = Date.UTC(2026, 0, 15, 12);
const EVENT = commandEvent('c-1', { publicId: 'x', answers: { a: 1 } });

/** Everything but the platform and the bus is real; the clock is ours. */
async function setUp() {
  const dynamo = await createDynamo();
  await dynamo.createTable('relay');
  const client = new DynamoDBClient({ endpoint: dynamo.url, region: 'us-east-1', credentials: FAKE_CREDENTIALS });
  onTestFinished(async () => {
    client.destroy();
    await dynamo.close();
  });
  const told: RelayEvent[] = [];
  const clock = { nowMs: START_MS };
  const changes: unknown[] = [];
  const bus = { throttles: false };
  const publisher = createPublisher({
    bus: {
      put: async (entries) => {
        if (bus.throttles) return entries.map(() => ({ code: 'ThrottlingException', message: 'Slower.' }));
        told.push(...entries.map(({ detail }) => JSON.parse(detail) as RelayEvent));
        return entries.map(() => undefined);
      },
    },
    parkingLot: { park: () => Promise.reject(new Error('An outcome is never too big')) },
    sleep: async (waitMs) => {
      clock.nowMs += waitMs;
    },
    random: () => 1,
    clock: () => clock.nowMs,
  });
  const start = (owner: string, updateProfile: () => Promise<void> = async () => undefined) =>
    createCommands({
      tenant: 'acme',
      log: createDynamoCommandLog({ client, table: 'relay' }),
      updateProfile: async (publicId, answers) => {
        changes.push({ owner, publicId, answers });
        await updateProfile();
      },
      publisher,
      owner,
      clock: () => clock.nowMs,
    });
  const time = () => ({ endMs: clock.nowMs + 30_000 });
  return { told, bus, clock, changes, start, time };
}

test('repeats a command whose process vanished, once its lease is over and not before', async () => {
  const { told, clock, changes, start, time } = await setUp();
  const { promise: never } = Promise.withResolvers<void>();
  void start('vanishing', () => never).carryOut(EVENT, time());
  while (changes.length === 0) await new Promise(setImmediate);
  await expect(start('early').carryOut(EVENT, time())).rejects.toMatchObject({
    name: 'LostLeaseError',
    retryable: true,
  });
  clock.nowMs += 36_000;
  await start('late').carryOut(EVENT, time());
  expect(changes).toMatchObject([{ owner: 'vanishing' }, { owner: 'late' }]);
  expect(told).toMatchObject([{ id: 'command/c-1', type: 'profile.updated' }]);
});

test('keeps commands apart whose ids are long and alike', async () => {
  const { told, changes, start, time } = await setUp();
  const commands = start('me');
  for (const end of ['a', 'b', 'a']) {
    await commands.carryOut(commandEvent(`${'long'.repeat(300)}${end}`, { publicId: 'x', answers: { a: 1 } }), time());
  }
  expect(changes).toHaveLength(2);
  expect(told).toHaveLength(2);
});

test('puts no control characters of a command into what it tells', async () => {
  const { told, start, time } = await setUp();
  await start('me').carryOut(commandEvent('c\u001b[31m', { publicId: 'x\u0007', answers: { '\u0000': 1 } }), time());
  expect(told[0]!.data.summary).not.toMatch(/\p{Cc}/u);
});

test('ends in time where the bus takes nothing, and tells the outcome at the next attempt', async () => {
  const { told, bus, clock, changes, start, time } = await setUp();
  bus.throttles = true;
  const { endMs } = time();
  await expect(start('me').carryOut(EVENT, { endMs })).rejects.toMatchObject({ name: 'DeadlineError' });
  expect(clock.nowMs).toBeLessThan(endMs);
  bus.throttles = false;
  await start('another').carryOut(EVENT, time());
  expect(changes).toHaveLength(1);
  expect(told).toMatchObject([{ id: 'command/c-1', type: 'profile.updated' }]);
});
