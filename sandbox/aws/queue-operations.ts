import type { z } from 'zod';
import type { Caller, Operation } from './json-server.ts';
import type { Queue } from './queue.ts';
import { eachEntry, refuseBatch } from './queue-batch.ts';
import { type NewMessage, sizeOfMessage } from './queue-message.ts';
import { parseRequest, REQUESTS, select, toMessage, writeMessage } from './queue-requests.ts';

/** The queues of an account. */
export interface QueueRegistry {
  /** @throws {ServiceError} where one of this name has other attributes, or an attribute is wrong */
  create(name: string, attributes: Readonly<Record<string, string>>): Queue;
  /**
   * Finds a queue by its address or its name.
   * @throws {ServiceError} where there is none
   */
  get(urlOrName: string): Queue;
  /** @throws {ServiceError} */
  setAttributes(queue: Queue, changes: Readonly<Record<string, string>>): void;
  delete(queue: Queue): void;
  names(): readonly string[];
  urlOf(name: string): string;
}

const LARGEST_BATCH_BYTES = 1_048_576;

/** Makes the operations of SQS on the queues of an account. */
export function createQueueOperations(queues: QueueRegistry): Record<string, Operation> {
  return {
    CreateQueue: operation(REQUESTS.createQueue, ({ QueueName, Attributes }) => ({
      QueueUrl: queues.urlOf(queues.create(QueueName, Attributes).name),
    })),
    GetQueueUrl: operation(REQUESTS.getQueueUrl, ({ QueueName }) => ({
      QueueUrl: queues.urlOf(queues.get(QueueName).name),
    })),
    ListQueues: operation(REQUESTS.listQueues, ({ QueueNamePrefix }) => {
      const names = queues.names().filter((name) => name.startsWith(QueueNamePrefix));
      return names.length === 0 ? {} : { QueueUrls: names.map(queues.urlOf) };
    }),
    GetQueueAttributes: operation(REQUESTS.getAttributes, ({ QueueUrl, AttributeNames }) => ({
      Attributes: select(queues.get(QueueUrl).describe(), AttributeNames),
    })),
    SetQueueAttributes: operation(REQUESTS.setAttributes, ({ QueueUrl, Attributes }) => {
      queues.setAttributes(queues.get(QueueUrl), Attributes);
    }),
    SendMessage: operation(REQUESTS.send, (request) => send(queues.get(request.QueueUrl), toMessage(request))),
    SendMessageBatch: operation(REQUESTS.sendBatch, ({ QueueUrl, Entries }) => {
      const queue = queues.get(QueueUrl);
      const messages = Entries.map((entry) => ({ Id: entry.Id, ...toMessage(entry) }));
      const size = messages.reduce((sum, message) => sum + sizeOfMessage(message), 0);
      if (size > LARGEST_BATCH_BYTES) {
        const limit = `Batch requests cannot be longer than ${LARGEST_BATCH_BYTES} bytes`;
        throw refuseBatch('BatchRequestTooLong', `${limit}. You have sent ${size} bytes.`);
      }
      return eachEntry(messages, (message) => send(queue, message));
    }),
    ReceiveMessage: operation(REQUESTS.receive, async (request, { signal }) => {
      const messages = await queues.get(request.QueueUrl).receive({
        most: request.MaxNumberOfMessages,
        waitSeconds: request.WaitTimeSeconds,
        visibilitySeconds: request.VisibilityTimeout,
        signal,
      });
      return messages.length === 0 ? {} : { Messages: messages.map((message) => writeMessage(message, request)) };
    }),
    DeleteMessage: operation(REQUESTS.delete, ({ QueueUrl, ReceiptHandle }) => {
      queues.get(QueueUrl).delete(ReceiptHandle);
    }),
    DeleteMessageBatch: operation(REQUESTS.deleteBatch, ({ QueueUrl, Entries }) => {
      const queue = queues.get(QueueUrl);
      return eachEntry(Entries, ({ ReceiptHandle }) => {
        queue.delete(ReceiptHandle);
        return {};
      });
    }),
    ChangeMessageVisibility: operation(
      REQUESTS.changeVisibility,
      ({ QueueUrl, ReceiptHandle: receipt, VisibilityTimeout: seconds }) => {
        queues.get(QueueUrl).changeVisibility({ receipt, seconds });
      },
    ),
    PurgeQueue: operation(REQUESTS.queue, ({ QueueUrl }) => {
      queues.get(QueueUrl).purge();
    }),
    DeleteQueue: operation(REQUESTS.queue, ({ QueueUrl }) => {
      queues.delete(queues.get(QueueUrl));
    }),
  };
}

/** Joins reading a request and doing it; what tells nothing answers an empty object. */
function operation<T>(
  schema: z.ZodType<T>,
  work: (request: T, caller: Caller) => object | undefined | Promise<object>,
): Operation {
  return async (input, caller) => (await work(parseRequest(schema, input), caller)) ?? {};
}

function send(queue: Queue, message: NewMessage): object {
  const { id, bodyMd5 } = queue.send(message);
  return { MessageId: id, MD5OfMessageBody: bodyMd5 };
}
