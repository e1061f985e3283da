import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from './json-server.ts';
import { type QueueSettings, readSettings, USUAL_ATTRIBUTES } from './queue-attributes.ts';
import { checkMessage, type NewMessage, type ReceivedMessage, type StoredMessage } from './queue-message.ts';

/** A standard queue: at least once, in about the order of sending. */
export interface Queue {
  readonly name: string;
  readonly arn: string;
  /** As they were set, by the names of the API. */
  readonly attributes: Readonly<Record<string, string>>;
  /** @throws {ServiceError} */
  setAttributes(changes: Readonly<Record<string, string>>): void;
  /**
   * Takes a message in.
   * @throws {ServiceError} where it is empty, too large, or has characters that XML cannot carry
   */
  send(message: NewMessage): { readonly id: string; readonly bodyMd5: string };
  /** Takes a message over from a queue that gave it up. */
  takeOver(message: StoredMessage, sourceArn: string): void;
  /** Gives up to `most` messages as soon as there is one, none after the wait; those are hidden from then on. */
  receive(options: {
    readonly most: number;
    /** @default the queue's */
    readonly waitSeconds?: number | undefined;
    /** @default the queue's */
    readonly visibilitySeconds?: number | undefined;
    /** Ends the wait. */
    readonly signal: AbortSignal;
  }): Promise<ReceivedMessage[]>;
  /** Deletes a message; with an old receipt nothing happens. */
  delete(receipt: string): void;
  /**
   * Hides a received message until so long from now.
   * @throws {ServiceError} where it is not in flight
   */
  changeVisibility(change: { readonly receipt: string; readonly seconds: number }): void;
  purge(): void;
  /** Tells all attributes, by the names of the API: those that were set, and how many messages there are. */
  describe(): Record<string, string>;
}

/** A wait looks again this often, because a hidden message becomes visible without anybody saying so. */
const LOOK_EVERY_MS = 50;
/**
 * Makes a queue in memory.
 * @throws {ServiceError} where an attribute is unknown or wrong
 */
export function createQueue(options: {
  readonly name: string;
  readonly arn: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Finds the queue for messages that are given up. */
  readonly findQueue: (arn: string) => Queue | undefined;
  readonly clock: () => number;
}): Queue {
  const { name, arn, findQueue, clock } = options;
  const messages = new Map<string, StoredMessage>();
  let attributes: Readonly<Record<string, string>> = {};
  let settings: QueueSettings;
  const createdMs = clock();
  let changedMs = createdMs;
  setAttributes({ ...USUAL_ATTRIBUTES, ...options.attributes });

  function setAttributes(changes: Readonly<Record<string, string>>): void {
    const wanted = { ...attributes, ...changes };
    settings = readSettings(wanted);
    attributes = wanted;
    changedMs = clock();
  }

  function take({ most, visibilitySeconds }: { most: number; visibilitySeconds: number }): ReceivedMessage[] {
    const nowMs = clock();
    const taken: ReceivedMessage[] = [];
    for (const message of messages.values()) {
      if (taken.length >= most) break;
      if (message.sentMs + settings.retentionSeconds * 1000 <= nowMs) messages.delete(message.id);
      else if (message.visibleMs <= nowMs && !giveUp(message)) {
        message.visibleMs = nowMs + visibilitySeconds * 1000;
        taken.push(hand(message, nowMs));
      }
    }
    return taken;
  }

  function giveUp(message: StoredMessage): boolean {
    const { deadLetterArn = '', maxReceiveCount = Number.POSITIVE_INFINITY } = settings.redrive ?? {};
    if (message.receiveCount < maxReceiveCount) return false;
    const deadLetters = findQueue(deadLetterArn);
    if (!deadLetters) return false;
    messages.delete(message.id);
    deadLetters.takeOver(message, arn);
    return true;
  }

  function hand(message: StoredMessage, nowMs: number): ReceivedMessage {
    message.receipt = `${message.id}#${randomUUID()}`;
    message.receiveCount += 1;
    if (message.receiveCount === 1) message.firstReceivedMs = nowMs;
    const { id, receipt, body, bodyMd5, attributes, sourceArn } = message;
    const systemAttributes = {
      // Whoever sent it: the stand-ins know nobody.
      SenderId: 'LOCAL',
      SentTimestamp: String(message.sentMs),
      ApproximateReceiveCount: String(message.receiveCount),
      ApproximateFirstReceiveTimestamp: String(message.firstReceivedMs),
      ...(sourceArn !== undefined && { DeadLetterQueueSourceArn: sourceArn }),
    };
    return { id, receipt, body, bodyMd5, attributes, systemAttributes };
  }

  const find = (receipt: string): StoredMessage | undefined => {
    const message = messages.get(receipt.replace(/#.*$/, ''));
    return message?.receipt === receipt ? message : undefined;
  };

  return {
    name,
    arn,
    get attributes() {
      return attributes;
    },
    setAttributes,
    send({ body, attributes: own = {}, delaySeconds = settings.delaySeconds }) {
      checkMessage({ body, attributes: own, largestBytes: settings.largestBytes });
      const sentMs = clock();
      const message = { id: randomUUID(), body, bodyMd5: createHash('md5').update(body).digest('hex'), sentMs };
      const visibleMs = sentMs + delaySeconds * 1000;
      messages.set(message.id, { ...message, attributes: own, visibleMs, receiveCount: 0, firstReceivedMs: 0 });
      return message;
    },
    takeOver({ receipt: _, ...message }, sourceArn) {
      const fresh = { sourceArn, visibleMs: clock(), receiveCount: 0, firstReceivedMs: 0 };
      messages.set(message.id, { ...message, ...fresh });
    },
    async receive({ most, waitSeconds = settings.waitSeconds, visibilitySeconds, signal }) {
      const endMs = performance.now() + waitSeconds * 1000;
      for (;;) {
        const taken = signal.aborted
          ? []
          : take({ most, visibilitySeconds: visibilitySeconds ?? settings.visibilitySeconds });
        const leftMs = endMs - performance.now();
        if (taken.length > 0 || leftMs <= 0 || signal.aborted) return taken;
        await sleep(Math.min(leftMs, LOOK_EVERY_MS), undefined, { signal }).catch(() => undefined);
      }
    },
    delete(receipt) {
      const message = find(receipt);
      if (message) messages.delete(message.id);
    },
    changeVisibility({ receipt, seconds }) {
      const message = find(receipt);
      if (!message || message.visibleMs <= clock()) {
        const queryCode = 'AWS.SimpleQueueService.MessageNotInflight';
        throw new ServiceError('MessageNotInflight', 'The message is not in flight.', { queryCode });
      }
      message.visibleMs = clock() + seconds * 1000;
    },
    purge: () => messages.clear(),
    describe() {
      const nowMs = clock();
      const all = [...messages.values()];
      const hidden = all.filter(({ visibleMs }) => visibleMs > nowMs);
      const delayed = hidden.filter(({ receiveCount }) => receiveCount === 0).length;
      return {
        ...attributes,
        QueueArn: arn,
        CreatedTimestamp: toSeconds(createdMs),
        LastModifiedTimestamp: toSeconds(changedMs),
        ApproximateNumberOfMessages: String(all.length - hidden.length),
        ApproximateNumberOfMessagesNotVisible: String(hidden.length - delayed),
        ApproximateNumberOfMessagesDelayed: String(delayed),
      };
    },
  };
}

const toSeconds = (ms: number): string => String(Math.floor(ms / 1000));
