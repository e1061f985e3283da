import {
  DescribeEventBusCommand,
  type EventBridgeClient,
  EventBridgeServiceException,
  PutEventsCommand,
} from '@aws-sdk/client-eventbridge';
import { PublishError } from '../errors.ts';
import { type Bus, BusFault } from '../relay/ports.ts';

/** A bus on EventBridge. */
export interface EventBridgeBus extends Bus {
  /**
   * Looks the bus up: PutEvents to one that does not exist is accepted and dropped.
   * @throws {PublishError} where it cannot be found
   */
  verify(): Promise<void>;
}

/** Makes a bus of a client; the client should not retry by itself, the publisher does. */
export function createEventBridgeBus({ client, name }: { client: EventBridgeClient; name: string }): EventBridgeBus {
  return {
    async put(entries) {
      const command = new PutEventsCommand({
        Entries: entries.map(({ source, detailType, timeMs, resources, detail }) => ({
          EventBusName: name,
          Source: source,
          DetailType: detailType,
          Time: new Date(timeMs),
          Resources: [...resources],
          Detail: detail,
        })),
      });
      try {
        const { Entries: results = [] } = await client.send(command);
        return results.map(({ ErrorCode: code, ErrorMessage: message = '' }) => (code ? { code, message } : undefined));
      } catch (error) {
        throw new BusFault(kindOf(error), inWords(error), { cause: error });
      }
    },

    async verify() {
      try {
        await client.send(new DescribeEventBusCommand({ Name: name }));
      } catch (error) {
        throw new PublishError(`The bus ${name} (RELAY_BUS) cannot be found: ${inWords(error)}`, { cause: error });
      }
    },
  };
}

const AUTHORISATION =
  /^(AccessDenied|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|IncompleteSignature|MissingAuthenticationToken|ExpiredToken|NotAuthorized|ResourceNotFound|OptInRequired)/;
const THROTTLING = /Throttl|TooManyRequests|LimitExceeded|RequestTimeout/;

/** An answer of 4xx lies with what was sent, unless it is about who sent it or how often. */
function kindOf(error: unknown): BusFault['kind'] {
  if (!(error instanceof EventBridgeServiceException)) {
    return error instanceof Error && /Credentials|Config/.test(error.name) ? 'stop' : 'retry';
  }
  const status = error.$metadata.httpStatusCode ?? 500;
  if (THROTTLING.test(error.name) || status === 408 || status === 429 || status >= 500) return 'retry';
  if (AUTHORISATION.test(error.name) || status === 401 || status === 403) return 'stop';
  return 'refused';
}

const inWords = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
