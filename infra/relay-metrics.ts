import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { METRICS_NAMESPACE } from '../shared/metrics.ts';
import type { Tenant } from './tenant.ts';

/** Gives a metric that the relay writes of a stream, in periods of 5 minutes, or of a poll where polls are rarer. */
export function relayMetric(tenant: Tenant, metric: { stream: string; name: string; statistic: string }): Metric {
  return new Metric({
    namespace: METRICS_NAMESPACE,
    metricName: metric.name,
    dimensionsMap: { Tenant: tenant.id, Stream: metric.stream },
    statistic: metric.statistic,
    period: Duration.minutes(Math.max(5, tenant.pollMinutes)),
  });
}

/** Lists the streams of a tenant. */
export function listStreams({ adapter }: Tenant): string[] {
  const interfaces = adapter?.interfaces ?? [];
  return [
    'audit',
    ...interfaces.flatMap(({ name, longPoll }) => (longPoll ? [`long-poll/${name}`] : [])),
    ...interfaces.flatMap(({ name, changes }) => (changes ? [`changes/${name}`] : [])),
  ];
}
