import type { EventBus } from 'aws-cdk-lib/aws-events';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { ConfigurationError } from '../shared/errors.ts';
import { Adapter } from './adapter.ts';
import { Alarms } from './alarms.ts';
import { Deliveries, hasDeliveries } from './deliveries.ts';
import { createEmptySecret } from './empty-secret.ts';
import { EventSchemas } from './event-schemas.ts';
import type { NodeFunction } from './node-function.ts';
import { packageFile } from './package-file.ts';
import { Poller } from './poller.ts';
import { checkTenant } from './read-tenants.ts';
import { RelayBus } from './relay-bus.ts';
import { RelayDashboard } from './relay-dashboard.ts';
import { createStateTable } from './state-table.ts';
import type { TenantInput } from './tenant.ts';

export type { TenantInput } from './tenant.ts';

/** What a relay is made of. */
export interface SupplierRelayProps {
  /** As in a tenant file. */
  readonly tenant: TenantInput;
  /** Folder with the bundles of the processes. @default those that come with the package */
  readonly bundles?: string;
}

/** A relay of one tenant: polls the platform and publishes its events on a bus. */
export class SupplierRelay extends Construct {
  /** Where the events are. */
  readonly bus: EventBus;
  readonly tableName: string;
  /** Wants the API key of the platform. */
  readonly apiKey: ISecret;
  /** Wants the webhook addresses; left out where the tenant has no alerts. */
  readonly webhooks: ISecret | undefined;
  readonly poller: NodeFunction;

  /** @throws {ConfigurationError} naming every fault of the tenant */
  constructor(scope: Construct, id: string, props: SupplierRelayProps) {
    super(scope, id);
    const checked = checkTenant(props.tenant);
    if ('faults' in checked) throw new ConfigurationError(checked.faults);
    const { tenant } = checked;
    const bus = new RelayBus(this, 'Bus', { tenant });
    const table = createStateTable(this, tenant);
    const apiKey = createEmptySecret(this, {
      id: 'ApiKey',
      description: `API key of ${tenant.id} for the supplier-connection platform`,
      existingArn: tenant.existing?.secretArn,
    });
    const { bundles = packageFile('dist/bundles') } = props;
    const parts = { tenant, bus, table, apiKey, bundles };

    const { function: poller } = new Poller(this, 'Poller', parts);
    const deliveries = hasDeliveries(tenant) ? new Deliveries(this, 'Deliveries', parts) : undefined;
    if (tenant.adapter) new Adapter(this, 'Adapter', { ...parts, adapter: tenant.adapter });
    new EventSchemas(this, 'Schemas', { tenant });
    const alarms = new Alarms(this, 'Alarms', { tenant, poller, deadLetters: deliveries?.deadLetters ?? {} });
    new RelayDashboard(this, 'Dashboard', { tenant, poller, alarms: alarms.all });

    this.bus = bus;
    this.tableName = table.tableName;
    this.apiKey = apiKey;
    this.webhooks = deliveries?.alerts?.webhooks;
    this.poller = poller;
  }
}
