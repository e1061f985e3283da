import { expect, onTestFinished, test } from 'vitest';
import { createFunction } from '../../sandbox/aws/function-host.ts';
import { createSecrets } from '../../sandbox/aws/secrets.ts';
import { createWebhooks } from '../../sandbox/console/webhooks.ts';
import type { AlertInput } from '../../shared/alerts/alert.ts';
import { manyQueued, queued } from './notifier-stage.ts';

const ALERT: AlertInput = { name: 'everything', channel: 'slack', pattern: { source: ['supplier-platform.audit'] } };

async function setStage(changes: Record<string, string> = {}) {
  const webhooks = await createWebhooks();
  const address = webhooks.open('slack', 'everything');
  const secrets = await createSecrets({ values: { webhooks: JSON.stringify({ everything: address }) } });
  const log: string[] = [];
  const notifier = createFunction({
    module: new URL('../../functions/notifier.ts', import.meta.url),
    env: {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      RELAY_TENANT: 'acme',
      RELAY_ALERTS: JSON.stringify([ALERT]),
      RELAY_WEBHOOKS_SECRET_ID: 'webhooks',
      ...changes,
    },
    timeoutMs: 60_000,
    onLog: (line) => log.push(line),
  });
  onTestFinished(async () => {
    await notifier.close();
    await secrets.close();
    await webhooks.close();
  });
  return { webhooks, secrets, address, log, invoke: (Records: unknown[]) => notifier.invoke({ Records }) };
}

test('reports the items of a batch that failed, in its own process', async () => {
  const { webhooks, secrets, address, log, invoke } = await setStage();
  const wrong = { messageId: 'wrong', body: '{}' };
  const again = queued();
  expect(await invoke([...manyQueued(20), wrong, again])).toEqual({ batchItemFailures: [{ itemIdentifier: 'wrong' }] });
  expect(await invoke([again])).toEqual({ batchItemFailures: [] });
  expect(webhooks.received).toHaveLength(1);
  webhooks.fail('everything', { status: 404, body: 'no_service' });
  const refused = queued();
  expect(await invoke([refused])).toEqual({ batchItemFailures: [{ itemIdentifier: refused.messageId }] });
  expect(secrets.requests.GetSecretValue).toBe(2);
  const lines = log.map((line) => JSON.parse(line));
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 'info', message: 'Notified', messages: 1, events: 21 }),
  );
  expect(lines).toContainEqual(expect.objectContaining({ AlertMessages: 0, AlertFailures: 1, Tenant: 'acme' }));
  expect(log.join()).not.toContain(new URL(address).pathname);
});

test('gives everything back, without an answer of the secret in the log, where the secret is no list', async () => {
  const { secrets, log, invoke } = await setStage();
  secrets.set('webhooks', 'https://hooks.example/secret-part');
  const item = queued();
  expect(await invoke([item])).toEqual({ batchItemFailures: [{ itemIdentifier: item.messageId }] });
  expect(log.join()).toContain('expected a secret of the form');
  expect(log.join()).not.toContain('secret-part');
});

test('names every wrong setting at once', async () => {
  const { invoke } = await setStage({
    RELAY_TENANT: '',
    RELAY_ALERTS: JSON.stringify([
      { ...ALERT, channel: 'mail' },
      { ...ALERT, nmae: 'x' },
    ]),
  });
  await expect(invoke([])).rejects.toMatchObject({
    errorType: 'ConfigurationError',
    errorMessage: expect.stringMatching(/RELAY_TENANT is missing[\s\S]*RELAY_ALERTS\.0\.channel[\s\S]*RELAY_ALERTS\.1/),
  });
});

test('refuses two alerts of one name', async () => {
  const { invoke } = await setStage({ RELAY_ALERTS: JSON.stringify([ALERT, ALERT]) });
  await expect(invoke([])).rejects.toMatchObject({
    errorMessage: expect.stringContaining('two alerts named everything'),
  });
});
