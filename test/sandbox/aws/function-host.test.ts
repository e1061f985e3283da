import { afterEach, expect, test } from 'vitest';
import { createFunction, type FunctionError, type FunctionHost } from '../../../sandbox/aws/function-host.ts';

const hosts: FunctionHost[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

function start({ module = 'many-moods', timeoutMs = 60_000, env = {} }: Options = {}) {
  const lines: string[] = [];
  const host = createFunction({
    module: new URL(`./handlers/${module}.ts`, import.meta.url),
    env,
    timeoutMs,
    onLog: (line) => lines.push(line),
    name: 'moods',
  });
  hosts.push(host);
  return { host, lines };
}

interface Options {
  module?: string;
  timeoutMs?: number;
  env?: Record<string, string>;
}

const failureOf = (promise: Promise<unknown>): Promise<FunctionError> =>
  promise.then(
    () => expect.fail('the call succeeded'),
    (error) => error,
  );

test('stays warm between calls', async () => {
  const { host } = start();
  const first = await host.invoke({ mood: 'count' });
  expect(first).toMatchObject({ calls: 1 });
  expect(await host.invoke({ mood: 'count' })).toEqual({ ...(first as object), calls: 2 });
});

test('runs one call at a time', async () => {
  const { host } = start();
  expect(await Promise.all([1, 2, 3].map(() => host.invoke({ mood: 'slow' })))).toEqual([1, 2, 3]);
});

test('sees only the environment it is given', async () => {
  process.env.PARENTS_SECRET = 'not for children';
  try {
    const { host } = start({ env: { RELAY_TENANT: 'acme' } });
    expect(await host.invoke({ mood: 'environment' })).toEqual({ PATH: process.env.PATH, RELAY_TENANT: 'acme' });
  } finally {
    delete process.env.PARENTS_SECRET;
  }
});

test('tells the handler its name and how long it has', async () => {
  const { host } = start();
  const context = (await host.invoke({ mood: 'context' })) as Record<string, unknown>;
  expect(context).toMatchObject({ functionName: 'moods', memoryLimitInMB: '512', awsRequestId: expect.any(String) });
  expect(context.remainingMs).toBeGreaterThan(0);
  expect(context.remainingMs).toBeLessThanOrEqual(60_000);
});

test('passes on what the handler throws', async () => {
  const { host } = start();
  const error = await failureOf(host.invoke({ mood: 'fail' }));
  expect(error).toMatchObject({ errorType: 'RangeError', errorMessage: 'too far' });
  expect(error.trace.join('\n')).toContain('many-moods.ts');
});

test('fails every call where the module cannot be imported', async () => {
  const { host } = start({ module: 'broken' });
  for (const attempt of [1, 2]) {
    expect(await failureOf(host.invoke({ attempt }))).toMatchObject({ errorType: 'TypeError' });
  }
});

test('kills a call that takes too long and starts anew', async () => {
  const { host, lines } = start({ timeoutMs: 1000 });
  const before = (await host.invoke({ mood: 'count' })) as { pid: number };
  expect(await failureOf(host.invoke({ mood: 'hang' }))).toMatchObject({
    errorType: 'Sandbox.Timedout',
    errorMessage: expect.stringContaining('Task timed out after 1.00 seconds'),
  });
  expect(() => process.kill(before.pid, 0)).toThrow('ESRCH');
  expect(lines).toEqual(['hanging']);
  expect(await host.invoke({ mood: 'count' })).toMatchObject({ calls: 1 });
});

test('has told every line by the time a call returns', async () => {
  const { host, lines } = start();
  await host.invoke({ mood: 'flood' });
  expect(lines.splice(0)).toHaveLength(2000);
  await host.invoke({ mood: 'talk' });
  expect(lines.toSorted()).toEqual(['four without an end', 'one', 'three', 'two \u2028 still two']);
});

test('loses no line of a process that exits', async () => {
  const { host, lines } = start();
  expect(await failureOf(host.invoke({ mood: 'die' }))).toMatchObject({
    errorType: 'Runtime.ExitError',
    errorMessage: expect.stringContaining('exit status 7'),
  });
  expect(lines).toHaveLength(2001);
  expect(lines.at(-1)).toBe('last words');
});

test('survives a crash in the middle of a call', async () => {
  const { host, lines } = start();
  const failed = failureOf(host.invoke({ mood: 'hang' }));
  await expect.poll(() => lines, { timeout: 10_000 }).toEqual(['hanging']);
  await host.kill('SIGKILL');
  expect(await failed).toMatchObject({ errorMessage: expect.stringContaining('signal: SIGKILL') });
  expect(await host.usage()).toBeUndefined();
  expect(await host.invoke({ mood: 'count' })).toMatchObject({ calls: 1 });
});

test('says what the process used', async () => {
  const { host } = start();
  expect(await host.usage()).toBeUndefined();
  await host.invoke({ mood: 'count' });
  const usage = await host.usage();
  expect(usage?.cpuMs).toBeGreaterThan(0);
  expect(usage?.heapUsedBytes).toBeGreaterThan(1_000_000);
  expect(usage?.peakRssBytes).toBeGreaterThanOrEqual(usage?.heapUsedBytes ?? 0);
});

test('refuses calls once it is closed', async () => {
  const { host } = start();
  const running = failureOf(host.invoke({ mood: 'count' }).then(() => host.invoke({ mood: 'hang' })));
  await host.invoke({ mood: 'count' });
  await host.close();
  expect(await running).toMatchObject({ errorType: 'Runtime.ExitError' });
  expect(await failureOf(host.invoke({ mood: 'count' }))).toMatchObject({
    errorMessage: expect.stringContaining('The function is closed'),
  });
});
