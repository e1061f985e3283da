import * as z from 'zod';
import { adapterSettings } from '../shared/adapter-config.ts';
import { alertSchema } from '../shared/alerts/alert.ts';

/** Days that CloudWatch Logs can keep a log for. @see AWS::Logs::LogGroup, RetentionInDays */
const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;
/** The dead-letter queue names every rule that may write to it, and a queue's policy may have 8,192 bytes. */
const MOST_RULES = 25;

const name = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/, 'expected lower case letters, digits, hyphens');
const accounts = z
  .array(z.string().regex(/^\d{12}$/, 'expected an AWS account id of 12 digits'))
  .min(1)
  .refine(areDifferent, 'expected each account once');

/** What a rule can deliver to: the service is the third part of the ARN. */
const target = z
  .string()
  .regex(
    /^arn:aws[a-z-]*:(sqs|sns|lambda|events|states|kinesis|firehose):[a-z0-9-]+:\d{12}:\S+$/,
    'expected the ARN of a queue, topic, function, event bus, state machine, stream or delivery stream',
  );
const secretArn = z
  .string()
  .regex(/^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:\S+-\w{6}$/, 'expected the whole ARN of a secret');

const subscription = z.strictObject({
  name: name.describe('Names the rule'),
  pattern: z.record(z.string(), z.unknown()).describe('An EventBridge pattern'),
  target: target.describe('ARN of what matching events are delivered to'),
});

const network = z.strictObject({
  vpcId: z.string().regex(/^vpc-[0-9a-f]{8}([0-9a-f]{9})?$/, 'expected the id of a VPC'),
  subnetIds: z.array(z.string().regex(/^subnet-[0-9a-f]{8}([0-9a-f]{9})?$/, 'expected the id of a subnet')).min(1),
  publicIp: z.boolean().default(false).describe('True for public subnets, which reach the platform no other way'),
});

/** A tenant file, as it may be written. */
export const tenantSchema = z
  .strictObject({
    $schema: z.string().optional(),
    id: z
      .string()
      .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'expected at most 40 lower case letters, digits, hyphens')
      .describe('Names the stack, the bus and the source of every event; the name of the file without .json'),
    baseUrl: z.string().describe('The https address of the platform'),
    authUrl: z.string().optional().describe('Where tokens are issued; left out, it is baseUrl'),
    start: z.string().describe('Where the first run begins: now, an ISO 8601 time, or a duration back such as P30D'),
    pollMinutes: z.int().min(1).max(60).default(1).describe('Minutes from poll to poll'),
    overlapSeconds: z.int().optional().describe('What every poll reads again, in seconds; 120 where left out'),
    recheckSeconds: z.array(z.int()).min(1).optional().describe('Ages in seconds at which the trail is read again'),
    fields: z.record(z.string(), z.string()).optional().describe('Where id, time, type and actor stand in a record'),
    eventTypes: z
      .array(z.string().regex(/^[^,\s]+$/, 'expected an event type'))
      .min(1)
      .optional()
      .describe('Relays only these; left out, all'),
    logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
    retentionDays: z.literal(RETENTION_DAYS).default(30).describe('How long logs and the archive of the bus are kept'),
    alarmEmail: z.email('expected an e-mail address').optional().describe('Who is told of alarms'),
    alerts: z
      .array(alertSchema)
      .max(MOST_RULES)
      .refine((list) => areDifferent(list.map((alert) => alert.name)), 'expected each name once')
      .default([])
      .describe('Messages to Slack and Teams'),
    subscriptions: z
      .array(subscription)
      .max(MOST_RULES)
      .refine((list) => areDifferent(list.map((one) => one.name)), 'expected each name once')
      .default([])
      .describe('Rules on the bus'),
    subscribers: accounts.optional().describe('Accounts that may put rules of their own on the bus'),
    profileUpdates: z.strictObject({ accounts }).optional().describe('Accounts that may send commands to the platform'),
    adapter: z.optional(adapterSettings).describe('Watches the adapter interface; left out, nothing runs for it'),
    adapterImage: z
      .string()
      .regex(/^\S+[:@]\S+$/, 'expected an image with its tag or digest')
      .optional()
      .describe('An image of the adapter that is built already; left out, Docker builds it at deployment'),
    network: network.optional().describe('Where the adapter runs; left out, in a public network of its own'),
    existing: z
      .strictObject({
        tableName: z.string().min(3).optional(),
        secretArn: secretArn.optional(),
        webhooksSecretArn: secretArn.optional(),
      })
      .optional()
      .describe('Takes over what an earlier stack left'),
  })
  .meta({ title: 'A tenant of the supplier event relay' });

/** A tenant as a tenant file may write it, defaults left out. */
export type TenantInput = z.input<typeof tenantSchema>;

/** A tenant, with every default in place. */
export type Tenant = z.output<typeof tenantSchema>;

function areDifferent(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
