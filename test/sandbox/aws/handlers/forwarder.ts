import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

const client = new SQSClient();

/** Sends what it is called with on to a queue, which it knows from its environment alone. */
export async function handler(event: unknown): Promise<void> {
  await client.send(new SendMessageCommand({ QueueUrl: process.env.QUEUE_URL, MessageBody: JSON.stringify(event) }));
}
