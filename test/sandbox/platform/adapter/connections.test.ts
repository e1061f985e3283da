import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPlatform, type Platform } from '../../../../sandbox/platform/platform.ts';
import { type Client, connect, type Page } from '../client.ts';

const START = Date.UTC(2026, 0, 15, 12);
let nowMs = START;
let platform: Platform;
let client: Client;
let buyers: string[];
let customer: string;
beforeAll(async () => {
  platform = await createPlatform({ clock: () => nowMs });
  client = await connect(platform);
  const { results } = await list('limit=1000');
  buyers = results.map(({ publicId }) => String(publicId));
  customer = String((await list('connectionRole=supplier')).results[0]?.publicId);
});
beforeEach(async () => {
  platform.resetFaults();
  for (const name of platform.organisation.interfaces) {
    for (const { publicId, connectionRole } of platform.adapter.connections(name))
      await acknowledge({ publicId, connectionRole, interface: name });
  }
});
afterAll(() => platform.close());

async function list(query: string): Promise<Page> {
  return JSON.parse((await client.get(`/changes/connections?${query}`)).text) as Page;
}
const listed = async (query: string) => (await list(query)).results.map(({ publicId }) => publicId);
const acknowledge = async (body: object) => {
  const { status, text } = await client.post('/changes/acknowledgement', {
    interface: 'eventbridge',
    connectionRole: 'buyer',
    ...body,
  });
  return { status, body: JSON.parse(text) as Record<string, unknown> };
};

test('lists every connection where no interface asks, those of buyers unless asked otherwise', async () => {
  expect(buyers).toHaveLength(114);
  expect((await list('connectionRole=supplier')).total).toBe(6);
  expect(buyers).not.toContain(customer);
  expect((await list('limit=10&page=11')).results).toHaveLength(4);
});

test('keeps a changed connection listed for each interface until that one acknowledges it', async () => {
  expect(await listed('interface=eventbridge')).toEqual([]);
  const { publicId } = platform.adapter.changeConnection(buyers[3]);
  expect(await listed('interface=eventbridge')).toEqual([publicId]);
  expect(await listed('interface=eventbridge')).toEqual([publicId]);
  expect(await acknowledge({ publicId })).toEqual({ status: 201, body: { publicId, acknowledged: true } });
  expect(await listed('interface=eventbridge')).toEqual([]);
  expect(await listed('interface=erp')).toEqual([publicId]);
});

test('lists a connection again that changes after it was acknowledged, within the same millisecond too', async () => {
  const { publicId } = platform.adapter.changeConnection(buyers[5]);
  await acknowledge({ publicId });
  platform.adapter.changeConnection(publicId, { connectionPhase: 'review' });
  expect((await list('interface=eventbridge')).results).toMatchObject([{ publicId, connectionPhase: 'review' }]);
});

test('keeps a connection listed that could not be taken', async () => {
  const { publicId } = platform.adapter.changeConnection(buyers[5]);
  expect((await acknowledge({ publicId, errors: ['no such vendor'] })).body.acknowledged).toBe(false);
  expect(await listed('interface=eventbridge')).toEqual([publicId]);
  expect((await acknowledge({ publicId, errors: [] })).body.acknowledged).toBe(true);
  expect(await listed('interface=eventbridge')).toEqual([]);
  expect(platform.adapter.acknowledged.slice(-2)).toMatchObject([{ errors: ['no such vendor'] }, { errors: [] }]);
});

test.each([
  ['an unknown interface', { interface: 'sap' }, 404],
  ['an unknown connection', { publicId: 'nobody' }, 404],
  ['a connection of the other role', { connectionRole: 'supplier' }, 404],
  ['an unknown role', { connectionRole: 'friend' }, 400],
  ['errors that are no list', { errors: 'none' }, 400],
])('refuses to acknowledge %s', async (_, change, status) => {
  const { publicId } = platform.adapter.changeConnection(buyers[0]);
  const before = platform.adapter.acknowledged.length;
  const { status: answered, body } = await acknowledge({ publicId, ...change });
  expect([answered, body.statusCode]).toEqual([status, status]);
  expect(platform.adapter.acknowledged).toHaveLength(before);
  expect(await listed('interface=eventbridge')).toEqual([publicId]);
});

test('narrows the list by id, phase and role', async () => {
  platform.adapter.changeConnection(buyers[0], { connectionPhase: 'invited' });
  platform.adapter.changeConnection(buyers[1], { connectionPhase: 'review' });
  platform.adapter.changeConnection(customer);
  expect(await listed('interface=erp&connectionPhases=invited,connect')).toEqual([buyers[0]]);
  expect(await listed(`interface=erp&publicIds=${buyers[1]},${buyers[2]},nobody`)).toEqual([buyers[1]]);
  expect(await listed('interface=erp&connectionRole=supplier')).toEqual([customer]);
  expect(await listed('interface=erp&limit=1&page=1')).toEqual([buyers[1]]);
});

test.each([
  ['interface=sap', 404],
  ['connectionPhases=engaged', 400],
  ['connectionRole=friend', 400],
  ['limit=0', 400],
])('refuses the query %s', async (query, status) => {
  expect((await client.get(`/changes/connections?${query}`)).status).toBe(status);
});

test('takes acknowledgements at the other address only where it is set to', async () => {
  const { publicId } = platform.adapter.changeConnection(buyers[9]);
  const body = { interface: 'erp', connectionRole: 'buyer', publicId };
  expect((await client.post('/changes/acknowledge', body)).status).toBe(404);
  platform.faults.acknowledgePath = 'acknowledge';
  platform.faults.postStatus = 200;
  expect((await client.post('/changes/acknowledgement', body)).status).toBe(404);
  expect((await client.post('/changes/acknowledge', body)).status).toBe(200);
  expect(await listed('interface=erp')).toEqual([]);
});

test('leaves out when a connection changed, so that a change back looks like none', async () => {
  platform.faults.changedOnMissing = true;
  const show = async () => (await list(`publicIds=${buyers[7]}`)).results;
  platform.adapter.changeConnection(buyers[7], { connectionPhase: 'connected' });
  const before = await show();
  expect(before[0]).not.toHaveProperty('changedOn');
  nowMs += 1000;
  platform.adapter.changeConnection(buyers[7], { connectionPhase: 'review' });
  expect(await show()).not.toEqual(before);
  platform.adapter.changeConnection(buyers[7], { connectionPhase: 'connected' });
  expect(await show()).toEqual(before);
});

test('changes connections as life goes on, with an event of the audit trail for each', async () => {
  const living = await createPlatform({ clock: () => nowMs, eventsPerMinute: 120 });
  nowMs += 3_600_000;
  const changed = JSON.parse((await (await connect(living)).get('/changes/connections?interface=erp&limit=1000')).text);
  expect(changed.total).toBeGreaterThan(20);
  const times = new Set([...living.trail].map(({ time }) => new Date(time).toISOString()));
  for (const { changedOn } of changed.results) expect(times).toContain(changedOn);
  await living.close();
});

test('lists what changed in the past it is born with', async () => {
  const born = await createPlatform({ clock: () => nowMs, history: { events: 500, days: 2 } });
  expect(born.adapter.connections('erp').length).toBeGreaterThan(20);
  expect(born.adapter.waiting('erp')).toBe(0);
  await born.close();
});
