import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, expect, test } from 'vitest';
import { FAKE_CREDENTIALS } from '../../../sandbox/aws/credentials.ts';
import { createSecrets } from '../../../sandbox/aws/secrets.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start() {
  const secrets = await createSecrets({ values: { 'acme/key': 'old' } });
  const client = new SecretsManagerClient({
    endpoint: secrets.url,
    region: 'us-east-1',
    credentials: FAKE_CREDENTIALS,
    maxAttempts: 1,
  });
  closers.push(() => client.destroy(), secrets.close);
  const read = (input: Partial<GetSecretValueCommand['input']> = {}) =>
    client.send(new GetSecretValueCommand({ SecretId: 'acme/key', ...input }));
  return { secrets, read };
}

test('gives the current value after a rotation, and the previous one to whom asks for it', async () => {
  const { secrets, read } = await start();
  const before = await read();
  expect(before).toMatchObject({ SecretString: 'old', VersionStages: ['AWSCURRENT'], CreatedDate: expect.any(Date) });
  secrets.set('acme/key', 'new');
  expect(await read({ VersionStage: 'AWSCURRENT' })).toMatchObject({ SecretString: 'new' });
  expect(await read({ VersionStage: 'AWSPREVIOUS' })).toMatchObject({ SecretString: 'old' });
  expect(await read({ VersionId: before.VersionId as string })).toMatchObject({ SecretString: 'old' });
  expect(secrets.requests.GetSecretValue).toBe(4);
});

test('finds a secret by its ARN', async () => {
  const { read } = await start();
  const { ARN } = await read();
  expect(await read({ SecretId: ARN as string })).toMatchObject({ SecretString: 'old' });
});

test.each([{ SecretId: 'nobody/key' }, { VersionStage: 'AWSPENDING' }])('does not find %o', async (input) => {
  const { read } = await start();
  await expect(read(input)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('fails as it is told to', async () => {
  const { secrets, read } = await start();
  secrets.faults.refuse = () => ({ status: 400, code: 'AccessDeniedException', message: 'no' });
  await expect(read()).rejects.toMatchObject({ name: 'AccessDeniedException', message: 'no' });
});
