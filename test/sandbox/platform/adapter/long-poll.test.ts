import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPlatform, type Platform } from '../../../../sandbox/platform/platform.ts';
import { type Client, connect } from '../client.ts';

let platform: Platform;
let client: Client;
beforeEach(async () => {
  platform = await createPlatform();
  client = await connect(platform);
});
afterEach(() => platform.close());

const poll = (options?: { signal: AbortSignal }) => client.post('/adapter/long-poll/erp', undefined, options);
const pollJson = async () => JSON.parse((await poll()).text);
const hanging = (count: number) => vi.waitFor(() => expect(platform.adapter.readers('erp')).toBe(count));

test('answers at once with the oldest message that waits, and hands each out once', async () => {
  const [first, second] = [platform.adapter.send('erp'), platform.adapter.send('erp')];
  expect(platform.adapter.waiting('erp')).toBe(2);
  const { status, text } = await poll();
  expect(status).toBe(201);
  expect(JSON.parse(text)).toEqual(first);
  expect(await pollJson()).toEqual(second);
  expect(platform.adapter.waiting('erp')).toBe(0);
  expect(platform.adapter.handedOut('erp')).toEqual([first, second]);
});

test('holds a request until a message comes', async () => {
  const answer = poll();
  await hanging(1);
  const message = platform.adapter.send('erp', { type: 'ping' });
  expect(JSON.parse((await answer).text)).toEqual(message);
  expect(platform.adapter.readers('erp')).toBe(0);
});

test('splits messages between the readers of one interface, and keeps those of others', async () => {
  const answers = [poll(), poll()];
  await hanging(2);
  platform.adapter.send('eventbridge', 'for another');
  platform.adapter.send('erp', 1);
  platform.adapter.send('erp', 2);
  const bodies = await Promise.all(answers.map(async (answer) => JSON.parse((await answer).text)));
  expect(bodies.sort()).toEqual([1, 2]);
  expect(platform.adapter.waiting('eventbridge')).toBe(1);
});

test('hands nothing to a reader who has gone', async () => {
  const leaving = new AbortController();
  const gone = poll({ signal: leaving.signal });
  gone.catch(() => undefined);
  await hanging(1);
  leaving.abort();
  await hanging(0);
  platform.adapter.send('erp', 'kept');
  expect(await pollJson()).toBe('kept');
  await expect(gone).rejects.toThrow('aborted');
});

test('hands nothing to a reader who left before it was heard', async () => {
  const gate = Promise.withResolvers<void>();
  const slow = await createPlatform({ sleep: () => gate.promise });
  const { post } = await connect(slow);
  slow.adapter.send('erp', 'kept');
  slow.faults.failNext = [{ route: 'longPoll', latencyMs: 1 }];
  const leaving = new AbortController();
  const gone = post('/adapter/long-poll/erp', undefined, { signal: leaving.signal });
  gone.catch(() => undefined);
  await vi.waitFor(() => expect(slow.requests.longPoll).toBe(1));
  leaving.abort();
  await expect(gone).rejects.toThrow('aborted');
  // The next connection is heard after the end of the first.
  await post('/adapter/passthrough/erp', {});
  gate.resolve();
  await post('/adapter/passthrough/erp', {});
  expect(slow.adapter.handedOut('erp')).toEqual([]);
  expect(slow.adapter.waiting('erp')).toBe(1);
  await slow.close();
});

test('ends the requests that hang when it is closed', async () => {
  const answer = poll();
  answer.catch(() => undefined);
  await hanging(1);
  await platform.close();
  await expect(answer).rejects.toThrow('fetch failed');
  await hanging(0);
  platform = await createPlatform();
});

test('holds for its hold time and then says that nothing came', async () => {
  const waits: number[] = [];
  const timed = await createPlatform({ sleep: async (waitMs) => void waits.push(waitMs) });
  const { post } = await connect(timed);
  expect((await post('/adapter/long-poll/erp')).status).toBe(204);
  timed.faults.longPollHoldMs = 500;
  expect((await post('/adapter/long-poll/erp')).status).toBe(204);
  expect(waits).toEqual([30_000, 500]);
  await timed.close();
});

test.each([
  [204, 204, ''],
  [304, 304, ''],
  ['nothing', 201, ''],
  ['{}', 201, '{}'],
  ['[]', 201, '[]'],
  ['null', 201, 'null'],
] as const)('says nothing as %s', async (longPollEmpty, status, text) => {
  Object.assign(platform.faults, { longPollHoldMs: 1, longPollEmpty });
  expect(await poll()).toMatchObject({ status, text });
  platform.faults.postStatus = 200;
  expect((await poll()).status).toBe(status === 201 ? 200 : status);
});

test.each([408, 504] as const)('says nothing with %i in the one error shape', async (longPollEmpty) => {
  Object.assign(platform.faults, { longPollHoldMs: 1, longPollEmpty });
  const { status, text } = await poll();
  expect([status, JSON.parse(text).statusCode]).toEqual([longPollEmpty, longPollEmpty]);
});

test('says nothing by cutting the connection', async () => {
  Object.assign(platform.faults, { longPollHoldMs: 1, longPollEmpty: 'reset' });
  await expect(poll()).rejects.toThrow('fetch failed');
});

test('writes what waits as one object, an array, a page, or no JSON at all', async () => {
  const { faults, adapter } = platform;
  const refill = () => [adapter.send('erp'), adapter.send('erp')];
  faults.longPollForm = 'array';
  expect(refill()).toEqual(await pollJson());
  faults.longPollForm = 'paged';
  expect({ total: 2, results: refill() }).toEqual(await pollJson());
  faults.longPollForm = 'text';
  const [first] = refill();
  const { headers, text } = await poll();
  expect(headers.get('Content-Type')).toMatch('text/plain');
  expect(text).toBe(`INTEGRATION REQUEST ${JSON.stringify(first)}`);
});

test('hands a message out again as often as it is set to', async () => {
  platform.faults.redeliveries = 2;
  platform.adapter.send('erp', 'again');
  expect([await pollJson(), await pollJson(), await pollJson()]).toEqual(['again', 'again', 'again']);
  expect(platform.adapter.waiting('erp')).toBe(0);
  expect(platform.adapter.handedOut('erp')).toHaveLength(3);
});

test('loses a message whose answer is cut, as a platform does that hands out at most once', async () => {
  platform.adapter.send('erp');
  platform.faults.failNext = [{ route: 'longPoll', reset: 'mid-body' }];
  await expect(poll()).rejects.toThrow('terminated');
  expect(platform.adapter.waiting('erp')).toBe(0);
});

test.each([404, 405])('answers %i for as long as it is set to', async (status) => {
  platform.faults.failAlways = { longPoll: status, passthrough: status };
  expect([(await poll()).status, (await poll()).status]).toEqual([status, status]);
  expect((await client.get('/users')).status).toBe(200);
});

test('does not know every interface', async () => {
  expect((await client.post('/adapter/long-poll/sap')).status).toBe(404);
  expect((await client.get('/adapter/long-poll/erp')).status).toBe(405);
});

test('brings integration requests as life goes on, to requests that hang too', async () => {
  let nowMs = Date.UTC(2026, 0, 15, 12);
  const living = await createPlatform({ clock: () => nowMs, eventsPerMinute: 600 });
  const { post } = await connect(living);
  const answer = post('/adapter/long-poll/eventbridge');
  await vi.waitFor(() => expect(living.adapter.readers('eventbridge')).toBe(1));
  nowMs += 60_000;
  expect(JSON.parse((await answer).text)).toMatchObject({ interface: 'eventbridge', publicId: expect.any(String) });
  await living.close();
});
