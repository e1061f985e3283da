import { z } from 'zod';
import { parseInput, ServiceError } from './json-server.ts';

const requestSchema = z.object({
  Entries: z.array(
    z.object({
      /** Seconds since the Unix epoch, within what a date can hold. */
      Time: z.number().min(-8.64e12).max(8.64e12).optional(),
      Source: z.string().optional(),
      DetailType: z.string().optional(),
      Detail: z.string().optional(),
      Resources: z.array(z.string()).default([]),
      EventBusName: z.string().default('default'),
    }),
  ),
});

/** One entry of a PutEvents request. */
export type PutEventsEntry = z.infer<typeof requestSchema>['Entries'][number];

/** Why one entry of a request is refused while others are taken. */
export interface EntryFault {
  readonly ErrorCode: string;
  readonly ErrorMessage: string;
}

/** An entry that EventBridge takes, with its Detail parsed. */
export interface ValidEntry extends PutEventsEntry {
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

const MOST_ENTRIES = 10;
/** The documents say both 1 MB and 1 MiB; the smaller one is safe, and a request must stay under it. */
const REQUEST_LIMIT_BYTES = 1_000_000;
const TIME_BYTES = 14;

/**
 * Reads a PutEvents request.
 * @throws {ServiceError} for what AWS refuses as a whole: no entry or more than 10, 1,000,000 bytes or more, wrong types
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
export function parseEntries(input: unknown): PutEventsEntry[] {
  const { Entries: entries } = parseInput(requestSchema, input);
  if (entries.length < 1) throw wrongLength('greater than or equal to 1');
  if (entries.length > MOST_ENTRIES) throw wrongLength(`less than or equal to ${MOST_ENTRIES}`);
  if (entries.reduce((sum, entry) => sum + sizeOf(entry), 0) >= REQUEST_LIMIT_BYTES) {
    throw new ServiceError('ValidationException', 'Total size of the entries in the request is over the limit.');
  }
  return entries;
}

/**
 * Checks one entry as AWS does.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsResultEntry.html
 */
export function checkEntry(entry: PutEventsEntry): ValidEntry | EntryFault {
  const { Source, DetailType, Detail } = entry;
  if (!Source) return missing('Source');
  if (!DetailType) return missing('DetailType');
  if (!Detail) return missing('Detail');
  if (Source.startsWith('aws.')) {
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' };
  }
  const detail = parseObject(Detail);
  if (!detail) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  return { ...entry, Source, DetailType, Detail, detail };
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html */
function sizeOf({ Time, Source = '', DetailType = '', Detail = '', Resources }: PutEventsEntry): number {
  return [Source, DetailType, Detail, ...Resources].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    Time === undefined ? 0 : TIME_BYTES,
  );
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function missing(name: string): EntryFault {
  const reason = `Parameter ${name} is not valid. Reason: ${name} is a required argument.`;
  return { ErrorCode: 'InvalidArgument', ErrorMessage: reason };
}

function wrongLength(constraint: string): ServiceError {
  return new ServiceError(
    'ValidationException',
    `1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must have length ${constraint}`,
  );
}
