import type { BusEvent } from './bus.ts';
import type { Deliveries } from './deliveries.ts';
import type { Destination } from './destination.ts';
import { createRules, type Rules } from './rules.ts';

/** An event as a bus takes it. */
export interface IncomingEvent {
  readonly event: BusEvent;
  /** Writes its JSON, in which `detail` stands as it was put. */
  readonly write: () => string;
  /** Whether a rule of another bus sent it. */
  readonly forwarded: boolean;
}

/** One event bus of an account. */
export interface EventBus {
  readonly name: string;
  readonly arn: string;
  readonly rules: Rules;
  /** Keeps an event and starts bringing it where the rules say; resolves when it is kept. */
  take(incoming: IncomingEvent): Promise<void>;
}

/** Makes a bus; `keep` is done before anything is delivered. */
export function createEventBus(parts: {
  name: string;
  /** E.g. `arn:aws:events:us-east-1:111122223333`. */
  arnPrefix: string;
  deliveries: Deliveries;
  keep: (incoming: IncomingEvent) => Promise<void> | void;
}): EventBus {
  const { name, arnPrefix, deliveries, keep } = parts;
  // Rules of the default bus do not name it.
  const folder = name === 'default' ? '' : `${name}/`;
  const rules = createRules({ arnOf: (rule) => `${arnPrefix}:rule/${folder}${rule}` });
  return {
    name,
    arn: `${arnPrefix}:event-bus/${name}`,
    rules,
    async take(incoming) {
      await keep(incoming);
      const { event, write, forwarded } = incoming;
      const matched = rules.match(event);
      if (matched.length === 0) return;
      const json = write();
      for (const rule of matched) {
        for (const target of rule.targets.values()) deliveries.start({ event, json, forwarded, rule, target });
      }
    },
  };
}

/** Lets rules of other buses send to a bus. */
export const toDestination = (bus: EventBus): Destination => ({
  accept: ({ event, json }) => bus.take({ event, write: () => json, forwarded: true }),
});
