import type { Command } from 'commander';
import { type Answer, answersOf, listAnswers, type ReadOptions, type Sheet } from '../shared/platform/answers.ts';
import type { Io } from './io.ts';
import { type AskOptions, addPlatformOptions } from './platform-command.ts';
import { createPrinter } from './print.ts';
import type { Column } from './table.ts';
import { describe, toJsonLine } from './text.ts';

/** The options of a command that reads answers. */
export interface AnswerOptions extends AskOptions {
  readonly metadata?: boolean;
  readonly translate?: boolean;
  /** Keys, separated by commas. */
  readonly untranslated?: string;
  readonly pathPrefix?: string;
}

/** Adds the options that say how answers are read. */
export const addAnswerOptions = (command: Command): Command =>
  addPlatformOptions(
    command
      .option('--metadata', 'show who changed each answer when, its score and its risk')
      .option('--translate', 'show display values, e.g. the name of a country instead of its code')
      .option('--untranslated <keys>', 'with --translate: leave these answers as they are (keys, with commas between)')
      .option('--path-prefix <path>', 'what comes before /kit and /profile, if not /api/public/api/v1'),
  );

/** Turns the options of the command line into those of the client. */
export const toReadOptions = ({
  metadata = false,
  translate = false,
  untranslated = '',
}: AnswerOptions): ReadOptions => ({
  includeMetadata: metadata,
  translateValues: translate,
  noTranslateValues: untranslated.split(',').filter((key) => key !== ''),
});

const COLUMNS: readonly Column<Answer>[] = [
  { title: 'ANSWER', of: ({ key }) => key },
  { title: 'VALUE', of: ({ value }) => describe(value) },
];
const METADATA_COLUMNS: readonly Column<Answer>[] = [
  { title: 'CHANGED', of: ({ metadata }) => describe(metadata?.lastUpdateOn) },
  {
    title: 'BY',
    of: ({ metadata }) => describe(metadata?.lastUpdatedBy?.name ?? metadata?.lastUpdatedBy?.email),
  },
  { title: 'SCORE', of: ({ metadata }) => describe(metadata?.overrideScore ?? metadata?.score) },
  { title: 'RISK', of: ({ metadata }) => describe(metadata?.overrideRisk ?? metadata?.risk) },
];

/** Writes a kit or a profile: an answer a line, or the whole as it came in JSON. */
export async function printSheet(sheet: Sheet, { json, metadata }: AnswerOptions, io: Io): Promise<void> {
  if (json) return io.write(toJsonLine(sheet));
  const columns = metadata ? [...COLUMNS, ...METADATA_COLUMNS] : COLUMNS;
  await createPrinter({ columns }, io)(listAnswers(answersOf(sheet)));
}
