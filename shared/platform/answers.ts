import * as z from 'zod/mini';
import { isObject } from '../relay/json.ts';

const META_SUFFIX = '__meta';

// A field that is not as specified is left out here; the answers as they came still have it.
const text = z.catch(z.optional(z.string()), undefined);
const points = z.catch(z.optional(z.union([z.string(), z.number()])), undefined);
const phoneNumberInfo = z.looseObject({
  country: text,
  countryCallingCode: text,
  nationalNumber: text,
  number: text,
  __countryCallingCodeSource: text,
});
const metadata = z.looseObject({
  lastUpdateOn: text,
  lastUpdatedBy: z.catch(z.optional(z.looseObject({ _id: text, email: text, name: text })), undefined),
  overrideScore: points,
  overrideRisk: text,
  overrideNotes: text,
  overrideBy: z.catch(
    z.optional(
      z.looseObject({
        _id: text,
        email: text,
        name: text,
        phoneNumber: text,
        phoneNumberInfo: z.catch(z.optional(phoneNumberInfo), undefined),
      }),
    ),
    undefined,
  ),
  overrideOn: text,
  question: z.catch(
    z.optional(z.looseObject({ label: text, type: text, isCalculated: z.catch(z.optional(z.boolean()), undefined) })),
    undefined,
  ),
  score: points,
  maxScore: points,
  risk: text,
});

/** What the platform knows of an answer besides its value. */
export type AnswerMetadata = z.infer<typeof metadata>;

/** A kit or a profile as the platform gave it; `answersOf` finds the answers in it. */
export type Sheet = Readonly<Record<string, unknown>>;

/** Answers by their keys, metadata beside them as `<key>__meta`. */
export type Answers = Readonly<Record<string, unknown>>;

/** One answer. */
export interface Answer {
  readonly key: string;
  readonly value: unknown;
  /** Left out where it was not asked for. */
  readonly metadata?: AnswerMetadata;
}

/** How a kit or a profile is read. */
export interface ReadOptions {
  /** Gives every answer its metadata. @default false */
  readonly includeMetadata?: boolean;
  /** Gives display values, e.g. the name of a country instead of its code. @default false */
  readonly translateValues?: boolean;
  /** Keys of answers that are not translated all the same. */
  readonly noTranslateValues?: readonly string[];
}

/** Finds the answers of a kit or a profile, which may be all there is or stand under `answers`. */
export const answersOf = (sheet: Sheet): Answers => (isObject(sheet.answers) ? sheet.answers : sheet);

/** Takes answers apart, each with its metadata. */
export const listAnswers = (answers: Answers): Answer[] =>
  Object.entries(answers)
    .filter(([key]) => !isMetadataKey(key, answers))
    .map(([key, value]) => {
      const meta = Object.hasOwn(answers, key + META_SUFFIX) ? answers[key + META_SUFFIX] : undefined;
      return { key, value, ...(isObject(meta) && { metadata: metadata.parse(meta) }) };
    });

const isMetadataKey = (key: string, answers: Answers): boolean =>
  key.endsWith(META_SUFFIX) && Object.hasOwn(answers, key.slice(0, -META_SUFFIX.length));

/** Writes read options as query parameters; what is left out keeps the platform's default. */
export const toQuery = ({ includeMetadata, translateValues, noTranslateValues = [] }: ReadOptions) => ({
  includeMetadata: includeMetadata ? 'true' : undefined,
  translateValues: translateValues ? 'true' : undefined,
  noTranslateValues: noTranslateValues.length > 0 ? noTranslateValues.join(',') : undefined,
});
