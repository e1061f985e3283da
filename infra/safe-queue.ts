import { Duration } from 'aws-cdk-lib';
import type { CfnRule } from 'aws-cdk-lib/aws-events';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** The longest that SQS keeps a message. */
const LONGEST_RETENTION = Duration.days(14);
/** The most that SQS takes: as much as an event on the bus can have. */
const LARGEST_MESSAGE_BYTES = 1_048_576;

/** A queue that is encrypted, asks for TLS, and takes messages from the rules it is told of alone. */
export class SafeQueue extends Queue {
  constructor(scope: Construct, id: string, props: QueueProps = {}) {
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: LONGEST_RETENTION,
      maxMessageSizeBytes: LARGEST_MESSAGE_BYTES,
      ...props,
    });
  }

  /** Lets these rules send to the queue; by name, since subscribers put rules on the same bus. */
  allowRules(rules: readonly CfnRule[]): void {
    if (rules.length === 0) return;
    this.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.ALLOW,
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [this.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': rules.map((rule) => rule.attrArn) } },
      }),
    );
  }
}
