import { expect, test } from 'vitest';
import { createPulse } from '../../shared/relay/pulse.ts';

function create() {
  const time = { nowMs: 1_000_000 };
  return { time, pulse: createPulse({ stream: 'long-poll/erp', clock: () => time.nowMs }) };
}

test('is fine while it waits as long as it said, and stuck long after', () => {
  const { time, pulse } = create();
  pulse.expectWithin(3_600_000);
  time.nowMs += 3_600_000;
  expect(pulse.health()).toBe('fine');
  time.nowMs += 120_000;
  expect(pulse.health()).toBe('stuck');
  pulse.expectWithin(1_000);
  expect(pulse.health()).toBe('fine');
});

test('is failing once nothing went well for a minute, and fine with the first success', () => {
  const { time, pulse } = create();
  pulse.failed(new Error('first'));
  expect(pulse.health()).toBe('fine');
  time.nowMs += 60_000;
  pulse.failed(new Error('second'));
  expect(pulse.health()).toBe('failing');
  pulse.worked();
  expect(pulse.health()).toBe('fine');
  expect(pulse.failure).toBeUndefined();
});

test('is off until something goes well, but stuck is worse', () => {
  const { time, pulse } = create();
  pulse.switchOff();
  expect(pulse.health()).toBe('off');
  time.nowMs += 3_600_000;
  expect(pulse.health()).toBe('stuck');
  pulse.expectWithin(1_000);
  pulse.worked();
  expect(pulse.health()).toBe('fine');
});

test('gives its counts once', () => {
  const { pulse } = create();
  pulse.counts.polls += 2;
  pulse.failed(new Error('once'));
  expect(pulse.takeCounts()).toEqual({ published: 0, parked: 0, polls: 2, failures: 1 });
  expect(pulse.takeCounts()).toEqual({ published: 0, parked: 0, polls: 0, failures: 0 });
});
