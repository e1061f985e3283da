import { expect, test } from 'vitest';
import { createWebhooks } from '../../sandbox/console/webhooks.ts';
import { ALERT_QUEUE } from '../../shared/alerts/queue.ts';
import { busEvent } from './bus-event.ts';
import { manyQueued, queued, setStage } from './notifier-stage.ts';

const ids = (items: readonly { messageId: string }[]) => items.map(({ messageId }) => messageId);

test('waits as long as it is asked to where that fits into the run', async () => {
  const { webhooks, clock, run } = await setStage();
  const startMs = clock.nowMs;
  webhooks.fail('everything', { status: 429, retryAfterSeconds: 20, times: 1 });
  expect(await run([queued()])).toMatchObject({ messages: 1, failed: [] });
  expect(clock.nowMs - startMs).toBe(20_000);
});

test('gives items back where it is asked to wait longer, and leaves the webhook alone until then', async () => {
  const { webhooks, clock, log, run } = await setStage();
  webhooks.fail('everything', { status: 429, retryAfterSeconds: 600, times: 1 });
  const items = [queued()];
  expect((await run(items)).failed).toEqual(ids(items));
  expect(log.at(-1)).toMatchObject({
    level: 'error',
    alert: 'everything',
    reason: 'the webhook answered 429 injected_fault',
  });
  clock.nowMs += 599_000;
  expect((await run(items)).failed).toEqual(ids(items));
  expect(log.at(-1)).toMatchObject({ reason: 'the webhook is given a rest: the webhook answered 429 injected_fault' });
  expect(webhooks.requests.everything).toBe(1);
  clock.nowMs += 1000;
  expect((await run(items)).failed).toEqual([]);
});

test('gets over short failures within the run', async () => {
  const { webhooks, run } = await setStage();
  webhooks.fail('everything', { status: 503, times: 2 });
  expect(await run([queued()])).toMatchObject({ messages: 1, failed: [] });
  expect(webhooks.requests.everything).toBe(3);
});

test.each(['down', 500] as const)(
  'delivers all after a webhook was %s for an hour, and does not hammer it',
  async (status) => {
    const { webhooks, clock, run } = await setStage();
    webhooks.fail('everything', { status });
    const startMs = clock.nowMs;
    // As the queue does it: what failed comes again after the visibility time-out, what is new at once.
    let waiting: { item: ReturnType<typeof queued>; atMs: number; receives: number }[] = [];
    let made = 0;
    for (let second = 0; second < 2 * 3600; second += 60) {
      clock.nowMs = Math.max(clock.nowMs, startMs + second * 1000);
      if (second >= 3600) webhooks.fail('everything', undefined);
      const fresh = second < 3600 ? manyQueued(10) : [];
      made += fresh.length;
      waiting.push(...fresh.map((item) => ({ item, atMs: 0, receives: 0 })));
      const due = waiting.filter(({ atMs }) => atMs <= clock.nowMs);
      const failed = new Set((await run(due.map(({ item }) => item))).failed);
      waiting = waiting.filter((one) => !due.includes(one) || failed.has(one.item.messageId));
      for (const one of due) {
        one.receives++;
        one.atMs = clock.nowMs + ALERT_QUEUE.visibilityTimeoutSeconds * 1000;
        expect(one.receives).toBeLessThanOrEqual(ALERT_QUEUE.maxReceiveCount);
      }
    }
    expect(waiting).toEqual([]);
    expect(made).toBe(600);
    const told = webhooks.received.map(({ payload }) => Number(/×(\d+)/.exec(JSON.stringify(payload))?.[1] ?? 1));
    expect(told.reduce((sum, count) => sum + count, 0)).toBe(600);
    // An hour of rests of at most five minutes, three requests each at the most.
    expect((webhooks.requests.everything ?? 0) - webhooks.received.length).toBeLessThan(60);
  },
);

test.each([
  [404, 'no_service'],
  [410, 'channel_is_archived'],
  [403, 'action_prohibited'],
] as const)('gives items back for good where the webhook answers %d', async (status, body) => {
  const { webhooks, log, run, reads, secret } = await setStage();
  webhooks.fail('everything', { status, body });
  const items = manyQueued(3);
  expect((await run(items)).failed).toEqual(ids(items));
  expect(webhooks.requests.everything).toBe(1);
  expect(reads()).toBe(2);
  expect(log).toEqual([
    expect.objectContaining({
      level: 'error',
      message: 'An alert could not be sent',
      alert: 'everything',
      events: 3,
      reason: `the webhook answered ${status} ${body}`,
    }),
  ]);
  expect(JSON.stringify(log)).not.toContain(new URL(String(secret.everything)).pathname);
});

