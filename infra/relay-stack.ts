import { CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { SupplierRelay, type SupplierRelayProps } from './supplier-relay.ts';

/** The stack of one tenant, and what whoever deploys it has to know. */
export class RelayStack extends Stack {
  constructor(scope: Construct, props: SupplierRelayProps & StackProps) {
    const { tenant, bundles, ...options } = props;
    super(scope, stackName(tenant.id), {
      description: `Supplier event relay of ${tenant.id}`,
      ...options,
    });
    Tags.of(this).add('supplier-relay:tenant', tenant.id);
    const { bus, tableName, apiKey, webhooks, poller } = new SupplierRelay(this, 'Relay', {
      tenant,
      ...(bundles !== undefined && { bundles }),
    });
    const output = (id: string, value: string, description: string) => new CfnOutput(this, id, { value, description });
    output('BusArn', bus.eventBusArn, 'Where the events are');
    output('TableName', tableName, 'Where the mark is, and what is parked');
    output('PollerName', poller.functionName, 'The function that polls');
    output('PutApiKey', putCommand(apiKey.secretArn, 'key.txt'), 'Puts the API key of the platform into its secret');
    if (webhooks) {
      output('PutWebhooks', putCommand(webhooks.secretArn, 'webhooks.json'), 'Puts the webhook addresses into theirs');
    }
  }
}

/** Gives the name of a tenant's stack. */
const stackName = (tenantId: string): string => `supplier-relay-${tenantId}`;

/** From a file, since the arguments of a command stand in the history of a shell. */
const putCommand = (secretArn: string, file: string): string =>
  `aws secretsmanager put-secret-value --secret-id ${secretArn} --secret-string file://${file}`;
