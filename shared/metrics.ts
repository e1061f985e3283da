/** Units that CloudWatch knows and the relay uses. */
export type MetricUnit = 'Count' | 'Seconds' | 'Milliseconds';

/** The namespace of every metric of the relay. */
export const METRICS_NAMESPACE = 'SupplierEventRelay';

/**
 * Writes one line in CloudWatch's embedded metric format, from which metrics are made without a call.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function writeMetrics(options: {
  nowMs: number;
  dimensions: Readonly<Record<string, string>>;
  metrics: Readonly<Record<string, readonly [value: number | readonly number[], unit: MetricUnit]>>;
  write?: (line: string) => void;
}): void {
  const { nowMs, dimensions, metrics, write = (line) => process.stdout.write(`${line}\n`) } = options;
  const line = {
    _aws: {
      Timestamp: nowMs,
      CloudWatchMetrics: [
        {
          Namespace: METRICS_NAMESPACE,
          Dimensions: [Object.keys(dimensions)],
          Metrics: Object.entries(metrics).map(([name, [, unit]]) => ({ Name: name, Unit: unit })),
        },
      ],
    },
    ...dimensions,
    ...Object.fromEntries(Object.entries(metrics).map(([name, [value]]) => [name, value])),
  };
  write(JSON.stringify(line));
}
