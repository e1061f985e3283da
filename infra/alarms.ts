import { Alarm, ComparisonOperator, type IMetric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { NodeFunction } from './node-function.ts';
import { listStreams, relayMetric } from './relay-metrics.ts';
import type { Tenant } from './tenant.ts';

/** How old the mark may become, in seconds: a few polls may fail before somebody is called. */
const OLDEST_MARK_SECONDS = 900;

/** What an alarm watches, and the sentence that says what it means for the tenant. */
interface Watched {
  readonly metric: IMetric;
  readonly impact: string;
  /** @default 1 */
  readonly threshold?: number;
  /** Periods in a row. @default 1 */
  readonly periods?: number;
  /** Fires below the threshold instead of from it on. @default false */
  readonly below?: boolean;
  /** Silence fires, too. @default false */
  readonly silence?: boolean;
}

/** The alarms of a tenant, and whom they tell. */
export class Alarms extends Construct {
  readonly all: Alarm[] = [];
  private readonly topic: ITopic | undefined;

  constructor(
    scope: Construct,
    id: string,
    props: {
      readonly tenant: Tenant;
      readonly poller: NodeFunction;
      /** Dead-letter queues, by what their messages are. */
      readonly deadLetters: Readonly<Record<string, IQueue>>;
    },
  ) {
    super(scope, id);
    const { tenant, poller, deadLetters } = props;
    this.topic = createTopic(this, tenant);
    const audit = (name: string) => relayMetric(tenant, { stream: 'audit', name, statistic: Stats.MAXIMUM });

    this.watch('MarkTooOld', {
      metric: audit('BacklogSeconds'),
      threshold: Math.max(OLDEST_MARK_SECONDS, 3 * 60 * tenant.pollMinutes),
      silence: true,
      impact: 'Events of the audit trail arrive late or not at all. None is lost: polling goes on from the mark.',
    });
    this.watch('PollerFailing', {
      metric: poller.metricErrors(),
      periods: 3,
      impact: 'Polls fail, so events arrive late; the log of the poller says why. Polling goes on from the mark.',
    });
    this.watch('Gap', {
      metric: audit('Gaps'),
      impact: 'A stretch of the audit trail could not be read whole: its events are missing until it is replayed.',
    });
    for (const stream of listStreams(tenant)) {
      this.watch(`Parked-${stream.replace('/', '-')}`, {
        metric: relayMetric(tenant, { stream, name: 'Parked', statistic: Stats.SUM }),
        impact: `A record of ${stream} does not fit on the bus: it waits whole in the table for somebody to look at it.`,
      });
    }
    for (const stream of listStreams(tenant).filter((name) => name !== 'audit')) {
      this.watch(`SwitchedOff-${stream.replace('/', '-')}`, {
        metric: relayMetric(tenant, { stream, name: 'SwitchedOff', statistic: Stats.MAXIMUM }),
        impact: `The platform does not know what ${stream} asks for: nothing comes of it until the platform does.`,
      });
    }
    for (const stream of ['audit', ...(tenant.adapter ? ['adapter'] : [])]) {
      this.watch(`AuthenticationRefused-${stream}`, {
        metric: relayMetric(tenant, { stream, name: 'AuthenticationRefused', statistic: Stats.MAXIMUM }),
        impact: 'The platform refuses the API key: nothing is read until a good key is put into the secret.',
      });
    }
    if (tenant.adapter) {
      this.watch('AdapterSilent', {
        metric: relayMetric(tenant, { stream: 'adapter', name: 'Alive', statistic: Stats.SUM }),
        below: true,
        silence: true,
        impact: 'The adapter interface is not watched: its messages wait at the platform, which may drop them.',
      });
    }
    for (const [what, queue] of Object.entries(deadLetters)) {
      this.watch(`DeadLetters-${queue.node.id}`, {
        metric: queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
        impact: `${what} could not be delivered and waits 14 days in ${queue.node.path}.`,
      });
    }
  }

  private watch(id: string, watched: Watched): void {
    const { metric, impact, threshold = 1, periods = 1, below = false, silence = false } = watched;
    const alarm = new Alarm(this, id, {
      metric,
      alarmDescription: impact,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: silence ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    if (this.topic) {
      const action = new SnsAction(this.topic);
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
    this.all.push(alarm);
  }
}

function createTopic(scope: Construct, { id, alarmEmail }: Tenant): ITopic | undefined {
  if (alarmEmail === undefined) return undefined;
  const topic = new Topic(scope, 'Topic', { displayName: `Supplier relay of ${id}`, enforceSSL: true });
  topic.addSubscription(new EmailSubscription(alarmEmail));
  return topic;
}
