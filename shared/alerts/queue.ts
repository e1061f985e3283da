/**
 * How the queue of a tenant's alerts and the notifier that reads it are set up; the reasons belong together.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
export const ALERT_QUEUE = {
  /** A burst becomes one digest an alert instead of a hundred messages; over 10 needs a window. */
  batchSize: 1000,
  /** What a lone event waits for company. */
  windowSeconds: 5,
  /** The least that can be set: two instances keep a webhook near one message a second. */
  maximumConcurrency: 2,
  /** One message a second to a webhook, and waits that Slack or Teams ask for. */
  functionTimeoutSeconds: 60,
  /** Six times the function's time-out and the window, as AWS advises; also the pause between two tries of an event. */
  visibilityTimeoutSeconds: 365,
  /** Two hours of tries, so that a webhook may be down that long; a dead address is then an operator's. */
  maxReceiveCount: 20,
  /** Longer than all tries together. */
  retentionSeconds: 4 * 86_400,
  /** The longest there is: an operator may be on holiday. */
  deadLetterRetentionSeconds: 14 * 86_400,
} as const;
