import type { Tenant } from './tenant.ts';

/** Names of what a process uses, as it is told them. */
export interface Names {
  readonly table: string;
  readonly bus: string;
  readonly secret: string;
}

/** The field of a tenant file from which each variable of a process is made. */
export const FIELD_OF = {
  RELAY_TENANT: 'id',
  RELAY_BASE_URL: 'baseUrl',
  RELAY_AUTH_URL: 'authUrl',
  RELAY_START: 'start',
  RELAY_OVERLAP_SECONDS: 'overlapSeconds',
  RELAY_RECHECK_SECONDS: 'recheckSeconds',
  RELAY_FIELDS: 'fields',
  RELAY_EVENT_TYPES: 'eventTypes',
  RELAY_LOG_LEVEL: 'logLevel',
} as const satisfies Record<string, keyof Tenant>;

/** Gives the environment of a process that talks to the platform; what the tenant leaves out, the process decides. */
export function writeEnvironment(tenant: Tenant, names: Names): Record<string, string> {
  return {
    RELAY_TABLE: names.table,
    RELAY_BUS: names.bus,
    RELAY_SECRET_ID: names.secret,
    ...Object.fromEntries(
      Object.entries(FIELD_OF).flatMap(([variable, field]) => {
        const value = tenant[field];
        return value === undefined ? [] : [[variable, inText(value)]];
      }),
    ),
  };
}

function inText(value: NonNullable<Tenant[(typeof FIELD_OF)[keyof typeof FIELD_OF]]>): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}
