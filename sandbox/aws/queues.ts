import { type Delivery, DeliveryError, type FindDestination } from './destination.ts';
import { type Faults, noFaults } from './faults.ts';
import { createJsonServer, type JsonServer, ServiceError } from './json-server.ts';
import { createQueue, type Queue } from './queue.ts';
import { createQueueOperations } from './queue-operations.ts';

/** A stand-in for SQS with standard queues. */
export interface QueuesServer extends JsonServer {
  readonly faults: Faults;
  /**
   * Makes a queue, as CreateQueue does; attributes by the names of the API.
   * @throws {ServiceError}
   */
  create(name: string, attributes?: Readonly<Record<string, string>>): Queue;
  find(arn: string): Queue | undefined;
  /** Lets rules send to a queue; what `faults` refuses, or that it is down, they meet, too. */
  findDestination: FindDestination;
}

/** Starts an SQS that the client of the AWS SDK can talk to; queues live in memory. */
export async function createQueues(
  options: {
    /** @default Date.now */
    readonly clock?: () => number;
    /** @default '111122223333' */
    readonly accountId?: string;
    /** @default 'us-east-1' */
    readonly region?: string;
  } = {},
): Promise<QueuesServer> {
  const { clock = Date.now, accountId = '111122223333', region = 'us-east-1' } = options;
  const queues = new Map<string, Queue>();
  const faults = noFaults();
  const arnOf = (name: string) => `arn:aws:sqs:${region}:${accountId}:${name}`;
  const find = (arn: string) => [...queues.values()].find((queue) => queue.arn === arn);

  function create(name: string, attributes: Readonly<Record<string, string>> = {}): Queue {
    const known = queues.get(name);
    if (known && Object.entries(attributes).every(([key, value]) => known.attributes[key] === value)) return known;
    if (known) {
      const queryCode = 'QueueAlreadyExists';
      throw new ServiceError('QueueNameExists', 'A queue of this name has other attributes.', { queryCode });
    }
    checkRedrive(attributes);
    const queue = createQueue({ name, arn: arnOf(name), attributes, findQueue: find, clock });
    queues.set(name, queue);
    return queue;
  }

  function setAttributes(queue: Queue, changes: Readonly<Record<string, string>>): void {
    checkRedrive(changes);
    queue.setAttributes(changes);
  }

  function checkRedrive({ RedrivePolicy: policy }: Readonly<Record<string, string>>): void {
    const [arn] = policy?.match(/arn:aws:sqs:[^"]+/) ?? [];
    if (arn === undefined || find(arn)) return;
    const reason = 'Dead letter target does not exist.';
    const message = `Value ${policy} for parameter RedrivePolicy is invalid. Reason: ${reason}`;
    throw new ServiceError('InvalidParameterValueException', message, { queryCode: 'InvalidParameterValue' });
  }

  function get(urlOrName: string): Queue {
    const queue = queues.get(urlOrName.replace(/^.*\//, ''));
    if (queue) return queue;
    const queryCode = 'AWS.SimpleQueueService.NonExistentQueue';
    throw new ServiceError('QueueDoesNotExist', 'The specified queue does not exist.', { queryCode });
  }

  function accept(queue: Queue, { body, attributes = {} }: Delivery): void {
    if (faults.down) throw new DeliveryError('CONNECTION_FAILURE', 'Nothing answers.', { retryable: true });
    const fault = faults.refuse('SendMessage');
    if (fault) throw new DeliveryError('ERROR_FROM_TARGET', fault.code, { retryable: fault.status >= 500 });
    const texts = Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]);
    try {
      queue.send({ body, attributes: Object.fromEntries(texts) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw new DeliveryError('ERROR_FROM_TARGET', error.message);
    }
  }

  const server = await createJsonServer({
    operations: createQueueOperations({
      create,
      get,
      setAttributes,
      delete: ({ name }) => void queues.delete(name),
      names: () => [...queues.keys()],
      urlOf: (name) => `${server.url}/${accountId}/${name}`,
    }),
    faults,
    version: '1.0',
  });
  return {
    ...server,
    faults,
    create,
    find,
    findDestination: (arn) => {
      const queue = find(arn);
      return queue && { accept: async (delivery) => accept(queue, delivery) };
    },
  };
}
