import { z } from 'zod';
import type { FunctionHost } from './function-host.ts';
import type { Queue } from './queue.ts';
import type { ReceivedMessage } from './queue-message.ts';

/** A function that is called with what comes to a queue. */
export interface QueueMapping {
  /** Receives no more and waits for the call under way. */
  close(): Promise<void>;
}

const LONGEST_WAIT_SECONDS = 20;
/** A call carries 6 MB at most, and one more message may have 1 MiB. */
const ENOUGH_BYTES = 4_500_000;

const answerSchema = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish() })
  .nullish();

/**
 * Calls a function with batches of a queue's messages, as Lambda's event source mapping does, one batch at a time.
 * What succeeded is deleted; what failed comes again once it is visible again, or goes where the queue's redrive says.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export function connectQueue(options: {
  readonly queue: Queue;
  readonly function: Pick<FunctionHost, 'invoke'>;
  /** @default 10 */
  readonly batchSize?: number;
  /** How long a batch that is not full yet waits for more. @default 0 */
  readonly windowSeconds?: number;
  /** Whether the function says which messages failed; else all or none did. @default false */
  readonly reportBatchItemFailures?: boolean;
  /** Is told of every batch: how many messages it had, how many of them failed, and the error of a call that failed. */
  readonly onBatch?: (batch: { readonly size: number; readonly failed: number; readonly error?: unknown }) => void;
}): QueueMapping {
  const { queue, batchSize = 10, windowSeconds = 0, reportBatchItemFailures = false } = options;
  const { onBatch = () => undefined } = options;
  const closing = new AbortController();
  const ended = run();

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const batch = await gather();
      if (batch.length > 0) await work(batch);
    }
  }

  async function gather(): Promise<ReceivedMessage[]> {
    const batch: ReceivedMessage[] = [];
    let bytes = 0;
    let endMs = Number.POSITIVE_INFINITY;
    while (batch.length < batchSize && bytes < ENOUGH_BYTES) {
      const leftSeconds = (endMs - performance.now()) / 1000;
      const waitSeconds = Math.max(0, Math.min(leftSeconds, LONGEST_WAIT_SECONDS));
      const [message] = await queue.receive({ most: 1, waitSeconds, signal: closing.signal });
      if (!message) break;
      if (batch.length === 0) endMs = performance.now() + windowSeconds * 1000;
      batch.push(message);
      bytes += Buffer.byteLength(message.body);
    }
    return batch;
  }

  async function work(batch: readonly ReceivedMessage[]): Promise<void> {
    const size = batch.length;
    try {
      const answer = await options.function.invoke({ Records: batch.map((message) => toRecord(message, queue)) });
      const failed = reportBatchItemFailures ? readFailures(answer, batch) : new Set();
      for (const { id, receipt } of batch) if (!failed.has(id)) queue.delete(receipt);
      onBatch({ size, failed: failed.size });
    } catch (error) {
      onBatch({ size, failed: size, error });
    }
  }

  return {
    async close() {
      closing.abort();
      await ended;
    },
  };
}

/** Gives the ids that failed: none where nothing is said, all where what is said cannot be understood. */
function readFailures(answer: unknown, batch: readonly ReceivedMessage[]): Set<string> {
  const all = new Set(batch.map(({ id }) => id));
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) return all;
  const failed = (parsed.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((id) => all.has(id)) ? new Set(failed) : all;
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
function toRecord(message: ReceivedMessage, { arn }: Queue): object {
  const attributes = Object.entries(message.attributes).map(([name, { DataType, StringValue, BinaryValue }]) => {
    const value = {
      ...(StringValue !== undefined && { stringValue: StringValue }),
      ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
    };
    return [name, { dataType: DataType, ...value, stringListValues: [], binaryListValues: [] }];
  });
  return {
    messageId: message.id,
    receiptHandle: message.receipt,
    body: message.body,
    attributes: message.systemAttributes,
    messageAttributes: Object.fromEntries(attributes),
    md5OfBody: message.bodyMd5,
    eventSource: 'aws:sqs',
    eventSourceARN: arn,
    awsRegion: arn.split(':')[3],
  };
}
