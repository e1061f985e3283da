import { z } from '@hono/zod-openapi';
import { OUR_CHOICE } from '../openapi.ts';
import { pageQuery } from '../schemas.ts';

/** Every phase that a connection may be in. */
export const PHASES = ['invite', 'invited', 'review', 'connect', 'connected', 'disconnect', 'disconnected'] as const;
/** A phase of a connection. */
export type Phase = (typeof PHASES)[number];

const side = z
  .enum(['buyer', 'supplier'])
  .openapi({ description: `The part that the organisation plays. ${OUR_CHOICE}` });

/** Turns a comma list into its members and checks each; an empty text is an empty list. */
const listOf = <Member extends z.ZodType<string, string>>(member: Member) =>
  z
    .string()
    .transform((text) => text.split(',').filter((part) => part !== ''))
    .pipe(z.array(member));

/** What the connections endpoint takes. */
export const connectionsQuery = pageQuery.extend({
  interface: z
    .string()
    .optional()
    .openapi({
      description: `Only connections that changed since this interface acknowledged them; without it, all. ${OUR_CHOICE}`,
      example: 'eventbridge',
    }),
  publicIds: listOf(z.string())
    .optional()
    .openapi({ type: 'string', description: `Only these, a comma list. ${OUR_CHOICE}` }),
  connectionPhases: listOf(z.enum(PHASES))
    .optional()
    .openapi({
      type: 'string',
      pattern: `^((${PHASES.join('|')})(,(${PHASES.join('|')}))*)?$`,
      description: `Only connections in these phases, a comma list of ${PHASES.join(', ')}. ${OUR_CHOICE}`,
    }),
  connectionRole: side.default('buyer'),
});

/** A connection of the organisation. */
export const connection = z
  .looseObject({
    _id: z.string(),
    publicId: z.string(),
    name: z.string(),
    country: z.string(),
    connectionRole: side,
    connectionPhase: z.enum(PHASES),
    connectedOn: z.iso.datetime(),
    changedOn: z.iso.datetime().optional().openapi({ description: 'When it changed last' }),
  })
  .openapi('Connection', { description: `A connection. ${OUR_CHOICE}` });

/** Body of an acknowledgement. */
export const acknowledgement = z
  .object({
    interface: z.string().openapi({ example: 'eventbridge' }),
    connectionRole: side,
    publicId: z.string(),
    errors: z
      .array(z.string())
      .optional()
      .openapi({ description: 'Where not empty, the change counts as not taken and stays listed' }),
  })
  .openapi('Acknowledgement', { description: `What was done with one changed connection. ${OUR_CHOICE}` });

/** Answer to an acknowledgement. */
export const acknowledged = z
  .object({ publicId: z.string(), acknowledged: z.boolean().openapi({ description: 'Whether it left the list' }) })
  .openapi('Acknowledged', { description: OUR_CHOICE });

/** Body of what an adapter logs: one entry or several. */
export const logEntries = z
  .union([z.array(z.looseObject({})), z.looseObject({})])
  .openapi('LogEntries', { description: `One log entry, or several. ${OUR_CHOICE}` });

/** Answer to log entries. */
export const accepted = z.object({ accepted: z.int() }).openapi('Accepted', { description: OUR_CHOICE });

/** Path of what belongs to one interface. */
export const interfaceParams = z.object({
  interface: z.string().openapi({ param: { name: 'interface', in: 'path' }, example: 'eventbridge' }),
});

/** An integration request that waits for an adapter. */
export const integrationRequest = z
  .looseObject({
    _id: z.string(),
    type: z.string(),
    interface: z.string(),
    publicId: z.string(),
    createdAt: z.iso.datetime(),
  })
  .openapi('IntegrationRequest', { description: `Something that an adapter is asked to do. ${OUR_CHOICE}` });

/** What the connections endpoint is asked for. */
export type ConnectionsQuery = z.infer<typeof connectionsQuery>;
/** What one acknowledgement says. */
export type Acknowledgement = z.infer<typeof acknowledgement>;
