import { Arn, ArnFormat } from 'aws-cdk-lib';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { RelayBus } from './relay-bus.ts';
import type { Tenant } from './tenant.ts';

/** What EventBridge does to a target that it reaches by a role; queues, topics and functions say themselves who may. */
const ROLE_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  events: ['events:PutEvents'],
  states: ['states:StartExecution'],
  kinesis: ['kinesis:PutRecord', 'kinesis:PutRecords'],
  firehose: ['firehose:PutRecord', 'firehose:PutRecordBatch'],
};

/** A rule of the tenant file, with what EventBridge needs to reach its target. */
export class Subscription extends Construct {
  readonly rule: CfnRule;

  constructor(
    scope: Construct,
    id: string,
    props: {
      readonly subscription: Tenant['subscriptions'][number];
      readonly bus: RelayBus;
      /** Takes what could not be delivered. */
      readonly undelivered: IQueue;
    },
  ) {
    super(scope, id);
    const { subscription, bus, undelivered } = props;
    const { name, pattern, target } = subscription;
    const { service } = Arn.split(target, ArnFormat.NO_RESOURCE_NAME);
    const actions = ROLE_ACTIONS[service];
    this.rule = new CfnRule(this, 'Rule', {
      description: `Subscription ${name}`,
      eventBusName: bus.eventBusName,
      eventPattern: pattern,
      targets: [
        {
          id: 'Target',
          arn: target,
          deadLetterConfig: { arn: undelivered.queueArn },
          ...(actions && { roleArn: this.createRole(actions, target).roleArn }),
        },
      ],
    });
    if (service === 'lambda') {
      new CfnPermission(this, 'Permission', {
        action: 'lambda:InvokeFunction',
        functionName: target,
        principal: 'events.amazonaws.com',
        sourceArn: this.rule.attrArn,
      });
    }
  }

  private createRole(actions: readonly string[], target: string): Role {
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('events.amazonaws.com') });
    role.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [target] }));
    return role;
  }
}
