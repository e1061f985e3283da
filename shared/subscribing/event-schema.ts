import * as z from 'zod/mini';

const described = <T extends z.core.$ZodType>(schema: T, description: string): T => {
  z.globalRegistry.add(schema, { description });
  return schema;
};
const text = (description: string) => described(z.string(), description);
const time = (description: string) => described(z.iso.datetime(), description);

/** The event that the relay publishes, as a subscriber may check it: a CloudEvent 1.0, open to what later versions add. */
export const eventSchema = described(
  z.object({
    specversion: z.literal('1.0'),
    id: described(
      z.string().check(z.minLength(1)),
      "The platform's id, else a hash of the record: stable for ever, what a consumer drops repeats by.",
    ),
    source: text('/tenants/<tenant>/<stream>'),
    type: text('The event type identifier of the platform; "unknown" where the record has none.'),
    subject: z.optional(text('<kind>/<id> of what the event is about; left out where unknown.')),
    time: z.optional(time('When it happened, in UTC; left out where the record has no time.')),
    datacontenttype: z.literal('application/json'),
    tenant: text('Whose event it is.'),
    stream: text('audit, changes/<interface> or long-poll/<interface>; relay for what the relay says of itself.'),
    observedat: time('When the relay first saw it, in UTC.'),
    lateby: z.optional(
      described(z.int(), 'Whole seconds from the event time to first sight; left out without a time.'),
    ),
    replayed: described(z.boolean(), 'True where a replay publishes it again.'),
    recordomitted: z.optional(
      described(z.literal(true), 'True where the record was too big for the bus: it is parked whole.'),
    ),
    data: described(
      z.object({
        actor: z.optional(
          described(
            z.object({ id: z.optional(z.string()), email: z.optional(z.string()), name: z.optional(z.string()) }),
            'Who caused it; left out where unknown.',
          ),
        ),
        target: z.optional(
          described(z.object({ kind: z.string(), id: z.string() }), 'What it is about; left out where unknown.'),
        ),
        summary: text('One line for people, without control characters.'),
        record: z.optional(described(z.unknown(), 'What the platform returned, untouched.')),
      }),
      'Who did what to what, and the record.',
    ),
  }),
  'An event of the supplier event relay: the detail of what arrives on the bus.',
);

/** Gives the JSON Schema of the event, draft 2020-12. */
export const toEventJsonSchema = (): object => ({
  ...z.toJSONSchema(eventSchema, { target: 'draft-2020-12', io: 'input' }),
  title: 'Supplier platform event',
});
