import * as z from 'zod/mini';
import { ConfigurationError } from '../errors.ts';
import { type NotifierAlert, notifierAlertsSchema } from './alert.ts';

/** What the notifier is told. */
export interface NotifierConfig {
  readonly tenant: string;
  readonly alerts: ReadonlyMap<string, NotifierAlert>;
  readonly webhooksSecretId: string;
}

/**
 * Reads the notifier's configuration from its environment.
 * @throws {ConfigurationError} naming every variable that is missing or wrong, and what is expected of it
 */
export function readNotifierConfig(variables: Readonly<Record<string, string | undefined>>): NotifierConfig {
  const faults: string[] = [];
  const read = (name: string, expected: string): string => {
    const text = variables[name]?.trim() ?? '';
    if (text === '') faults.push(`${name} is missing: expected ${expected}`);
    return text;
  };
  const tenant = read('RELAY_TENANT', 'a tenant id');
  const webhooksSecretId = read('RELAY_WEBHOOKS_SECRET_ID', 'the name or ARN of the secret with the webhook addresses');
  const text = read('RELAY_ALERTS', 'the alerts of the tenant file as JSON');
  const alerts = new Map<string, NotifierAlert>();
  if (text !== '') {
    const { data = [], error } = parseAlerts(text);
    faults.push(
      ...(error?.issues ?? []).map(({ path, message }) => ['RELAY_ALERTS', ...path].join('.').concat(` ${message}`)),
    );
    for (const { pattern: _, ...alert } of data) {
      if (alerts.has(alert.name)) faults.push(`RELAY_ALERTS has two alerts named ${alert.name}`);
      alerts.set(alert.name, alert);
    }
  }
  if (faults.length > 0) throw new ConfigurationError(faults);
  return { tenant, alerts, webhooksSecretId };
}

function parseAlerts(text: string) {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // Not JSON is not a list either, and the schema says so.
  }
  return z.safeParse(notifierAlertsSchema, json);
}
