/** How late events were first seen: in all, and by event type. */
export interface Lateness {
  /** Seconds of the first events of a run, at most as many as one metric line may carry. */
  readonly sampleSeconds: number[];
  /** Event type to counts of events up to each of 60, 300, 1800, 7200, 28800 and 86400 seconds late, and of later ones. */
  readonly byType: Record<string, number[]>;
}

/** Upper bounds of the classes: a minute, and the ages of the default re-checks. */
const LATENESS_BOUNDS_SECONDS = [60, 300, 1_800, 7_200, 28_800, 86_400] as const;

/**
 * Values that one metric of an embedded metric format line may have.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
const MOST_VALUES = 100;
/** A platform that writes free text into the type must not fill a log line. */
const MOST_TYPES = 50;

/** Gives a distribution with nothing in it. */
export const noLateness = (): Lateness => ({ sampleSeconds: [], byType: Object.create(null) });

/** Adds an event that was first seen `lateSeconds` after its time. */
export function addLateness({ sampleSeconds, byType }: Lateness, type: string, lateSeconds: number): void {
  if (sampleSeconds.length < MOST_VALUES) sampleSeconds.push(lateSeconds);
  const name = type in byType || Object.keys(byType).length < MOST_TYPES ? type : 'other';
  const classes = byType[name] ?? new Array<number>(LATENESS_BOUNDS_SECONDS.length + 1).fill(0);
  byType[name] = classes;
  const found = LATENESS_BOUNDS_SECONDS.findIndex((bound) => lateSeconds <= bound);
  const index = found === -1 ? LATENESS_BOUNDS_SECONDS.length : found;
  classes[index] = (classes[index] as number) + 1;
}
