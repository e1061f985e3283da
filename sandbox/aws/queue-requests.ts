import { z } from 'zod';
import { ServiceError } from './json-server.ts';
import type { MessageAttribute, NewMessage, ReceivedMessage } from './queue-message.ts';

const attributeSchema = z.object({
  DataType: z.string().min(1),
  StringValue: z.string().optional(),
  BinaryValue: z.string().optional(),
});

const texts = z.record(z.string(), z.string()).default({});
const seconds = (most: number) => z.number().int().min(0).max(most);

const messageShape = {
  MessageBody: z.string().default(''),
  DelaySeconds: seconds(900).optional(),
  MessageAttributes: z.record(z.string(), attributeSchema).default({}),
};
const queueShape = { QueueUrl: z.string() };
const LONGEST_VISIBILITY_SECONDS = 43_200;

/** What the operations are asked with. @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/ */
export const REQUESTS = {
  queue: z.object(queueShape),
  createQueue: z.object({ QueueName: z.string().regex(/^[\w-]{1,80}$/), Attributes: texts }),
  getQueueUrl: z.object({ QueueName: z.string() }),
  getAttributes: z.object({ ...queueShape, AttributeNames: z.array(z.string()).default([]) }),
  setAttributes: z.object({ ...queueShape, Attributes: texts }),
  listQueues: z.object({ QueueNamePrefix: z.string().default('') }),
  send: z.object({ ...queueShape, ...messageShape }),
  sendBatch: z.object({ ...queueShape, Entries: z.array(z.object({ Id: z.string(), ...messageShape })).default([]) }),
  receive: z.object({
    ...queueShape,
    MaxNumberOfMessages: z.number().int().min(1).max(10).default(1),
    VisibilityTimeout: seconds(LONGEST_VISIBILITY_SECONDS).optional(),
    WaitTimeSeconds: seconds(20).optional(),
    AttributeNames: z.array(z.string()).default([]),
    MessageSystemAttributeNames: z.array(z.string()).default([]),
    MessageAttributeNames: z.array(z.string()).default([]),
  }),
  delete: z.object({ ...queueShape, ReceiptHandle: z.string() }),
  deleteBatch: z.object({
    ...queueShape,
    Entries: z.array(z.object({ Id: z.string(), ReceiptHandle: z.string() })).default([]),
  }),
  changeVisibility: z.object({
    ...queueShape,
    ReceiptHandle: z.string(),
    VisibilityTimeout: seconds(LONGEST_VISIBILITY_SECONDS),
  }),
} as const;

/**
 * Reads a request.
 * @throws {ServiceError} `InvalidParameterValueException`, naming the parameter that is wrong
 */
export function parseRequest<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new ServiceError('InvalidParameterValueException', z.prettifyError(parsed.error), {
    queryCode: 'InvalidParameterValue',
  });
}

/** Makes a message of what a request says of it. */
export const toMessage = (entry: z.infer<z.ZodObject<typeof messageShape>>): NewMessage => ({
  body: entry.MessageBody,
  attributes: entry.MessageAttributes,
  delaySeconds: entry.DelaySeconds,
});

/** Writes a message as the API answers it, with the attributes that were asked for. */
export function writeMessage(message: ReceivedMessage, asked: z.infer<typeof REQUESTS.receive>): object {
  const system = select(message.systemAttributes, [...asked.AttributeNames, ...asked.MessageSystemAttributeNames]);
  const own = select<MessageAttribute>(message.attributes, asked.MessageAttributeNames);
  return {
    MessageId: message.id,
    ReceiptHandle: message.receipt,
    Body: message.body,
    MD5OfBody: message.bodyMd5,
    ...(Object.keys(system).length > 0 && { Attributes: system }),
    ...(Object.keys(own).length > 0 && { MessageAttributes: own }),
  };
}

/** Gives what is asked for by name, by a start as `relay.*`, or as `All`. */
export function select<T>(values: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  const isAsked = (name: string) =>
    names.some(
      (wanted) =>
        wanted === 'All' || wanted === name || (wanted.endsWith('.*') && name.startsWith(wanted.slice(0, -2))),
    );
  return Object.fromEntries(Object.entries(values).filter(([name]) => isAsked(name)));
}
