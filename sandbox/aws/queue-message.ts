import { ServiceError } from './json-server.ts';

/** An attribute that a sender gave a message. */
export interface MessageAttribute {
  readonly DataType: string;
  readonly StringValue?: string | undefined;
  /** In base64. */
  readonly BinaryValue?: string | undefined;
}

/** A message to be sent. */
export interface NewMessage {
  readonly body: string;
  readonly attributes?: Readonly<Record<string, MessageAttribute>>;
  /** @default the queue's */
  readonly delaySeconds?: number | undefined;
}

/** A message as a receiver gets it. */
export interface ReceivedMessage {
  readonly id: string;
  /** What it is deleted by; each receive gives a new one, and only the latest counts. */
  readonly receipt: string;
  readonly body: string;
  readonly bodyMd5: string;
  readonly attributes: Readonly<Record<string, MessageAttribute>>;
  /** Times in ms and counts as texts, by the names of the API. */
  readonly systemAttributes: Readonly<Record<string, string>>;
}

/** A message as a queue keeps it. */
export interface StoredMessage {
  readonly id: string;
  readonly body: string;
  readonly bodyMd5: string;
  readonly attributes: Readonly<Record<string, MessageAttribute>>;
  readonly sentMs: number;
  /** The queue that gave it up. */
  readonly sourceArn?: string;
  visibleMs: number;
  receiveCount: number;
  firstReceivedMs: number;
  receipt?: string;
}

/** @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

/** Gives the size that counts against a queue's limit. */
export function sizeOfMessage({ body, attributes = {} }: NewMessage): number {
  return Object.entries(attributes).reduce(
    (sum, [name, { DataType, StringValue = '', BinaryValue = '' }]) =>
      sum + Buffer.byteLength(name + DataType + StringValue) + Buffer.byteLength(BinaryValue, 'base64'),
    Buffer.byteLength(body),
  );
}

/**
 * Checks a message against what a queue takes.
 * @throws {ServiceError} where it is empty, too large, or has characters that XML cannot carry
 */
export function checkMessage({ largestBytes, ...message }: NewMessage & { largestBytes: number }): void {
  if (message.body === '') {
    const queryCode = 'MissingParameter';
    throw new ServiceError(queryCode, 'The request must contain the parameter MessageBody.', { queryCode });
  }
  if (sizeOfMessage(message) > largestBytes) {
    const reason = `Message must be shorter than ${largestBytes} bytes.`;
    throw new ServiceError('InvalidParameterValueException', `One or more parameters are invalid. Reason: ${reason}`, {
      queryCode: 'InvalidParameterValue',
    });
  }
  if (NOT_IN_XML.test(message.body)) {
    const queryCode = 'InvalidMessageContents';
    throw new ServiceError(queryCode, 'Message contains characters outside the allowed set.', { queryCode });
  }
}
