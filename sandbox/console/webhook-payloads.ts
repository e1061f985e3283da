import { z } from 'zod';

/** What Slack says of a text object. @see https://docs.slack.dev/reference/block-kit/composition-objects/text-object */
const text = (longest: number) =>
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('plain_text'),
      text: z.string().min(1).max(longest),
      emoji: z.boolean().optional(),
    }),
    z.strictObject({
      type: z.literal('mrkdwn'),
      text: z.string().min(1).max(longest),
      verbatim: z.boolean().optional(),
    }),
  ]);

const block = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('header'),
    text: z.strictObject({
      type: z.literal('plain_text'),
      text: z.string().min(1).max(150),
      emoji: z.boolean().optional(),
    }),
  }),
  z
    .strictObject({
      type: z.literal('section'),
      text: text(3000).optional(),
      fields: z.array(text(2000)).min(1).max(10).optional(),
    })
    .refine((section) => section.text || section.fields, 'a section has a text or fields'),
  z.strictObject({ type: z.literal('context'), elements: z.array(text(3000)).min(1).max(10) }),
  z.strictObject({ type: z.literal('divider') }),
]);

/** A message to an incoming webhook of Slack, of the blocks that alerts use. */
export const slackPayload = z.strictObject({
  text: z.string().min(1).max(40_000),
  blocks: z.array(block).min(1).max(50),
  unfurl_links: z.boolean().optional(),
  unfurl_media: z.boolean().optional(),
});

/** A message to a workflow of Teams; the card itself is the renderer's to judge. */
export const teamsPayload = z.object({
  type: z.literal('message'),
  attachments: z
    .array(
      z.object({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: z.null(),
        content: z.object({
          type: z.literal('AdaptiveCard'),
          version: z.enum(['1.0', '1.1', '1.2', '1.3', '1.4']),
          body: z.array(z.looseObject({ type: z.string() })).min(1),
        }),
      }),
    )
    .length(1),
});

/** The largest message that Teams takes. @see https://learn.microsoft.com/microsoftteams/limits-specifications-teams */
export const LARGEST_TEAMS_BYTES = 28 * 1024;
