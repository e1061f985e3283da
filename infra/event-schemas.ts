import { CfnRegistry, CfnSchema } from 'aws-cdk-lib/aws-eventschemas';
import { Construct } from 'constructs';
import * as z from 'zod';
import { eventSchema } from '../shared/subscribing/event-schema.ts';
import type { Tenant } from './tenant.ts';

/** The schema of the events, where EventBridge's console and its code generators look for it. */
export class EventSchemas extends Construct {
  constructor(scope: Construct, id: string, { tenant }: { tenant: Tenant }) {
    super(scope, id);
    const registry = new CfnRegistry(this, 'Registry', {
      registryName: `supplier-relay-${tenant.id}`,
      description: `Events of the supplier event relay of ${tenant.id}`,
    });
    new CfnSchema(this, 'Event', {
      registryName: registry.attrRegistryName,
      schemaName: 'SupplierPlatformEvent',
      description: 'A CloudEvent with what happened on the platform, as it stands in the detail of an event',
      // The registry knows no later draft.
      type: 'JSONSchemaDraft4',
      content: JSON.stringify(z.toJSONSchema(eventSchema, { target: 'draft-4', io: 'input' })),
    });
  }
}
