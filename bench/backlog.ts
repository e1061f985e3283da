import { createAws } from '../sandbox/aws/aws.ts';
import { createFunction, type FunctionHost } from '../sandbox/aws/function-host.ts';
import { createPlatform } from '../sandbox/platform/platform.ts';

const DAY_MS = 86_400_000;
const TABLE = 'relay';
const BUS = 'bench';
const SECRET = 'api-key';
/** Re-checks are asked with an end and lie behind the head; counting them apart needs the head's own progress. */
const HANDLERS = {
  relay: new URL('../functions/poller.ts', import.meta.url),
  bare: new URL('./bare-loop.ts', import.meta.url),
};

/** What draining a backlog took; counts are whole, times and bytes belong to the function's own process. */
export interface Drained {
  readonly events: number;
  readonly published: number;
  /** Events that never arrived. */
  readonly lost: number;
  /** Events that arrived more than once. */
  readonly repeated: number;
  readonly invocations: number;
  /** GETs of the events endpoint by the head; re-checks counted apart. */
  readonly headReads: number;
  readonly recheckReads: number;
  readonly puts: number;
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Resident memory of the process at its highest, and its used heap after every invocation. */
  readonly peakRssBytes: number;
  readonly heapBytes: readonly number[];
}

/**
 * Lets the poller, or the bare loop in its place, drain the past of a sandbox platform onto a local bus.
 * @param options.invocationMs how long Lambda would let an invocation run
 */
export async function drainBacklog(options: {
  what: keyof typeof HANDLERS;
  events: number;
  days: number;
  seed: number;
  invocationMs: number;
  onProgress?: (published: number) => void;
}): Promise<Drained> {
  const { what, events, days, seed, invocationMs, onProgress = () => undefined } = options;
  const platform = await createPlatform({ seed, history: { events, days, bursts: true } });
  const startMs = Date.now() - (days + 1) * DAY_MS;
  const times = new Map<string, number>();
  const aws = await createAws({
    table: TABLE,
    bus: BUS,
    secrets: { [SECRET]: platform.apiKey },
    keep: 0,
    onEvent: ({ detail }) => {
      const id = String((detail as { id?: unknown; _id?: unknown }).id ?? (detail as { _id?: unknown })._id);
      times.set(id, (times.get(id) ?? 0) + 1);
    },
  });
  const host = createFunction({
    module: HANDLERS[what],
    timeoutMs: invocationMs,
    env: {
      ...aws.env,
      RELAY_TENANT: 'bench',
      RELAY_BASE_URL: platform.url,
      RELAY_SECRET_ID: SECRET,
      RELAY_TABLE: TABLE,
      RELAY_BUS: BUS,
      RELAY_START: new Date(startMs).toISOString(),
      RELAY_LOG_LEVEL: 'error',
    },
  });
  try {
    const begun = performance.now();
    const heapBytes = await invokeUntilDone(host, () => onProgress(aws.bus.entries.accepted));
    const wallMs = performance.now() - begun;
    const usage = await host.usage();
    const reads = platform.requests.last.filter(({ route }) => route === 'events');
    const arrivals = [...times.values()];
    const truth = [...platform.trail].map(({ id }) => id);
    return {
      events: truth.length,
      published: arrivals.reduce((sum, count) => sum + count, 0),
      lost: truth.filter((id) => !times.has(id)).length,
      repeated: arrivals.filter((count) => count > 1).length,
      invocations: heapBytes.length,
      ...splitReads(reads.map(({ query }) => Date.parse(query.after ?? ''))),
      puts: aws.bus.requests.PutEvents ?? 0,
      cpuMs: usage?.cpuMs ?? Number.NaN,
      wallMs,
      peakRssBytes: usage?.peakRssBytes ?? Number.NaN,
      heapBytes,
    };
  } finally {
    await host.close();
    await aws.close();
    await platform.close();
  }
}

async function invokeUntilDone(host: FunctionHost, onInvocation: () => void): Promise<number[]> {
  const heapBytes: number[] = [];
  for (;;) {
    const { backlogSeconds } = (await host.invoke({})) as { backlogSeconds: number };
    heapBytes.push((await host.usage())?.heapUsedBytes ?? Number.NaN);
    onInvocation();
    if (backlogSeconds < 10) return heapBytes;
  }
}

/** The head only goes forward; what asks for something earlier than it did before is a re-check. */
function splitReads(afterMs: readonly number[]): { headReads: number; recheckReads: number } {
  const overlapMs = 120_000;
  let furthest = Number.NEGATIVE_INFINITY;
  let headReads = 0;
  for (const after of afterMs) {
    if (after < furthest - overlapMs - 2_000) continue;
    headReads += 1;
    furthest = Math.max(furthest, after);
  }
  return { headReads, recheckReads: afterMs.length - headReads };
}
