import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { CloudEvent } from 'cloudevents';
import { expect, expectTypeOf, test } from 'vitest';
import type * as z from 'zod/mini';
import type { RelayEvent } from '../../shared/relay/event.ts';
import { createNormaliser } from '../../shared/relay/normalise.ts';
import { toNotice } from '../../shared/relay/notice.ts';
import { type eventSchema, toEventJsonSchema } from '../../shared/subscribing/event-schema.ts';
import { busEvent } from '../alerts/bus-event.ts';

const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
const isValid = ajv.compile(toEventJsonSchema());

const normaliser = createNormaliser({ tenant: 'acme', stream: 'long-poll/eventbridge' });
const bare = [{}, [], null, 'text', 7, { type: 'x', user: 'a@b.example' }].map((record) =>
  normaliser.toEvent(normaliser.identify(record), 1_700_000_000_000),
);
const notice = toNotice({
  type: 'gap.found',
  id: 'n1',
  tenant: 'acme',
  nowMs: 1_700_000_000_000,
  summary: 'x',
  facts: {},
});
const { record: _, ...trimmed } = notice.data;
const events: RelayEvent[] = [
  ...Array.from({ length: 300 }, () => busEvent().detail),
  ...bare,
  notice,
  { ...notice, recordomitted: true, data: trimmed },
];

test('is the schema in docs/, which `npm test -- test/subscribing/event-schema -u` writes', async () => {
  await expect(`${JSON.stringify(toEventJsonSchema(), null, 2)}\n`).toMatchFileSnapshot('../../docs/event-schema.json');
});

test('every event that the relay makes fits', () => {
  expectTypeOf<RelayEvent>().toExtend<z.input<typeof eventSchema>>();
  for (const event of events) {
    isValid(JSON.parse(JSON.stringify(event)));
    expect(isValid.errors).toBeNull();
  }
});

test('what is no event does not fit', () => {
  const [event] = events as [RelayEvent];
  for (const field of ['specversion', 'id', 'source', 'type', 'tenant', 'stream', 'observedat', 'replayed', 'data']) {
    expect(isValid({ ...event, [field]: undefined })).toBe(false);
  }
  for (const wrong of [{ id: '' }, { time: 'noon' }, { lateby: 0.5 }, { data: {} }, { recordomitted: false }]) {
    expect(isValid({ ...event, ...wrong })).toBe(false);
  }
});

test('every event is a CloudEvent to the SDK', () => {
  for (const event of events) {
    const cloudEvent = new CloudEvent({ ...event });
    expect(cloudEvent.validate()).toBe(true);
    expect(JSON.parse(JSON.stringify(cloudEvent))).toMatchObject(JSON.parse(JSON.stringify(event)));
  }
});
