import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, type ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Tenant } from './tenant.ts';

/** Makes the table with marks, ledgers and parked records, or takes over the one that the tenant file names. */
export function createStateTable(scope: Construct, { existing }: Tenant): ITableV2 {
  if (existing?.tableName !== undefined) return TableV2.fromTableName(scope, 'Table', existing.tableName);
  return new TableV2(scope, 'Table', {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    billing: Billing.onDemand(),
    timeToLiveAttribute: 'expiresAt',
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    // Without the mark a new stack would begin anew, and without the ledger it would repeat what it published.
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  }) as ITableV2;
}
