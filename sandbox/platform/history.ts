import type { Activity, AuditRecord } from './activity.ts';
import { createWeightedPicker, type Random } from './random.ts';

/** The past that a sandbox is born with. */
export interface HistoryOptions {
  /** How many events in all. */
  events: number;
  /** Over how many days, up to now. */
  days: number;
  /** Whether a third of them are nightly imports of several thousand events within minutes. @default false */
  bursts?: boolean;
}

interface Moment {
  timeMs: number;
  imported: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BURST_SHARE = 1 / 3;

/** Writes a past with a weekday rhythm, oldest event first, in UTC. */
export function writeHistory(from: {
  options: HistoryOptions;
  activity: Activity;
  random: Random;
  nowMs: number;
}): AuditRecord[] {
  const { options, activity, random, nowMs } = from;
  const startMs = nowMs - options.days * DAY_MS;
  const imported = options.bursts ? Math.floor(options.events * BURST_SHARE) : 0;
  const moments = [
    ...drawImports({ count: imported, startMs, nowMs, random }),
    ...drawWork({ count: options.events - imported, startMs, nowMs, random }),
  ];
  moments.sort((left, right) => left.timeMs - right.timeMs);
  return moments.map(({ timeMs, imported }) => (imported ? activity.importLine(timeMs) : activity.happen(timeMs)));
}

interface Draw {
  count: number;
  startMs: number;
  nowMs: number;
  random: Random;
}

function drawWork({ count, startMs, nowMs, random }: Draw): Moment[] {
  const hours = Math.ceil((nowMs - startMs) / HOUR_MS);
  const pickHour = createWeightedPicker(
    Array.from({ length: hours }, (_, hour) => busyness(new Date(startMs + hour * HOUR_MS))),
    random,
  );
  return Array.from({ length: count }, () => {
    const timeMs = startMs + Math.floor((pickHour() + random.next()) * HOUR_MS);
    return { timeMs: Math.min(timeMs, nowMs), imported: false };
  });
}

function busyness(hour: Date): number {
  const weekend = hour.getUTCDay() % 6 === 0;
  const atWork = hour.getUTCHours() >= 7 && hour.getUTCHours() < 18;
  return (atWork ? 20 : 2) * (weekend ? 0.15 : 1);
}

/** Each import takes two to eight minutes, some time between one and four in the morning. */
function drawImports({ count, startMs, nowMs, random }: Draw): Moment[] {
  const moments: Moment[] = [];
  const days = Math.max(1, Math.floor((nowMs - startMs) / DAY_MS) - 1);
  while (moments.length < count) {
    const midnightMs = Math.floor(startMs / DAY_MS + 1 + random.below(days)) * DAY_MS;
    const beginMs = midnightMs + HOUR_MS + random.below(3 * HOUR_MS);
    const lengthMs = (2 + random.below(7)) * 60_000;
    const size = Math.min(2000 + random.below(4000), count - moments.length);
    for (let line = 0; line < size; line++) {
      const timeMs = Math.min(beginMs + random.below(lengthMs), nowMs);
      moments.push({ timeMs, imported: true });
    }
  }
  return moments;
}
