import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DescribeEventBusCommand,
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { afterEach, expect, test } from 'vitest';
import { type BusEvent, type BusOptions, createBus } from '../../../sandbox/aws/bus.ts';
import { FAKE_CREDENTIALS } from '../../../sandbox/aws/credentials.ts';
import { createChance } from '../../../sandbox/aws/faults.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start(options: BusOptions = {}) {
  const bus = await createBus({ name: 'relay', ...options });
  const client = new EventBridgeClient({
    endpoint: bus.url,
    region: 'us-east-1',
    credentials: FAKE_CREDENTIALS,
    maxAttempts: 1,
  });
  closers.push(() => client.destroy(), bus.close);
  const put = (...entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries: entries }));
  const describe = (name: string) => client.send(new DescribeEventBusCommand({ Name: name }));
  return { bus, put, describe };
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bus-'));
  closers.push(() => rm(folder, { recursive: true }));
  return folder;
}

const entry = (changes: PutEventsRequestEntry = {}): PutEventsRequestEntry => ({
  EventBusName: 'relay',
  Source: 's',
  DetailType: 't',
  Detail: '{}',
  ...changes,
});

test('delivers an event in the shape targets get', async () => {
  const told: [BusEvent, string][] = [];
  const { bus, put } = await start({ onEvent: (...args) => told.push(args) });
  const answer = await put({
    EventBusName: 'relay',
    Source: 'supplier-platform.audit',
    DetailType: 'profile_updated',
    Time: new Date('2026-11-21T07:45:19.987Z'),
    Resources: ['tenant/acme'],
    Detail: '{\n"big": 12345678901234567890, "text": "é"}',
  });
  expect(answer).toMatchObject({ FailedEntryCount: 0, Entries: [{ EventId: bus.events[0]?.id }] });
  expect(bus.events).toEqual([
    {
      version: '0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'detail-type': 'profile_updated',
      source: 'supplier-platform.audit',
      account: '111122223333',
      time: '2026-11-21T07:45:19Z',
      region: 'us-east-1',
      resources: ['tenant/acme'],
      detail: { big: Number('12345678901234567890'), text: 'é' },
    },
  ]);
  expect(told).toEqual([[bus.events[0], expect.any(String)]]);
  expect(JSON.parse(told[0]![1])).toEqual(bus.events[0]);
});

test('takes the present for an entry without a time', async () => {
  const { bus, put } = await start({ clock: () => Date.parse('2026-01-02T03:04:05.678Z') });
  await put(entry());
  expect(bus.events[0]?.time).toBe('2026-01-02T03:04:05Z');
});

test('accepts and drops what AWS accepts and drops', async () => {
  const { bus, put } = await start();
  const answer = await put(
    entry({ DetailType: 'x'.repeat(129) }),
    entry({ EventBusName: 'elsewhere' }),
    entry({ DetailType: 'x'.repeat(128) }),
    entry({ EventBusName: 'arn:aws:events:us-east-1:111122223333:event-bus/relay' }),
  );
  expect(answer.FailedEntryCount).toBe(0);
  expect(answer.Entries?.every(({ EventId }) => EventId)).toBe(true);
  expect(bus.events.map(({ id }) => id)).toEqual(answer.Entries?.slice(2).map(({ EventId }) => EventId));
  expect(bus.entries).toEqual({ accepted: 2, refused: 0, dropped: 2 });
});

