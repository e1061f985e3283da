import { z } from 'zod';
import { ServiceError } from './json-server.ts';

/** How a queue behaves. */
export interface QueueSettings {
  /** How long a message stays hidden once it was received. */
  readonly visibilitySeconds: number;
  readonly retentionSeconds: number;
  /** Of a message with its attributes. */
  readonly largestBytes: number;
  readonly delaySeconds: number;
  /** How long a receive waits for a first message. */
  readonly waitSeconds: number;
  /** Where messages go that were received this often and are to be received once more. */
  readonly redrive?: { readonly deadLetterArn: string; readonly maxReceiveCount: number };
}

/**
 * Attributes that are a number: least, most, and what it is unless told.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
 */
const NUMBERS = {
  VisibilityTimeout: [0, 43_200, 30],
  MessageRetentionPeriod: [60, 1_209_600, 345_600],
  MaximumMessageSize: [1024, 1_048_576, 1_048_576],
  DelaySeconds: [0, 900, 0],
  ReceiveMessageWaitTimeSeconds: [0, 20, 0],
} as const satisfies Record<string, readonly [least: number, most: number, usual: number]>;

/** Attributes that are kept and told again, and change nothing here. */
const KEPT: ReadonlySet<string> = new Set([
  'Policy',
  'RedriveAllowPolicy',
  'KmsMasterKeyId',
  'KmsDataKeyReusePeriodSeconds',
  'SqsManagedSseEnabled',
]);

const redriveSchema = z.object({
  deadLetterTargetArn: z.string(),
  maxReceiveCount: z.coerce.number().int().min(1).max(1000),
});

/** The attributes of a new queue. */
export const USUAL_ATTRIBUTES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(NUMBERS).map(([name, [, , usual]]) => [name, String(usual)])),
  SqsManagedSseEnabled: 'true',
};

/**
 * Reads the attributes of a queue; the names are those of the API, the values texts.
 * @throws {ServiceError} naming the attribute that is unknown or wrong
 */
export function readSettings(attributes: Readonly<Record<string, string>>): QueueSettings {
  const { RedrivePolicy, ...others } = attributes;
  for (const name of Object.keys(others)) {
    if (!(name in NUMBERS) && !KEPT.has(name)) {
      throw new ServiceError('InvalidAttributeName', `Unknown Attribute ${name}.`, {
        queryCode: 'InvalidAttributeName',
      });
    }
  }
  const number = (name: keyof typeof NUMBERS): number => {
    const [least, most, usual] = NUMBERS[name];
    const text = others[name] ?? String(usual);
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) throw invalidAttribute(name);
    return value;
  };
  return {
    visibilitySeconds: number('VisibilityTimeout'),
    retentionSeconds: number('MessageRetentionPeriod'),
    largestBytes: number('MaximumMessageSize'),
    delaySeconds: number('DelaySeconds'),
    waitSeconds: number('ReceiveMessageWaitTimeSeconds'),
    // An empty text takes the policy away.
    ...(RedrivePolicy && { redrive: readRedrive(RedrivePolicy) }),
  };
}

function readRedrive(text: string): NonNullable<QueueSettings['redrive']> {
  try {
    const { deadLetterTargetArn, maxReceiveCount } = redriveSchema.parse(JSON.parse(text));
    return { deadLetterArn: deadLetterTargetArn, maxReceiveCount };
  } catch {
    throw invalidAttribute('RedrivePolicy');
  }
}

function invalidAttribute(name: string): ServiceError {
  return new ServiceError('InvalidAttributeValue', `Invalid value for the parameter ${name}.`, {
    queryCode: 'InvalidAttributeValue',
  });
}
