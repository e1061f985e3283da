import {
  AuthenticationError,
  ConfigurationError,
  DeadlineError,
  ProtocolError,
  TransportError,
} from '../shared/errors.ts';
import type { EventFilter } from '../shared/platform/audit-events.ts';
import type { Client } from '../shared/platform/client.ts';
import type { Page } from '../shared/platform/pages.ts';
import type { RelayEvent } from '../shared/relay/event.ts';
import { createNormaliser } from '../shared/relay/normalise.ts';
import { toSeconds } from '../shared/relay/time.ts';
import type { Io } from './io.ts';
import { clean } from './text.ts';

/** An event as the platform shows it, and what can be said of it. */
export interface Sight {
  readonly record: unknown;
  readonly event: RelayEvent;
}

/** Looks at the audit trail; an event is shown once, whatever pages and bounds do. */
export interface Watch {
  /** Reads the window page by page. */
  list(): AsyncIterable<Page<Sight>>;
  /** Reads on for ever, and through outages; says on stderr when one begins and ends. */
  follow(everyMs: number): AsyncIterable<readonly Sight[]>;
}

/** How far every look goes back, for events that are shown late by seconds. */
const OVERLAP_SECONDS = 120;

/** Makes a watch of the events of a closed window; `limit` ends it after so many. */
export function createWatch(parts: {
  client: Client;
  io: Io;
  filter: Pick<EventFilter, 'eventType' | 'forUserId'>;
  window: { readonly fromSeconds: number; readonly toSeconds?: number };
  limit?: number;
}): Watch {
  const { client, io, filter, window, limit = Number.POSITIVE_INFINITY } = parts;
  const { fromSeconds, toSeconds: endSeconds = Number.POSITIVE_INFINITY } = window;
  // Who the tenant is does not show here.
  const normaliser = createNormaliser({ tenant: 'none', stream: 'audit' });
  /** Ids to the second of their event, those shown within reach of the next look. */
  const shown = new Map<string, number>();
  let count = 0;

  /** Reads from a second on; bounds are asked for a second wider, and servers that know no bounds are checked. */
  async function* read(sinceSeconds: number): AsyncGenerator<Page<Sight>> {
    const bounds = {
      afterSeconds: sinceSeconds - 1,
      ...(window.toSeconds !== undefined && { beforeSeconds: window.toSeconds + 1 }),
    };
    for await (const page of client.events({ ...filter, ...bounds }).pages()) {
      const sights: Sight[] = [];
      for (const record of page.rows) {
        const sighting = normaliser.identify(record);
        const { id, timeMs } = sighting;
        const second = timeMs === undefined ? undefined : toSeconds(timeMs);
        if (second !== undefined && (second < sinceSeconds || second > endSeconds)) continue;
        if (filter.eventType !== undefined && normaliser.typeOf(record) !== filter.eventType) continue;
        if (shown.has(id)) continue;
        if (count === limit) break;
        shown.set(id, second ?? toSeconds(io.clock()));
        count += 1;
        sights.push({ record, event: normaliser.toEvent(sighting, io.clock()) });
      }
      yield { ...page, rows: sights };
      if (count === limit) return;
    }
  }

  return {
    list: () => read(fromSeconds),

    async *follow(everyMs) {
      let since = fromSeconds;
      let isOut = false;
      let hasBegun = false;
      while (count < limit) {
        const startedSeconds = toSeconds(io.clock());
        let serverSeconds = Number.POSITIVE_INFINITY;
        try {
          for await (const { rows, serverTimeMs = Number.POSITIVE_INFINITY } of read(since)) {
            serverSeconds = Math.min(serverSeconds, toSeconds(serverTimeMs));
            yield rows.toSorted((one, other) => timeOf(one) - timeOf(other));
          }
          if (isOut) io.note('The platform answers again.');
          isOut = false;
          // One of the two clocks may be off.
          since = Math.max(
            hasBegun ? since : Math.min(since, serverSeconds),
            Math.min(startedSeconds, serverSeconds) - OVERLAP_SECONDS,
          );
          hasBegun = true;
          for (const [id, second] of shown) if (second < since) shown.delete(id);
        } catch (error) {
          if (!mayPass(error, hasBegun)) throw error;
          if (!isOut) io.note(clean(`${(error as Error).message}; trying again until the platform answers.`));
          isOut = true;
        }
        if (count < limit) await io.sleep(everyMs);
      }
    },
  };
}

const timeOf = ({ event }: Sight): number => Date.parse(event.time ?? event.observedat);

/** After a good start even a strange answer is taken for an outage, e.g. a page that says that it is maintained. */
function mayPass(error: unknown, hasBegun: boolean): boolean {
  if (error instanceof AuthenticationError || error instanceof ConfigurationError) return false;
  if (error instanceof DeadlineError) return true;
  if (error instanceof TransportError) return error.retryable || hasBegun;
  return error instanceof ProtocolError && hasBegun;
}