test('refuses single entries by their index', async () => {
  const { bus, put } = await start();
  const { Source: _source, ...withoutSource } = entry();
  const answer = await put(
    entry(),
    entry({ Detail: '[]' }),
    entry({ Detail: '{' }),
    entry({ Detail: 'null' }),
    entry({ Detail: '' }),
    entry({ DetailType: '' }),
    withoutSource,
    entry({ Source: 'aws.s3' }),
    entry(),
  );
  expect(answer.FailedEntryCount).toBe(7);
  expect(answer.Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual([
    undefined,
    'MalformedDetail',
    'MalformedDetail',
    'MalformedDetail',
    'InvalidArgument',
    'InvalidArgument',
    'InvalidArgument',
    'NotAuthorizedForSourceException',
    undefined,
  ]);
  expect(bus.events).toHaveLength(2);
});

test.each([0, 11])('refuses a request of %i entries', async (count) => {
  const { bus, put } = await start();
  await expect(put(...Array.from({ length: count }, () => entry()))).rejects.toMatchObject({
    name: 'ValidationException',
    $metadata: { httpStatusCode: 400 },
  });
  expect(bus.events).toEqual([]);
});

test('counts the bytes of a request as AWS does', async () => {
  const { bus, put } = await start();
  // In two bytes a letter: 14 + 2 + 2 + 2 for time, source, type and resource, and the braces and quotes of the detail.
  const sized = (bytes: number) => {
    const rest = bytes - 14 - 6 - '{"a":""}'.length;
    const detail = `{"a":"${'é'.repeat(rest / 2)}${'x'.repeat(rest % 2)}"}`;
    return entry({ Time: new Date(0), Source: 'é', DetailType: 'é', Resources: ['é'], Detail: detail });
  };
  await put(sized(500_000), sized(499_999));
  expect(bus.events).toHaveLength(2);
  await expect(put(sized(500_000), sized(500_000))).rejects.toMatchObject({ name: 'ValidationException' });
  expect(bus.events).toHaveLength(2);
});

test('describes its bus and no other', async () => {
  const { describe } = await start();
  const arn = 'arn:aws:events:us-east-1:111122223333:event-bus/relay';
  expect(await describe('relay')).toMatchObject({ Name: 'relay', Arn: arn });
  expect(await describe(arn)).toMatchObject({ Name: 'relay' });
  await expect(describe('elsewhere')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('keeps the latest events only', async () => {
  const { bus, put } = await start({ keep: 2 });
  await put(...['a', 'b', 'c'].map((DetailType) => entry({ DetailType })));
  expect(bus.events.map((event) => event['detail-type'])).toEqual(['b', 'c']);
});

test('writes each event on a line of its own, with the detail as it was put', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'events.jsonl');
  await writeFile(file, '{"torn":');
  const { bus, put } = await start({ folder });
  await Promise.all([put(entry({ Detail: '{"n":12345678901234567890}' })), put(entry({ Detail: '{\n"a": 1\n}' }))]);
  const [torn, ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\n');
  expect(torn).toBe('{"torn":');
  expect(lines.map((line) => JSON.parse(line))).toEqual(bus.events);
  expect(lines.join()).toContain('"detail":{"n":12345678901234567890}');
});

test('refuses the entries it is told to', async () => {
  const { bus, put } = await start();
  bus.faults.entry = ({ DetailType }) => (DetailType === 'b' ? 'ThrottlingException' : undefined);
  const abc = ['a', 'b', 'c'].map((DetailType) => entry({ DetailType }));
  expect(await put(...abc)).toMatchObject({
    FailedEntryCount: 1,
    Entries: [{}, { ErrorCode: 'ThrottlingException' }, {}],
  });
  bus.faults.entry = () => undefined;
  expect(await put(...abc)).toMatchObject({ FailedEntryCount: 0 });
  expect(bus.entries).toEqual({ accepted: 5, refused: 1, dropped: 0 });
});

test('refuses whole requests before they have an effect', async () => {
  const { bus, put, describe } = await start();
  bus.faults.refuse = (operation) =>
    operation === 'PutEvents' ? { status: 503, code: 'ServiceUnavailable' } : undefined;
  await expect(put(entry())).rejects.toMatchObject({ name: 'ServiceUnavailable', $metadata: { httpStatusCode: 503 } });
  expect(await describe('relay')).toMatchObject({ Name: 'relay' });
  expect(bus.events).toEqual([]);
});

test('cuts the connection after the effect', async () => {
  const { bus, put } = await start();
  bus.faults.cut = () => true;
  await expect(put(entry())).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(bus.events).toHaveLength(1);
});

test('holds an answer back after the effect', async () => {
  const { bus, put } = await start();
  bus.faults.latencyMs = 50;
  let answered = false;
  const answer = put(entry()).finally(() => {
    answered = true;
  });
  await expect.poll(() => bus.events.length, { interval: 1 }).toBe(1);
  expect(answered).toBe(false);
  expect(await answer).toMatchObject({ FailedEntryCount: 0 });
});

test('answers nobody while it is down, and again afterwards', async () => {
  const { bus, put } = await start();
  await put(entry());
  bus.faults.down = true;
  await expect(put(entry())).rejects.toThrow();
  await expect(put(entry())).rejects.toThrow();
  bus.faults.down = false;
  await put(entry());
  expect(bus.events).toHaveLength(2);
});

test('counts until it is told to begin again', async () => {
  const { bus, put } = await start();
  await put(entry(), entry());
  expect(bus.requests).toEqual({ PutEvents: 1 });
  expect(bus.entries.accepted).toBe(2);
  bus.resetCounts();
  expect(bus.requests).toEqual({});
  expect(bus.entries).toEqual({ accepted: 0, refused: 0, dropped: 0 });
});

test('knows no other operation', async () => {
  const { bus } = await start();
  const ask = (body: string) =>
    fetch(bus.url, { method: 'POST', headers: { 'x-amz-target': 'AWSEvents.PutEvents' }, body }).then((r) => r.json());
  expect(await ask('{')).toMatchObject({ __type: 'SerializationException' });
  expect(await ask('{"Entries":7}')).toMatchObject({ __type: 'SerializationException' });
  const answer = await fetch(bus.url, { method: 'POST', headers: { 'x-amz-target': 'AWSEvents.Fly' }, body: '{}' });
  expect([answer.status, await answer.json()]).toEqual([400, { __type: 'UnknownOperationException', message: '' }]);
});

test('rolls the same dice for the same seed', () => {
  const roll = (seed: number) => Array.from({ length: 1000 }, createChance({ rate: 0.2, seed }));
  expect(roll(1)).toEqual(roll(1));
  expect(roll(1)).not.toEqual(roll(2));
  const hits = roll(1).filter(Boolean).length;
  expect(hits).toBeGreaterThan(150);
  expect(hits).toBeLessThan(250);
});
