import { randomBytes } from 'node:crypto';
import { paginateQuery } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { createDynamoParkingLot } from '../../shared/aws/parked.ts';
import { countDeliveries, EACH_ONCE } from './count-deliveries.ts';
import { setStage, TABLE } from './stage.ts';

/** Of an item in DynamoDB, with its names and keys. */
const MOST_ITEM_BYTES = 400_000;

test('parks a record of 3 MB and a poisoned one from one page with others, and gives both back byte for byte', async () => {
  const { platform, aws, dynamo, arrivals, startPoller } = await setStage({});
  const createdAt = new Date(Date.now() - 600_000).toISOString();
  // Random, so that it cannot be packed into fewer parts; with letters that are several bytes long.
  const huge = { id: 'huge', createdAt, blob: `ü\u2028😀${randomBytes(2_250_000).toString('base64')}` };
  const poison = { id: 'poison', createdAt, note: 'what the bus cannot bear' };
  platform.add(400, { time: (index) => Date.now() - (index + 1) * 3_000 });
  platform.add([huge, poison]);
  aws.bus.faults.entry = ({ Detail }) => (Detail?.includes(poison.note) ? 'MalformedDetail' : undefined);

  const poller = await startPoller();
  expect(await poller.poll()).toMatchObject({ published: 402, parked: 2 });
  expect(countDeliveries(platform.trail, arrivals)).toEqual(EACH_ONCE);

  const lot = createDynamoParkingLot({ client: dynamo, table: TABLE, stream: 'audit' });
  for (const record of [huge, poison]) {
    const bytes = Buffer.from(JSON.stringify(record));
    const parked = await lot.read(record.id);
    // Compared as a whole: a difference in 3 MB is better not printed.
    expect(Buffer.from(parked?.record ?? '').equals(bytes)).toBe(true);
    const event = aws.bus.events.find(({ detail }) => detail.id === record.id);
    expect(event).toMatchObject({ source: 'supplier-platform.audit', detail: { recordomitted: true } });
    expect(event?.detail.data).not.toHaveProperty('record');
  }
  const said = aws.bus.events.filter(({ source }) => source === 'supplier-platform.relay');
  expect(said.map((event) => [event['detail-type'], event.detail.id]).sort()).toEqual([
    ['event.parked', 'huge/parked'],
    ['event.parked', 'poison/parked'],
  ]);

  const pages = paginateQuery(
    { client: dynamo },
    {
      TableName: TABLE,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :key)',
      ExpressionAttributeValues: { ':pk': { S: 'audit' }, ':key': { S: 'parked#huge#' } },
    },
  );
  const parts = (await Array.fromAsync(pages)).flatMap(({ Items = [] }) => Items);
  const sizes = parts.map(({ gzip }) => gzip?.B?.length ?? 0);
  expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(5 * MOST_ITEM_BYTES);
  expect(Math.max(...sizes)).toBeLessThan(MOST_ITEM_BYTES);

  await poller.signal('SIGKILL');
  expect(await poller.poll()).toMatchObject({ published: 0, parked: 0 });
});
