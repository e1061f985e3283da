import { onTestFinished, vi } from 'vitest';
import { type Aws, createAws } from '../../sandbox/aws/aws.ts';
import { createFunction, type FunctionHost } from '../../sandbox/aws/function-host.ts';
import { createPlatform, type Platform } from '../../sandbox/platform/platform.ts';

// Nothing here is a matter of time, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const MODULE = new URL('../../functions/profile-updater.ts', import.meta.url);

/** All that the updater talks to. */
export interface Stage {
  readonly platform: Platform;
  readonly aws: Aws;
  /** A profile that exists. */
  readonly publicId: string;
  /** Starts a process of the updater. */
  start(options?: { timeoutMs?: number }): FunctionHost;
  /** What was told on the bus, in order of arrival: id, type and facts. */
  told(): { id: unknown; type: unknown; facts: unknown }[];
  /** How often a profile was to be changed. */
  patches(): number;
}

/** Starts everything that the updater talks to. */
export async function setStage(): Promise<Stage> {
  const platform = await createPlatform();
  const aws = await createAws({ table: 'relay', bus: 'acme', secrets: { key: platform.apiKey } });
  onTestFinished(async () => {
    await aws.close();
    await platform.close();
  });
  return {
    platform,
    aws,
    publicId: platform.organisation.suppliers[0]!.publicId,
    start({ timeoutMs = 60_000 } = {}) {
      const host = createFunction({
        module: MODULE,
        timeoutMs,
        env: {
          ...aws.env,
          RELAY_TENANT: 'acme',
          RELAY_BASE_URL: platform.url,
          RELAY_SECRET_ID: 'key',
          RELAY_TABLE: 'relay',
          RELAY_BUS: 'acme',
          RELAY_START: 'now',
        },
      });
      onTestFinished(() => host.close());
      return host;
    },
    told: () =>
      aws.bus.events.map(({ detail: { id, type, data } }) => ({
        id,
        type,
        facts: (data as { record: unknown }).record,
      })),
    patches: () => platform.requests.last.filter(({ method }) => method === 'PATCH').length,
  };
}

/** A bus event that asks for an update. */
export const commandEvent = (id: unknown, data: unknown, type: unknown = 'profile.update') => ({
  version: '0',
  id: 'new-at-every-delivery',
  source: 'supplier-platform.command',
  'detail-type': 'profile.update',
  detail: { specversion: '1.0', id, type, data },
});
