import { statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeMetrics } from '../../shared/metrics.ts';
import type { Pulse } from '../../shared/relay/pulse.ts';

/** How often the process shows that it lives, and how old that may be. */
const BEAT_MS = 10_000;
const STALE_MS = 45_000;
const METRICS_MS = 60_000;

const pathOf = (tenant: string): string => join(tmpdir(), `relay-adapter-${tenant}.alive`);

/** True where a process of this tenant has shown of late that none of its sources stands still. */
export function isAlive(tenant: string): boolean {
  try {
    return Date.now() - statSync(pathOf(tenant)).mtimeMs < STALE_MS;
  } catch {
    return false;
  }
}

/**
 * Shows that the sources move, in a file that a health check looks at, and writes their metrics each minute. A source
 * that waits in vain is not fine, but a new process would not help it; one that is stuck is not shown as alive.
 * @returns a function that ends it with a last line of metrics
 */
export function showVitalSigns(options: {
  tenant: string;
  pulses: readonly Pulse[];
  onFault: (error: unknown) => void;
}): () => void {
  const { tenant, pulses, onFault } = options;
  let fault: unknown;

  function beat(): void {
    if (pulses.some((pulse) => pulse.health() === 'stuck')) return;
    try {
      writeFileSync(pathOf(tenant), '');
    } catch (error) {
      if (fault === undefined) onFault(error);
      fault = error;
    }
  }

  function report(): void {
    const nowMs = Date.now();
    for (const pulse of pulses) {
      const { published, parked, polls, failures } = pulse.takeCounts();
      writeMetrics({
        nowMs,
        dimensions: { Tenant: tenant, Stream: pulse.stream },
        metrics: {
          Published: [published, 'Count'],
          Parked: [parked, 'Count'],
          Polls: [polls, 'Count'],
          Failures: [failures, 'Count'],
          SwitchedOff: [pulse.off ? 1 : 0, 'Count'],
        },
      });
    }
    const ill = pulses.filter((pulse) => !['fine', 'off'].includes(pulse.health()));
    if (ill.length === 0) writeMetrics({ nowMs, dimensions: adapter(tenant), metrics: { Alive: [1, 'Count'] } });
  }

  beat();
  const timers = [setInterval(beat, BEAT_MS), setInterval(report, METRICS_MS)];
  return () => {
    for (const timer of timers) clearInterval(timer);
    report();
  };
}

/** Counts that the platform refuses the API key. */
export function reportRefusal(tenant: string): void {
  writeMetrics({
    nowMs: Date.now(),
    dimensions: adapter(tenant),
    metrics: { AuthenticationRefused: [1, 'Count'] },
  });
}

const adapter = (tenant: string) => ({ Tenant: tenant, Stream: 'adapter' });