test('finds the new address of a webhook that was replaced', async () => {
  const { webhooks, secret, run } = await setStage();
  await run([queued()]);
  webhooks.fail('everything', { status: 410 });
  secret.everything = webhooks.open('slack', 'replacement');
  expect(await run([queued()])).toMatchObject({ messages: 1, failed: [] });
  expect(webhooks.received.at(-1)?.name).toBe('replacement');
});

test('finds an address that was put into the secret after the last look', async () => {
  const { secret, run, log } = await setStage();
  const address = secret.everything;
  delete secret.everything;
  const items = [queued()];
  expect((await run(items)).failed).toEqual(ids(items));
  expect(log.at(-1)?.reason).toContain('the webhook of everything is missing');
  secret.everything = address;
  expect(await run(items)).toMatchObject({ messages: 1, failed: [] });
});

test.each(['http://hooks.example/services/secret-part', 'ftp://127.0.0.1/secret-part', 'secret-part', 7])(
  'sends nothing to %s, and does not say it',
  async (address) => {
    const { secret, log, run } = await setStage();
    secret.everything = address;
    const items = [queued()];
    expect((await run(items)).failed).toEqual(ids(items));
    expect(log.at(-1)?.reason).toContain('the webhook of everything is wrong: expected an https address');
    expect(JSON.stringify(log)).not.toMatch(/secret-part|hooks\.example/);
  },
);

test('lets one bad alert hold up no other', async () => {
  const { webhooks, run } = await setStage([{ name: 'bad' }, { name: 'good' }, { name: 'card', channel: 'teams' }]);
  webhooks.fail('bad', { status: 'down' });
  const items = ['bad', 'good', 'card'].map((alert) => queued(busEvent(), alert));
  expect((await run(items)).failed).toEqual([items[0]!.messageId]);
  expect(webhooks.received.map(({ name }) => name).toSorted()).toEqual(['card', 'good']);
});

test('goes on with the other alerts of a webhook that refuses one message', async () => {
  const { webhooks, secret, run } = await setStage([{ name: 'a' }, { name: 'b' }]);
  secret.b = secret.a;
  webhooks.fail('a', { status: 400, body: 'invalid_blocks', times: 1 });
  const items = [queued(busEvent(), 'a'), queued(busEvent(), 'b')];
  expect((await run(items)).failed).toEqual([items[0]!.messageId]);
  expect(webhooks.received).toHaveLength(1);
});

test('tells again rather than not at all where the answer was lost', async () => {
  const { webhooks, run } = await setStage();
  webhooks.fail('everything', { status: 'lost', times: 1 });
  expect((await run([queued()])).failed).toEqual([]);
  expect(webhooks.received).toHaveLength(2);
});

test('starts nothing that its time does not allow', async () => {
  const { webhooks, clock, notifier } = await setStage();
  await notifier.notify([queued()], clock.nowMs + 50_000);
  const items = [queued()];
  expect((await notifier.notify(items, clock.nowMs + 500)).failed).toEqual(ids(items));
  expect(webhooks.requests.everything).toBe(1);
});

test('follows no redirect', async () => {
  const { webhooks, run } = await setStage();
  webhooks.fail('everything', { status: 302 });
  const items = [queued()];
  expect((await run(items)).failed).toEqual(ids(items));
});

test('webhooks refuse what Slack and Teams refuse', async () => {
  const webhooks = await createWebhooks({ clock: () => 0 });
  const post = async (address: string, body: unknown) => {
    const { status } = await fetch(address, { method: 'POST', body: JSON.stringify(body) });
    return status;
  };
  const [slack, teams] = [webhooks.open('slack', 's'), webhooks.open('teams', 't')];
  const header = (text: string) => ({ type: 'header', text: { type: 'plain_text', text } });
  expect(await post(slack, { text: 'x', blocks: [header('x'.repeat(151))] })).toBe(400);
  expect(await post(slack, { text: 'x', blocks: Array.from({ length: 51 }, () => header('x')) })).toBe(400);
  expect(await post(slack, { text: 'x', blocks: [{ type: 'section' }] })).toBe(400);
  expect(await post(slack, { text: 'x', blocks: [header('x')] })).toBe(200);
  expect(await post(slack, { text: 'x', blocks: [header('x')] })).toBe(429);
  expect(await post(teams, { type: 'message', attachments: [] })).toBe(400);
  expect(await post(`${slack}x`, {})).toBe(404);
  await webhooks.close();
});
