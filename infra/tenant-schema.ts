import { writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { tenantSchema } from './tenant.ts';

/** Gives the JSON Schema of a tenant file, for editors. */
export function writeTenantSchema(): string {
  const schema = z.toJSONSchema(tenantSchema, { io: 'input', target: 'draft-2020-12' });
  return `${JSON.stringify(schema, null, 2)}\n`;
}

if (import.meta.main) await writeFile(new URL('../docs/tenant-schema.json', import.meta.url), writeTenantSchema());
