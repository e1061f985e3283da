import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAdapter } from '../../sandbox/adapter-process.ts';
import { createAws } from '../../sandbox/aws/aws.ts';

test('tells how the adapter ended by itself, and starts it no more once it is stopped', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'adapter-process-'));
  const aws = await createAws({ table: 'relay', bus: 'relay', secrets: { key: 'a.b.c' } });
  const lines: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const adapter = startAdapter({
    env: {
      ...aws.env,
      RELAY_TENANT: 'acme',
      RELAY_BASE_URL: 'http://127.0.0.1',
      RELAY_TABLE: 'relay',
      RELAY_BUS: 'no-such-bus',
      RELAY_SECRET_ID: 'key',
      RELAY_START: 'now',
      RELAY_ADAPTER: JSON.stringify({ interfaces: [{ name: 'eventbridge' }], crashLogFolder: folder }),
    },
    onLog: (line) => lines.push(line),
    onEnd: resolve,
  });
  try {
    expect(await ended).toBe('exit code 1');
    await adapter.stop();
    expect(lines.join('\n')).toContain('no-such-bus');
    expect(await readdir(folder)).toHaveLength(1);
    expect(aws.bus.requests).toEqual({ DescribeEventBus: 1 });
  } finally {
    await adapter.stop();
    await aws.close();
    await rm(folder, { recursive: true });
  }
});
