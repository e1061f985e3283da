import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createPlatform } from '../../sandbox/platform/platform.ts';
import { MODULE, setStage } from './handler-stage.ts';

test('refuses another platform until it is adopted', async () => {
  const { platform, start, ids } = await setStage();
  await start()();
  const other = await createPlatform({ seed: 2 });
  onTestFinished(() => other.close());
  const moved = start({ RELAY_BASE_URL: other.url, RELAY_AUTH_URL: platform.url });
  await expect(moved()).rejects.toMatchObject({
    errorType: 'ConfigurationError',
    errorMessage: expect.stringMatching(/adoptSource/),
  });
  expect(other.requests.events).toBe(0);
  // The sandbox takes its own tokens only, so the other address leads to the first platform by another name.
  const renamed = start({ RELAY_BASE_URL: platform.url.replace('127.0.0.1', 'localhost') });
  await expect(renamed()).rejects.toMatchObject({ errorType: 'ConfigurationError' });
  const fresh = platform.add(2).map(({ id }) => id);
  expect(await renamed({ adoptSource: true })).toMatchObject({ published: 2 });
  expect(await renamed()).toMatchObject({ published: 0 });
  await expect(start()()).rejects.toMatchObject({ errorType: 'ConfigurationError' });
  expect(ids().toSorted()).toEqual(fresh.toSorted());
});

test('says in a metric that the key is refused, for an alarm to wake somebody', async () => {
  const { platform, start, log } = await setStage();
  const poll = start();
  await poll();
  expect(log.join('\n')).not.toContain('AuthenticationRefused');
  platform.deleteKey();
  await expect(poll()).rejects.toMatchObject({ errorType: 'AuthenticationError' });
  const metric = log.find((line) => line.includes('"AuthenticationRefused":1'));
  expect(JSON.parse(metric ?? '{}')).toMatchObject({ Tenant: 'acme', Stream: 'audit' });
});

test('refuses a bus that does not exist, with the mark where it was', async () => {
  const { platform, start, ids, aws } = await setStage();
  await start()();
  const fresh = platform.add(2).map(({ id }) => id);
  aws.dynamo.resetCounts();
  const lost = start({ RELAY_BUS: 'acme-typo' });
  for (let tries = 0; tries < 2; tries++) {
    await expect(lost()).rejects.toMatchObject({
      errorType: 'PublishError',
      errorMessage: expect.stringMatching(/acme-typo.*RELAY_BUS/),
    });
  }
  expect(aws.dynamo.requests).toEqual({});
  expect(await start()()).toMatchObject({ published: 2 });
  expect(ids().toSorted()).toEqual(fresh.toSorted());
});

test('names every fault of its configuration at once and shows no value', async () => {
  const { start, log } = await setStage();
  const poll = start({
    RELAY_TENANT: 'Not A Tenant',
    RELAY_BASE_URL: 'http://platform.example',
    RELAY_SECRET_ID: '',
    RELAY_START: 'account.key.secret-in-the-wrong-place',
    RELAY_FIELDS: '{"id":1}',
    RELAY_RECHECK_SECONDS: '300,200',
  });
  const failed = (await poll().catch((error: unknown) => error)) as { errorType: string; errorMessage: string };
  expect(failed.errorType).toBe('ConfigurationError');
  for (const name of ['TENANT', 'BASE_URL', 'SECRET_ID', 'START', 'FIELDS', 'RECHECK_SECONDS']) {
    expect(failed.errorMessage).toContain(`RELAY_${name} `);
  }
  expect(`${failed.errorMessage} ${log.join(' ')}`).not.toContain('secret-in-the-wrong-place');
});

test('ends a process that calls it with a broken environment with a code of its own', async () => {
  const script = `const { handler } = await import(${JSON.stringify(MODULE.href)});
    await handler({}, { getRemainingTimeInMillis: () => 60_000 });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH: process.env.PATH, RELAY_TENANT: 'acme' },
  });
  let told = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (told += String(chunk)));
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(told).toContain('RELAY_BASE_URL is missing');
});
