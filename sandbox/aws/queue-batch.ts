import { ServiceError } from './json-server.ts';

const MOST_ENTRIES = 10;

/**
 * Does each entry of a batch by itself, so that a refused one does not hold up the others, and writes the answer.
 * @throws {ServiceError} where the batch as a whole is not what the API takes
 */
export function eachEntry<Entry extends { Id: string }>(
  entries: readonly Entry[],
  work: (entry: Entry) => object,
): object {
  checkIds(entries.map(({ Id }) => Id));
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.Id, ...work(entry) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      Failed.push({ Id: entry.Id, SenderFault: true, Code: error.queryCode ?? error.code, Message: error.message });
    }
  }
  return { ...(Successful.length > 0 && { Successful }), ...(Failed.length > 0 && { Failed }) };
}

/** Makes the refusal of a whole batch. */
export const refuseBatch = (code: string, message: string): ServiceError =>
  new ServiceError(code, message, { queryCode: `AWS.SimpleQueueService.${code}` });

function checkIds(ids: readonly string[]): void {
  if (ids.length === 0) throw refuseBatch('EmptyBatchRequest', 'There should be at least one entry in the request.');
  if (ids.length > MOST_ENTRIES) {
    const message = `Maximum number of entries per request are ${MOST_ENTRIES}. You have sent ${ids.length}.`;
    throw refuseBatch('TooManyEntriesInBatchRequest', message);
  }
  if (ids.some((id) => !/^[\w-]{1,80}$/.test(id))) {
    throw refuseBatch('InvalidBatchEntryId', 'An Id can have up to 80 letters, digits, hyphens and underscores.');
  }
  const twin = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twin !== undefined) throw refuseBatch('BatchEntryIdsNotDistinct', `Id ${twin} repeated.`);
}
