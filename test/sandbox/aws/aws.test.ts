import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAws } from '../../../sandbox/aws/aws.ts';
import { createFunction } from '../../../sandbox/aws/function-host.ts';

/** Starts AWS, lets a function use each service once, and stops all. */
async function useOnce(folder?: string) {
  const aws = await createAws({
    table: 'relay',
    bus: 'relay',
    secrets: { 'acme/key': 'the key' },
    ...(folder === undefined ? {} : { folder }),
  });
  const lambda = createFunction({
    module: new URL('./handlers/sdk-user.ts', import.meta.url),
    env: aws.env,
    timeoutMs: 60_000,
  });
  try {
    return { aws, result: await lambda.invoke({ secretId: 'acme/key', table: 'relay', bus: 'relay' }) };
  } finally {
    await lambda.close();
    await aws.close();
  }
}

test('is all a function needs to use the SDK', async () => {
  const { aws, result } = await useOnce();
  expect(result).toEqual({ secret: 'the key', items: 1, failed: 0 });
  expect(aws.bus.events).toMatchObject([{ source: 'test', detail: { hello: 'bus' } }]);
  expect(aws.dynamo.requests).toMatchObject({ PutItem: 1, Query: 1 });
});

test('goes on with what it kept in its folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aws-'));
  try {
    expect((await useOnce(folder)).result).toMatchObject({ items: 1 });
    expect((await useOnce(folder)).result).toMatchObject({ items: 2 });
    expect(await readdir(folder)).toEqual(['dynamo', 'events.jsonl']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
