import { Duration } from 'aws-cdk-lib';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { writeEnvironment } from './environment.ts';
import { NodeFunction } from './node-function.ts';
import type { RelayParts } from './parts.ts';
import { grantRelaying } from './poller.ts';
import type { SafeQueue } from './safe-queue.ts';

/** The way back: a rule that takes commands of the accounts that may send them, and the function that carries them out. */
export class ProfileUpdater extends Construct {
  readonly rule: CfnRule;
  readonly function: NodeFunction;

  constructor(
    scope: Construct,
    id: string,
    parts: RelayParts & { readonly undelivered: SafeQueue; readonly accounts: readonly string[] },
  ) {
    super(scope, id);
    const { tenant, table, bus, apiKey, bundles, undelivered, accounts } = parts;
    this.function = new NodeFunction(this, 'Function', {
      tenant,
      bundles,
      bundle: 'profile-updater',
      description: `Carries out profile updates for ${tenant.id}`,
      memorySize: 512,
      timeout: Duration.minutes(1),
      environment: writeEnvironment(tenant, {
        table: table.tableName,
        bus: bus.eventBusName,
        secret: apiKey.secretArn,
      }),
      // The rule's own dead-letter queue takes what never reached Lambda; this one what Lambda gave up after three attempts.
      deadLetterQueue: undelivered,
    });
    grantRelaying(this.function, parts);
    this.rule = new CfnRule(this, 'Rule', {
      description: 'Commands to the platform',
      eventBusName: bus.eventBusName,
      // The account is EventBridge's own word, not the sender's.
      eventPattern: { source: ['supplier-platform.command'], account: accounts },
      targets: [{ id: 'Updater', arn: this.function.functionArn, deadLetterConfig: { arn: undelivered.queueArn } }],
    });
    this.function.addPermission('Rule', {
      principal: new ServicePrincipal('events.amazonaws.com'),
      sourceArn: this.rule.attrArn,
    });
  }
}
