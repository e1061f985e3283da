import type { Message } from './message.ts';
import { show, shrinkToFit } from './show.ts';

/** A piece of an Adaptive Card, of those that are used here. */
type Element =
  | { readonly type: 'TextBlock'; readonly text: string; readonly [property: string]: unknown }
  | { readonly type: 'RichTextBlock'; readonly inlines: readonly TextRun[]; readonly [property: string]: unknown }
  | { readonly type: 'ColumnSet'; readonly columns: readonly Column[]; readonly [property: string]: unknown };

interface TextRun {
  readonly type: 'TextRun';
  readonly text: string;
  readonly weight?: 'Bolder';
  readonly isSubtle?: true;
  readonly selectAction?: OpenUrl;
}

interface Column {
  readonly type: 'Column';
  readonly width: string;
  readonly items: readonly Element[];
}

interface OpenUrl {
  readonly type: 'Action.OpenUrl';
  readonly title: string;
  readonly url: string;
}

/** What a workflow of Teams takes that posts a card when its webhook is called. */
export interface TeamsPayload {
  readonly type: 'message';
  readonly attachments: readonly [
    {
      readonly contentType: 'application/vnd.microsoft.card.adaptive';
      readonly contentUrl: null;
      readonly content: {
        readonly $schema: 'http://adaptivecards.io/schemas/adaptive-card.json';
        readonly type: 'AdaptiveCard';
        readonly version: '1.4';
        readonly msteams: { readonly width: 'Full' };
        readonly body: readonly Element[];
        readonly actions?: readonly OpenUrl[];
      };
    },
  ];
}

/** Teams takes about 28 KB. @see https://learn.microsoft.com/microsoftteams/limits-specifications-teams */
const MOST_BYTES = 27_000;
const COLORS = { info: 'Accent', warning: 'Warning', critical: 'Attention' } as const;
const ICONS = { info: 'ℹ️', warning: '⚠️', critical: '🚨' } as const;

/**
 * Gives a message the form of an Adaptive Card. Texts of events stand in text runs, in which, unlike in text blocks and
 * fact sets, no Markdown works.
 * @see https://adaptivecards.io/explorer/TextRun.html
 */
export function toTeams({ severity, title, lead, facts, lines, more, link, footer }: Message): TeamsPayload {
  return shrinkToFit(MOST_BYTES, (longest): TeamsPayload => {
    const run = (text: string, style: Omit<TextRun, 'type' | 'text'> = {}): TextRun => ({
      type: 'TextRun',
      text: defuse(show(text, longest)) || '–',
      ...style,
    });
    const paragraph = (inlines: readonly TextRun[], style: object = {}): Element => ({
      type: 'RichTextBlock',
      inlines,
      ...style,
    });
    const body: Element[] = [
      {
        type: 'TextBlock',
        text: `${ICONS[severity]} ${title}`,
        size: 'Medium',
        weight: 'Bolder',
        color: COLORS[severity],
        wrap: true,
      },
      paragraph([run(lead)]),
      ...facts.map(
        ({ label, value }): Element => ({
          type: 'ColumnSet',
          spacing: 'Small',
          columns: [
            { type: 'Column', width: '1', items: [paragraph([run(label, { weight: 'Bolder' })])] },
            { type: 'Column', width: '4', items: [paragraph([run(value)])] },
          ],
        }),
      ),
      ...lines.map((line) =>
        paragraph([run(line.text), ...(line.link ? [SPACE, run('Open', { selectAction: toAction(line.link) })] : [])], {
          spacing: 'Small',
        }),
      ),
      ...(more > 0 ? [paragraph([run(`and ${more} more`)], { spacing: 'Small' })] : []),
      paragraph([run(footer, { isSubtle: true })], { spacing: 'Medium' }),
    ];
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      msteams: { width: 'Full' },
      body,
      ...(link && { actions: [toAction(link)] }),
    } as const;
    return {
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
    };
  });
}

const SPACE: TextRun = { type: 'TextRun', text: ' ' };

const toAction = (url: string): OpenUrl => ({ type: 'Action.OpenUrl', title: 'Open', url });

/** `{{DATE(…)}}` works in every text of a card. */
const defuse = (text: string): string => text.replaceAll('{{', '{ {');
