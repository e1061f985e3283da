import { z } from 'zod';
import type { Deliveries } from './deliveries.ts';
import { createEventBus, type EventBus, type IncomingEvent } from './event-bus.ts';
import { type Operation, parseInput, ServiceError } from './json-server.ts';

/** The event buses of an account. */
export interface EventBuses {
  /** Adds a bus, or puts it in the place of one; `keep` is done before anything is delivered. */
  add(name: string, keep: (incoming: IncomingEvent) => Promise<void> | void): EventBus;
  find(nameOrArn: string): EventBus | undefined;
  /** @throws {ServiceError} `ResourceNotFoundException` */
  get(nameOrArn: string): EventBus;
  /** CreateEventBus and DescribeEventBus. */
  readonly operations: Readonly<Record<string, Operation>>;
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html */
const MOST_BUSES = 100;

const describeSchema = z.object({ Name: z.string().default('default') });
const createSchema = z.object({ Name: z.string().regex(/^[.\w-]{1,256}$/) });

/** Keeps the buses of an account; there is a default one from the start. */
export function createEventBuses(parts: {
  /** E.g. `arn:aws:events:us-east-1:111122223333`. */
  arnPrefix: string;
  deliveries: Deliveries;
}): EventBuses {
  const buses = new Map<string, EventBus>();
  add('default', () => undefined);

  function add(name: string, keep: (incoming: IncomingEvent) => Promise<void> | void): EventBus {
    const bus = createEventBus({ ...parts, name, keep });
    buses.set(name, bus);
    return bus;
  }

  const find = (nameOrArn: string) => buses.get(nameOrArn) ?? [...buses.values()].find(({ arn }) => arn === nameOrArn);

  function get(nameOrArn: string): EventBus {
    const bus = find(nameOrArn);
    if (!bus) throw new ServiceError('ResourceNotFoundException', `Event bus ${nameOrArn} does not exist.`);
    return bus;
  }

  return {
    add,
    find,
    get,
    operations: {
      CreateEventBus(input) {
        const { Name } = parseInput(createSchema, input);
        if (buses.has(Name))
          throw new ServiceError('ResourceAlreadyExistsException', `Event bus ${Name} already exists.`);
        if (buses.size >= MOST_BUSES) {
          throw new ServiceError(
            'LimitExceededException',
            'The requested resource exceeds the maximum number allowed.',
          );
        }
        return { EventBusArn: add(Name, () => undefined).arn };
      },
      DescribeEventBus(input) {
        const { name, arn } = get(parseInput(describeSchema, input).Name);
        return { Name: name, Arn: arn };
      },
    },
  };
}
