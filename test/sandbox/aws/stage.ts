import {
  EventBridgeClient,
  PutEventsCommand,
  PutRuleCommand,
  PutTargetsCommand,
  type Target,
} from '@aws-sdk/client-eventbridge';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type Aws, createAws } from '../../../sandbox/aws/aws.ts';
import { FAKE_CREDENTIALS } from '../../../sandbox/aws/credentials.ts';

/** Starts AWS with a bus `relay`, and clients that talk to it through the SDK. */
export async function startAws(options: Partial<Parameters<typeof createAws>[0]> = {}) {
  const aws = await createAws({ table: 'relay', bus: 'relay', secrets: {}, ...options });
  const shared = { region: 'us-east-1', credentials: FAKE_CREDENTIALS, maxAttempts: 1 };
  const events = new EventBridgeClient({ ...shared, endpoint: aws.bus.url });
  const sqs = new SQSClient({ ...shared, endpoint: aws.queues.url });

  /** Makes a queue and gives its ARN. */
  const makeQueue = (name: string, attributes: Record<string, string> = {}) => aws.queues.create(name, attributes).arn;

  const putRule = (
    Name: string,
    pattern: object,
    more: { EventBusName?: string; State?: 'ENABLED' | 'DISABLED' } = {},
  ) => events.send(new PutRuleCommand({ Name, EventPattern: JSON.stringify(pattern), EventBusName: 'relay', ...more }));

  const putTargets = (Rule: string, targets: Target[], EventBusName = 'relay') =>
    events.send(new PutTargetsCommand({ Rule, EventBusName, Targets: targets }));

  /** Puts events of these types, with a detail of `{ "n": 12345678901234567890 }`. */
  const put = (types: string[], EventBusName = 'relay') =>
    events.send(
      new PutEventsCommand({
        Entries: types.map((DetailType) => ({
          EventBusName,
          Source: 'supplier-platform.audit',
          DetailType,
          Detail: '{"n":12345678901234567890}',
          Time: new Date('2026-11-21T07:45:19.987Z'),
          Resources: ['tenant/acme'],
        })),
      }),
    );

  /** Waits for messages and deletes none. */
  const receive = async (queue: string, count = 1) => {
    const messages = [];
    while (messages.length < count) {
      const command = new ReceiveMessageCommand({
        QueueUrl: `${aws.queues.url}/${queue}`,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 20,
        MessageAttributeNames: ['All'],
      });
      messages.push(...((await sqs.send(command)).Messages ?? []));
    }
    return messages;
  };

  const close = async () => {
    events.destroy();
    sqs.destroy();
    await aws.close();
  };
  return { aws, events, makeQueue, putRule, putTargets, put, receive, close };
}

/** How many messages a queue has, hidden ones included. */
export const countMessages = (aws: Aws, name: string): number => {
  const queue = aws.queues.find(`arn:aws:sqs:us-east-1:111122223333:${name}`);
  const { ApproximateNumberOfMessages: visible, ApproximateNumberOfMessagesNotVisible: hidden } =
    queue?.describe() ?? {};
  return Number(visible) + Number(hidden);
};
