import { Duration } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';
import { writeEnvironment } from './environment.ts';
import { NodeFunction } from './node-function.ts';
import type { RelayParts } from './parts.ts';

/**
 * The next poll makes up for one that did not happen, so neither the schedule nor Lambda should try again by themselves.
 * A minute is the least age that both can be told.
 */
const NO_RETRIES = { retryAttempts: 0, maxEventAge: Duration.seconds(60) };

/** The function that polls the audit trail, and its schedule. */
export class Poller extends Construct {
  readonly function: NodeFunction;

  constructor(scope: Construct, id: string, parts: RelayParts) {
    super(scope, id);
    const { tenant, table, bus, apiKey, bundles } = parts;
    this.function = new NodeFunction(this, 'Function', {
      tenant,
      bundles,
      bundle: 'poller',
      description: `Polls the audit trail of ${tenant.id} and publishes it on the bus`,
      // A page of a thousand large records takes 300 MB while it is read; half a processor keeps an empty poll under a second.
      memorySize: 1024,
      // Long enough for a backlog to flow; a crash holds the lease for this long and half a minute more.
      timeout: Duration.minutes(2),
      environment: writeEnvironment(tenant, {
        table: table.tableName,
        bus: bus.eventBusName,
        secret: apiKey.secretArn,
      }),
      ...NO_RETRIES,
    });
    grantRelaying(this.function, parts);
    new Schedule(this, 'Schedule', {
      description: `Polls the audit trail of ${tenant.id}`,
      schedule: ScheduleExpression.rate(Duration.minutes(tenant.pollMinutes)),
      target: new LambdaInvoke(this.function, NO_RETRIES),
    });
  }
}

/** Lets a process relay: what the marks, the ledger, the bus and the token ask of AWS, and nothing else. */
export function grantRelaying(to: IGrantable, { table, bus, apiKey }: RelayParts): void {
  table.grant(
    to,
    'dynamodb:GetItem',
    'dynamodb:Query',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    'dynamodb:BatchWriteItem',
  );
  Grant.addToPrincipal({
    grantee: to,
    actions: ['events:PutEvents', 'events:DescribeEventBus'],
    resourceArns: [bus.eventBusArn],
  });
  apiKey.grantRead(to);
}
