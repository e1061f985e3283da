import type { KnownBlock, MrkdwnElement, PlainTextElement } from '@slack/types';
import type { Message } from './message.ts';
import { show, shrinkToFit } from './show.ts';

/** What an incoming webhook of Slack takes. */
export interface SlackPayload {
  /** For notifications; the blocks are what is shown. */
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
  readonly unfurl_links: false;
  readonly unfurl_media: false;
}

/** A field takes up to 2,000 and there are many: the whole stays far below what Slack cuts, 40,000. */
const MOST_BYTES = 30_000;
/** @see https://docs.slack.dev/reference/block-kit/blocks/header-block */
const LONGEST_HEADER = 150;
/** Two a fact. @see https://docs.slack.dev/reference/block-kit/blocks/section-block */
const FACTS_A_SECTION = 5;

const ICONS = { info: 'ℹ️', warning: '⚠️', critical: '🚨' } as const;

/**
 * Gives a message the form of Block Kit. Texts of events are plain text, which Slack does not read as markup: no mention,
 * link, format or emoji code in them works.
 * @see https://docs.slack.dev/reference/block-kit/composition-objects/text-object
 */
export function toSlack({ severity, title, lead, facts, lines, more, link, footer }: Message): SlackPayload {
  return shrinkToFit(MOST_BYTES, (longest): SlackPayload => {
    const plain = (text: string): PlainTextElement => ({
      type: 'plain_text',
      // Slack refuses an empty text.
      text: show(text, longest) || '–',
      emoji: false,
    });
    const header = show(`${ICONS[severity]} ${title}`, LONGEST_HEADER);
    const blocks: KnownBlock[] = [
      { type: 'header', text: { type: 'plain_text', text: header, emoji: true } },
      { type: 'section', text: plain(lead) },
    ];
    for (let from = 0; from < facts.length; from += FACTS_A_SECTION) {
      const some = facts.slice(from, from + FACTS_A_SECTION);
      blocks.push({
        type: 'section',
        fields: some.flatMap(({ label, value }) => [markup(`*${escapeMarkup(show(label, longest))}*`), plain(value)]),
      });
    }
    for (const line of lines) {
      blocks.push({ type: 'context', elements: [plain(line.text), ...(line.link ? [toLink(line.link)] : [])] });
    }
    if (more > 0) blocks.push({ type: 'section', text: plain(`and ${more} more`) });
    if (link) blocks.push({ type: 'section', text: toLink(link) });
    blocks.push({ type: 'context', elements: [plain(footer)] });
    const text = escapeMarkup(show(`${header}: ${lead}`, longest));
    return { text, blocks, unfurl_links: false, unfurl_media: false };
  });
}

const markup = (text: string): MrkdwnElement => ({ type: 'mrkdwn', text, verbatim: true });

const toLink = (url: string): MrkdwnElement => markup(`<${escapeMarkup(url)}|Open>`);

/** @see https://docs.slack.dev/messaging/formatting-message-text#escaping */
const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
