import { afterEach, expect, test } from 'vitest';
import type { AuditRecord } from '../../../sandbox/platform/activity.ts';
import { EVENT_TYPES } from '../../../sandbox/platform/event-types.ts';
import { createPlatform, type Platform, type PlatformOptions } from '../../../sandbox/platform/platform.ts';
import { connect } from './client.ts';

const START = Date.UTC(2026, 0, 15, 12);
const HOUR_MS = 3_600_000;
const opened: Platform[] = [];
afterEach(() => Promise.all(opened.splice(0).map((platform) => platform.close())));

const open = async (options: PlatformOptions) => {
  const platform = await createPlatform(options);
  opened.push(platform);
  return platform;
};
const records = (platform: Platform) => [...platform.trail].map(({ record }) => record as AuditRecord);

test('makes the same platform of the same seed, and another of another', async () => {
  const options = { clock: () => START, history: { events: 300, days: 3, bursts: true } };
  const [one, same, other] = [await open(options), await open(options), await open({ ...options, seed: 2 })];
  expect(same.organisation).toEqual(one.organisation);
  expect(same.apiKey).toBe(one.apiKey);
  expect(records(same)).toEqual(records(one));
  expect(other.apiKey).not.toBe(one.apiKey);
  expect(records(other)).not.toEqual(records(one));
});

test('writes varied events whose ids are unique and tell their time', async () => {
  const platform = await open({ clock: () => START });
  platform.add(5000, { time: (index) => START - index * 700 });
  const written = records(platform);
  expect(new Set(written.map(({ _id }) => _id)).size).toBe(5000);
  expect(new Set(written.map(({ eventType }) => eventType)).size).toBe(EVENT_TYPES.length);
  for (const { _id, createdAt } of written) {
    expect(_id).toMatch(/^[0-9a-f]{24}$/);
    expect(Number.parseInt(_id.slice(0, 8), 16)).toBe(Math.floor(Date.parse(createdAt) / 1000));
  }
  const sizes = written.map((record) => JSON.stringify(record).length).sort((left, right) => left - right);
  expect(sizes[2500]).toBeGreaterThan(300);
  expect(sizes[4990]).toBeLessThan(900);
});

test('lives at its rate, and at another after a change', async () => {
  let nowMs = START;
  const platform = await open({ clock: () => nowMs, eventsPerMinute: 60 });
  nowMs += HOUR_MS;
  const first = platform.trail.size;
  expect(first).toBeGreaterThan(3300);
  expect(first).toBeLessThan(3900);
  expect([...platform.trail].every(({ time, visibleAt }) => time === visibleAt && time > START && time <= nowMs)).toBe(
    true,
  );
  platform.setRate(0);
  nowMs += HOUR_MS;
  expect(platform.trail.size).toBe(first);
  platform.setRate(6);
  nowMs += HOUR_MS;
  platform.setRate(0);
  expect(platform.trail.size - first).toBeGreaterThan(270);
});

test('lives for those who only ask over the network', async () => {
  let nowMs = START;
  const platform = await open({ clock: () => nowMs, eventsPerMinute: 60 });
  const client = await connect(platform);
  nowMs += HOUR_MS / 2;
  const { total } = await client.events({ limit: 1 });
  expect(total).toBeGreaterThan(1600);
  expect(platform.trail.size).toBe(total);
});

test('lets what goes on by itself show up late as a rule', async () => {
  let nowMs = START;
  const platform = await open({ clock: () => nowMs, eventsPerMinute: 60 });
  platform.faults.lateMs = () => HOUR_MS;
  nowMs += HOUR_MS / 2;
  const client = await connect(platform);
  expect((await client.events()).total).toBe(0);
  expect(platform.trail.size).toBeGreaterThan(1000);
});

test('serves a history of 200,000 events, bursts included, every one once and in order', async () => {
  const platform = await open({ clock: () => START, history: { events: 200_000, days: 60, bursts: true } });
  const client = await connect(platform);
  expect(platform.trail.size).toBe(200_000);
  expect((await client.events({ limit: 1 })).total).toBe(200_000);

  const times = [...platform.trail].map(({ time }) => time);
  expect(times.at(-1)).toBeLessThanOrEqual(START);
  const perMinute = new Map<number, number>();
  for (const time of times)
    perMinute.set(Math.floor(time / 60_000), (perMinute.get(Math.floor(time / 60_000)) ?? 0) + 1);
  const [minute, busiest] = [...perMinute].reduce((most, each) => (each[1] > most[1] ? each : most));
  expect(busiest).toBeGreaterThan(400);

  const day = Math.floor((minute * 60_000) / (24 * HOUR_MS)) * 24 * HOUR_MS;
  const window = { after: new Date(day).toISOString(), before: new Date(day + 24 * HOUR_MS).toISOString() };
  const truth = [...platform.trail].filter(({ time }) => time > day && time < day + 24 * HOUR_MS).map(({ id }) => id);
  const ids: unknown[] = [];
  for (let page = 0; page <= truth.length / 1000; page++)
    ids.push(...(await client.ids({ ...window, limit: 1000, page })));
  expect(ids.reverse()).toEqual(truth);
  expect(await client.events({ limit: 1000, page: 199 })).toMatchObject({ total: 200_000, results: { length: 1000 } });
});

test('is quieter at the weekend', async () => {
  const platform = await open({ clock: () => START, history: { events: 20_000, days: 28 } });
  const weekend = [...platform.trail].filter(({ time }) => new Date(time).getUTCDay() % 6 === 0).length;
  expect(weekend / 20_000).toBeLessThan(0.12);
});
