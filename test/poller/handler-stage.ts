import { onTestFinished, vi } from 'vitest';
import { type Aws, createAws } from '../../sandbox/aws/aws.ts';
import { createFunction } from '../../sandbox/aws/function-host.ts';
import { createPlatform, type Platform, type PlatformOptions } from '../../sandbox/platform/platform.ts';

// Nothing here is a matter of time, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** The module of the handler. */
export const MODULE = new URL('../../functions/poller.ts', import.meta.url);
/** All that the handler talks to. */
export interface Stage {
  readonly platform: Platform;
  readonly aws: Aws;
  /** Every line that the processes wrote. */
  readonly log: string[];
  /** Starts a process of the handler with these variables changed, and gives what invokes it. */
  start(changes?: Readonly<Record<string, string>>): (event?: unknown) => Promise<unknown>;
  /** Ids of the events on the bus, in order of arrival. */
  ids(): unknown[];
}

/** Starts everything that the handler talks to; the handler itself runs in processes of its own. */
export async function setStage(options: PlatformOptions = {}): Promise<Stage> {
  const platform = await createPlatform(options);
  const aws = await createAws({ table: 'relay', bus: 'acme', secrets: { key: platform.apiKey } });
  onTestFinished(async () => {
    await aws.close();
    await platform.close();
  });
  const env = {
    ...aws.env,
    RELAY_TENANT: 'acme',
    RELAY_BASE_URL: platform.url,
    RELAY_SECRET_ID: 'key',
    RELAY_TABLE: 'relay',
    RELAY_BUS: 'acme',
    RELAY_START: 'now',
  };
  const log: string[] = [];
  return {
    platform,
    aws,
    log,
    start(changes = {}) {
      const host = createFunction({
        module: MODULE,
        env: { ...env, ...changes },
        timeoutMs: 60_000,
        onLog: (line) => log.push(line),
      });
      onTestFinished(() => host.close());
      return (event = {}) => host.invoke(event);
    },
    ids: () => aws.bus.events.map(({ detail }) => detail.id),
  };
}
