import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { Alerts } from './alerts.ts';
import type { RelayParts } from './parts.ts';
import { ProfileUpdater } from './profile-updater.ts';
import { SafeQueue } from './safe-queue.ts';
import { Subscription } from './subscription.ts';
import type { Tenant } from './tenant.ts';

/** True where the tenant file asks for a rule. */
export const hasDeliveries = ({ subscriptions, alerts, profileUpdates }: Tenant): boolean =>
  subscriptions.length > 0 || alerts.length > 0 || profileUpdates !== undefined;

/** The rules of the tenant file, what they deliver to, and the queue that takes what could not be delivered. */
export class Deliveries extends Construct {
  readonly alerts: Alerts | undefined;
  /** Dead-letter queues, by what their messages are. */
  readonly deadLetters: Readonly<Record<string, IQueue>>;

  constructor(scope: Construct, id: string, parts: RelayParts) {
    super(scope, id);
    const { tenant, bus } = parts;
    // Which rule and target a message was for stands in its attributes: one queue does.
    const undelivered = new SafeQueue(this, 'Undelivered');
    const subscriptions = tenant.subscriptions.map(
      (subscription) => new Subscription(this, `Subscription-${subscription.name}`, { subscription, bus, undelivered }),
    );
    const alerts = tenant.alerts.length > 0 ? new Alerts(this, 'Alerts', { ...parts, undelivered }) : undefined;
    const updater =
      tenant.profileUpdates &&
      new ProfileUpdater(this, 'ProfileUpdater', { ...parts, undelivered, ...tenant.profileUpdates });
    undelivered.allowRules([
      ...subscriptions.map(({ rule }) => rule),
      ...(alerts?.rules ?? []),
      ...(updater ? [updater.rule] : []),
    ]);
    this.alerts = alerts;
    this.deadLetters = {
      'An event for a subscription, an alert or a command': undelivered,
      ...(alerts && { 'An event of an alert': alerts.failed }),
    };
  }
}
