import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { RelayBus } from './relay-bus.ts';
import type { Tenant } from './tenant.ts';

/** What the processes of a tenant share; each construct takes the ones it needs. */
export interface RelayParts {
  readonly tenant: Tenant;
  readonly table: ITableV2;
  readonly bus: RelayBus;
  readonly apiKey: ISecret;
  /** Folder with a folder for the bundle of each process. */
  readonly bundles: string;
}
