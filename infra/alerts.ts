import { Duration } from 'aws-cdk-lib';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { patternOf, writeNotifierAlerts } from '../shared/alerts/alert.ts';
import { ALERT_QUEUE } from '../shared/alerts/queue.ts';
import { createEmptySecret } from './empty-secret.ts';
import { NodeFunction } from './node-function.ts';
import type { RelayParts } from './parts.ts';
import { SafeQueue } from './safe-queue.ts';

/** The alerts of a tenant: a rule each, one queue, and the function that writes to Slack and Teams. */
export class Alerts extends Construct {
  readonly rules: readonly CfnRule[];
  readonly notifier: NodeFunction;
  /** Alert name to webhook address, as JSON. */
  readonly webhooks: ISecret;
  readonly queue: SafeQueue;
  /** What no message could be made of, or what nobody took. */
  readonly failed: SafeQueue;

  constructor(scope: Construct, id: string, parts: RelayParts & { readonly undelivered: SafeQueue }) {
    super(scope, id);
    const { tenant, bus, bundles, undelivered } = parts;
    this.webhooks = createEmptySecret(this, {
      id: 'Webhooks',
      description: `Webhook addresses of the alerts of ${tenant.id}: {"<alert>": "https://…"}`,
      existingArn: tenant.existing?.webhooksSecretArn,
    });
    this.failed = new SafeQueue(this, 'Failed', {
      retentionPeriod: Duration.seconds(ALERT_QUEUE.deadLetterRetentionSeconds),
    });
    this.queue = new SafeQueue(this, 'Queue', {
      retentionPeriod: Duration.seconds(ALERT_QUEUE.retentionSeconds),
      visibilityTimeout: Duration.seconds(ALERT_QUEUE.visibilityTimeoutSeconds),
      deadLetterQueue: { queue: this.failed, maxReceiveCount: ALERT_QUEUE.maxReceiveCount },
    });
    this.rules = tenant.alerts.map(
      (alert) =>
        new CfnRule(this, `Rule-${alert.name}`, {
          description: `Alert ${alert.name}`,
          eventBusName: bus.eventBusName,
          eventPattern: patternOf(alert),
          targets: [
            {
              id: 'Alerts',
              arn: this.queue.queueArn,
              deadLetterConfig: { arn: undelivered.queueArn },
              inputTransformer: { inputTemplate: `{"alert":"${alert.name}","event":<aws.events.event.json>}` },
            },
          ],
        }),
    );
    this.queue.allowRules(this.rules);
    this.notifier = new NodeFunction(this, 'Notifier', {
      tenant,
      bundles,
      bundle: 'notifier',
      description: `Writes the alerts of ${tenant.id} to Slack and Teams`,
      memorySize: 512,
      timeout: Duration.seconds(ALERT_QUEUE.functionTimeoutSeconds),
      environment: {
        RELAY_TENANT: tenant.id,
        RELAY_ALERTS: writeNotifierAlerts(tenant.alerts),
        RELAY_WEBHOOKS_SECRET_ID: this.webhooks.secretArn,
      },
    });
    this.webhooks.grantRead(this.notifier);
    this.notifier.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: ALERT_QUEUE.batchSize,
        maxBatchingWindow: Duration.seconds(ALERT_QUEUE.windowSeconds),
        maxConcurrency: ALERT_QUEUE.maximumConcurrency,
        reportBatchItemFailures: true,
      }),
    );
  }
}
