import { Duration } from 'aws-cdk-lib';
import { type Alarm, AlarmStatusWidget, Dashboard, GraphWidget, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { NodeFunction } from './node-function.ts';
import { listStreams, relayMetric } from './relay-metrics.ts';
import type { Tenant } from './tenant.ts';

const HALF = { width: 12, height: 6 };

/** A page that says how far the relay has come, what went through, and what is wrong. */
export class RelayDashboard extends Dashboard {
  constructor(
    scope: Construct,
    id: string,
    props: { readonly tenant: Tenant; readonly poller: NodeFunction; readonly alarms: readonly Alarm[] },
  ) {
    const { tenant, poller, alarms } = props;
    super(scope, id, { dashboardName: `supplier-relay-${tenant.id}`, defaultInterval: Duration.days(1) });
    const audit = (name: string, statistic: string) => relayMetric(tenant, { stream: 'audit', name, statistic });
    this.addWidgets(
      new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24 }),
      new GraphWidget({
        ...HALF,
        title: 'Seconds from the mark to now',
        left: [audit('BacklogSeconds', Stats.MAXIMUM)],
        leftYAxis: { min: 0 },
      }),
      new GraphWidget({
        ...HALF,
        title: 'Events published',
        left: listStreams(tenant).map((stream) =>
          relayMetric(tenant, { stream, name: 'Published', statistic: Stats.SUM }).with({ label: stream }),
        ),
        leftYAxis: { min: 0 },
      }),
      new GraphWidget({
        ...HALF,
        title: 'Seconds from an event to its first sight',
        left: [Stats.percentile(50), Stats.percentile(99), Stats.MAXIMUM].map((statistic) =>
          audit('LateSeconds', statistic),
        ),
        leftYAxis: { min: 0 },
      }),
      new GraphWidget({
        ...HALF,
        title: 'The poller: milliseconds, errors',
        left: [poller.metricDuration({ statistic: Stats.MAXIMUM })],
        right: [poller.metricErrors()],
        leftYAxis: { min: 0 },
        rightYAxis: { min: 0 },
      }),
    );
  }
}
