import { CfnResource, Duration } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { AccountPrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Tenant } from './tenant.ts';

/** What an account needs to keep rules of its own on a bus, and nothing else. */
const RULE_ACTIONS = [
  'events:PutRule',
  'events:DescribeRule',
  'events:EnableRule',
  'events:DisableRule',
  'events:DeleteRule',
  'events:PutTargets',
  'events:RemoveTargets',
  'events:ListTargetsByRule',
  'events:TagResource',
  'events:UntagResource',
  'events:ListTagsForResource',
];

/** The bus of a tenant; its name is fixed, because other accounts are told it. */
export class RelayBus extends EventBus {
  constructor(scope: Construct, id: string, { tenant }: { tenant: Tenant }) {
    super(scope, id, {
      eventBusName: `supplier-relay-${tenant.id}`,
      description: `What happens on the supplier-connection platform of ${tenant.id}`,
    });
    for (const account of tenant.subscribers ?? []) this.allowRules(account);
    for (const account of tenant.profileUpdates?.accounts ?? []) this.allowCommands(account);
    // The audit trail can be read again, by a replay; what the adapter was handed cannot.
    if (tenant.adapter) {
      this.archive('Archive', {
        description: 'Events of the adapter interface, which the platform shows once',
        eventPattern: { source: ['supplier-platform.long-poll', 'supplier-platform.changes'] },
        retention: Duration.days(tenant.retentionDays),
      });
    }
  }

  /**
   * Lets an account put rules on the bus, and change those that it put there.
   * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-bus-perms.html
   */
  private allowRules(account: string): void {
    const { stack, eventBusName } = this;
    this.allow(`Rules${account}`, {
      account,
      actions: RULE_ACTIONS,
      resource: stack.formatArn({ service: 'events', resource: 'rule', resourceName: `${eventBusName}/*` }),
      // Where it exists: a rule that is only being put has no creator yet.
      condition: { StringEqualsIfExists: { 'events:creatorAccount': account } },
    });
  }

  private allowCommands(account: string): void {
    this.allow(`Commands${account}`, {
      account,
      actions: ['events:PutEvents'],
      resource: this.eventBusArn,
      condition: { StringEquals: { 'events:source': 'supplier-platform.command' } },
    });
  }

  private allow(
    id: string,
    grant: { account: string; actions: readonly string[]; resource: string; condition: object },
  ): void {
    const { account, actions, resource, condition } = grant;
    // The typed resource warns, at every synthesis, of a property that it has and nobody sets.
    new CfnResource(this, id, {
      type: 'AWS::Events::EventBusPolicy',
      properties: {
        EventBusName: this.eventBusName,
        StatementId: id,
        Statement: {
          Effect: 'Allow',
          Principal: { AWS: new AccountPrincipal(account).arn },
          Action: actions,
          Resource: resource,
          Condition: condition,
        },
      },
    });
  }
}
