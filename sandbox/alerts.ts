import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Alert, alertSchema, patternOf, writeNotifierAlerts } from '../shared/alerts/alert.ts';
import { ALERT_QUEUE } from '../shared/alerts/queue.ts';
import type { Aws } from './aws/aws.ts';
import { createFunction } from './aws/function-host.ts';
import { connectQueue } from './aws/queue-mapping.ts';
import { createAlertPage } from './console/alert-page.ts';
import { createWebhooks, type ReceivedMessage } from './console/webhooks.ts';

/** A tenant's alerts on this machine: rules, a queue, the notifier, and stand-ins for Slack and Teams. */
export interface Alerts {
  /** Address of the page that shows the messages as they would look. */
  readonly url: string;
  /** Lets the notifier tell of what it has been handed, and ends. */
  close(): Promise<void>;
}

/** Where the notifier is, from the top of the project. */
const MODULE = 'functions/notifier.ts';
const SECRET = 'webhooks';
const QUEUE = 'alerts';

/** What fires here: something often, something now and then, and something that nobody wants to see. */
const ALERTS: readonly Alert[] = (
  [
    { name: 'bank-details', pattern: 'bank-details-changed', channel: 'slack', severity: 'warning' },
    { name: 'kits', pattern: 'kit-decided', channel: 'teams' },
    { name: 'relay', pattern: 'relay-trouble', channel: 'slack', severity: 'critical' },
  ] as const
).map((alert) => alertSchema.parse(alert));

/** Makes the rules on the bus, and starts what tells of the events that match. */
export async function startAlerts(options: {
  readonly aws: Aws;
  readonly tenant: string;
  readonly onMessage: (message: ReceivedMessage) => void;
  /** Is told every line the notifier writes. */
  readonly onLog: (line: string) => void;
  /** Is told why the notifier failed. */
  readonly onFault: (message: string) => void;
}): Promise<Alerts> {
  const { aws, tenant, onMessage, onLog, onFault } = options;
  const webhooks = await createWebhooks({ onMessage });
  const addresses = ALERTS.map(({ name, channel }) => [name, webhooks.open(channel, name)]);
  aws.secrets.set(SECRET, JSON.stringify(Object.fromEntries(addresses)));
  const queue = makeQueue(aws);
  const rules = aws.bus.find(aws.bus.name)?.rules;
  for (const alert of ALERTS) {
    const { name } = alert;
    const InputTemplate = `{"alert":"${name}","event":<aws.events.event.json>}`;
    rules?.put({ name, pattern: JSON.stringify(patternOf(alert)), state: 'ENABLED' });
    rules?.putTargets(name, [{ Id: QUEUE, Arn: queue.arn, InputTransformer: { InputPathsMap: {}, InputTemplate } }]);
  }
  const notifier = createFunction({
    module: new URL(`../${MODULE}`, import.meta.url),
    name: 'notifier',
    env: {
      ...aws.env,
      RELAY_TENANT: tenant,
      RELAY_ALERTS: writeNotifierAlerts(ALERTS),
      RELAY_WEBHOOKS_SECRET_ID: SECRET,
    },
    timeoutMs: ALERT_QUEUE.functionTimeoutSeconds * 1000,
    onLog,
  });
  const mapping = connectQueue({
    queue,
    function: notifier,
    batchSize: ALERT_QUEUE.batchSize,
    windowSeconds: ALERT_QUEUE.windowSeconds,
    reportBatchItemFailures: true,
    onBatch: ({ size, failed, error }) => {
      if (failed > 0) onFault(`${failed} of ${size} events come again${error === undefined ? '' : `: ${error}`}`);
    },
  });
  const page = createServer(getRequestListener(createAlertPage(webhooks).fetch, { overrideGlobalObjects: false }));
  page.listen(0, '127.0.0.1');
  await once(page, 'listening');
  return {
    url: `http://127.0.0.1:${(page.address() as AddressInfo).port}/`,
    async close() {
      await mapping.close();
      await notifier.close();
      page.close();
      page.closeAllConnections();
      await webhooks.close();
    },
  };
}

function makeQueue(aws: Aws) {
  const { visibilityTimeoutSeconds, maxReceiveCount, retentionSeconds, deadLetterRetentionSeconds } = ALERT_QUEUE;
  const deadLetters = aws.queues.create(`${QUEUE}-dead`, {
    MessageRetentionPeriod: String(deadLetterRetentionSeconds),
  });
  return aws.queues.create(QUEUE, {
    VisibilityTimeout: String(visibilityTimeoutSeconds),
    MessageRetentionPeriod: String(retentionSeconds),
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn: deadLetters.arn, maxReceiveCount }),
  });
}
