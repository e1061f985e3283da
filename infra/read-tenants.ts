import { readdir, readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { patternOf, writeNotifierAlerts } from '../shared/alerts/alert.ts';
import { readConfig } from '../shared/config.ts';
import { ConfigurationError } from '../shared/errors.ts';
import { compilePattern } from '../shared/rules/pattern.ts';
import { PatternError } from '../shared/rules/pattern-error.ts';
import { FIELD_OF, writeEnvironment } from './environment.ts';
import { type Tenant, tenantSchema } from './tenant.ts';

/**
 * All variables of a function together, less what the notifier needs besides.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const MOST_ALERT_BYTES = 4096 - 512;

/**
 * Reads tenant files: those of `ids`, and then no other file is looked at, or all of the folder.
 * @throws {ConfigurationError} naming every fault of every file by its path in the file
 */
export async function readTenants(options: { folder: string; ids?: readonly string[] }): Promise<Tenant[]> {
  const { folder, ids = await listTenants(options.folder) } = options;
  const read = await Promise.all(ids.map((id) => readTenant(folder, id)));
  const faults = read.flatMap((one) => ('faults' in one ? one.faults : []));
  if (faults.length > 0) throw new ConfigurationError(faults);
  return read.flatMap((one) => ('tenant' in one ? [one.tenant] : []));
}

/** Lists the ids of a folder's tenants, which are the names of its files. */
async function listTenants(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : [])).sort();
}

/** Checks what a tenant file holds. Gives the tenant, or every fault with its place. */
export function checkTenant(written: unknown): { tenant: Tenant } | { faults: string[] } {
  const { data: tenant, error } = tenantSchema.safeParse(written);
  if (error) return { faults: error.issues.flatMap(describeIssue) };
  const faults = [...processFaults(tenant), ...patternFaults(tenant), ...alertFaults(tenant), ...adapterFaults(tenant)];
  return faults.length > 0 ? { faults } : { tenant };
}

async function readTenant(folder: string, id: string): Promise<{ tenant: Tenant } | { faults: string[] }> {
  const file = `${folder}/${id}.json`;
  const inFile = (faults: readonly string[]) => ({ faults: faults.map((fault) => `${file}: ${fault}`) });
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    const others = await listTenants(folder).catch(() => []);
    return inFile([`cannot be read; there are: ${others.join(', ') || 'none'}`]);
  }
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch (error) {
    return inFile([`is not JSON: ${(error as Error).message}`]);
  }
  const checked = checkTenant(written);
  if ('faults' in checked) return inFile(checked.faults);
  // A stack is found by its tenant, and a tenant by its file: so no two can have one id.
  if (checked.tenant.id !== id) return inFile([`id: expected ${id}, the name of the file, not ${checked.tenant.id}`]);
  return checked;
}

/** What a process would refuse at its start is refused here, by the name it has in the tenant file. */
function processFaults(tenant: Tenant): string[] {
  try {
    readConfig(writeEnvironment(tenant, { table: 'table', bus: 'bus', secret: 'secret' }));
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const fieldOf = (variable: string) => FIELD_OF[variable as keyof typeof FIELD_OF] ?? variable;
    return error.faults.map((fault) => fault.replace(/^RELAY_\w+/, (variable) => `${fieldOf(variable)}:`));
  }
}

/** What EventBridge would refuse in the middle of a deployment is refused here. */
function patternFaults({ alerts, subscriptions }: Tenant): string[] {
  const patterns = [
    ...alerts.map((alert, index) => ({ at: `alerts[${index}]`, pattern: patternOf(alert) })),
    ...subscriptions.map(({ pattern }, index) => ({ at: `subscriptions[${index}]`, pattern })),
  ];
  return patterns.flatMap(({ at, pattern }) => {
    try {
      compilePattern(pattern);
      return [];
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      return [`${at}.pattern: ${error.message}`];
    }
  });
}

function alertFaults({ alerts }: Tenant): string[] {
  const bytes = Buffer.byteLength(writeNotifierAlerts(alerts));
  return bytes > MOST_ALERT_BYTES ? [`alerts: expected at most ${MOST_ALERT_BYTES} bytes in all, not ${bytes}`] : [];
}

function adapterFaults({ adapter, adapterImage, network }: Tenant): string[] {
  if (adapter) return [];
  const given = { adapterImage, network };
  return Object.entries(given).flatMap(([field, value]) =>
    value === undefined ? [] : [`${field}: expected together with adapter: nothing else runs there`],
  );
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const at = issue.path.reduce<string>((path, step) => {
    return typeof step === 'number' ? `${path}[${step}]` : path === '' ? String(step) : `${path}.${String(step)}`;
  }, '');
  const say = (what: string) => (at === '' ? what : `${at}: ${what}`);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) =>
      at === '' ? `${key}: is no field that is known` : `${at}.${key}: is no field that is known`,
    );
  }
  if (issue.code === 'invalid_union') {
    return [say(issue.errors.map(([first]) => first?.message ?? '').join(', or '))];
  }
  return [
    say(issue.message.replace(/^Invalid (input|option): /, '').replace(/, received undefined$/, ', but it is missing')),
  ];
}
