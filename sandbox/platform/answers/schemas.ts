import { z } from '@hono/zod-openapi';
import { OUR_CHOICE } from '../openapi.ts';
import { actor } from '../schemas.ts';
import { COUNTRY_CODES, CURRENCY_CODES, LANGUAGE_CODE } from './codes.ts';
import { PROFILE_QUESTIONS, type Question } from './questions.ts';

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

/** What the retrievals of kits and profiles take. */
export const showQuery = z.object({
  includeMetadata: flag.openapi({
    type: 'boolean',
    enum: [true, false],
    default: false,
    description: 'Whether each answer gets a `__meta` sibling',
  }),
  translateValues: flag.openapi({
    type: 'boolean',
    enum: [true, false],
    default: false,
    description: 'Whether values are replaced by display values, for example a country code by the name of the country',
  }),
  noTranslateValues: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((key) => key !== ''))
    .openapi({ type: 'string', default: '', description: 'Answers that are not translated, a comma list of keys' }),
});

/** Metadata of an answer. */
export const metadata = z
  .object({
    lastUpdateOn: z.iso.datetime(),
    lastUpdatedBy: actor,
    overrideScore: z.number().optional(),
    overrideRisk: z.string().optional(),
    overrideNotes: z.string().optional(),
    overrideBy: actor
      .extend({
        phoneNumber: z.string(),
        phoneNumberInfo: z.object({
          country: z.string(),
          countryCallingCode: z.string(),
          nationalNumber: z.string(),
          number: z.string(),
          __countryCallingCodeSource: z.string(),
        }),
      })
      .optional(),
    overrideOn: z.iso.datetime().optional(),
    question: z.object({ label: z.string(), type: z.string(), isCalculated: z.boolean() }),
    score: z.string().optional(),
    maxScore: z.string().optional(),
    risk: z.string().optional(),
  })
  .openapi('AnswerMetadata');

/** Of OpenAPI 3.1, and not known to the types of the generator. */
const METADATA_SIBLINGS = { patternProperties: { __meta$: { $ref: '#/components/schemas/AnswerMetadata' } } };

/** Answers by key. */
const answers = z.record(z.string(), z.unknown()).openapi('Answers', {
  description: `Answers by key; with metadata, each key K has a sibling K__meta. ${OUR_CHOICE}`,
  ...METADATA_SIBLINGS,
});

/** A public profile. */
export const profile = z
  .object({ publicId: z.string(), name: z.string(), answers })
  .openapi('Profile', { description: OUR_CHOICE });

/** A kit with its answers. */
export const kit = z
  .object({ _id: z.string(), type: z.string(), name: z.string(), answers })
  .openapi('Kit', { description: OUR_CHOICE });

const param = (name: string) => z.string().openapi({ param: { name, in: 'path' } });
/** Path of a profile. */
export const profileParams = z.object({ publicId: param('publicId') });
/** Path of a kit. */
export const kitParams = z.object({ kitId: param('kitId') });

// As a pattern, because the format `base64` is not one that a generic client knows.
const BASE64 = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const file = z.strictObject({ fileName: z.string().min(1).max(255), fileContentsBase64: z.string().regex(BASE64) });

function schemaOf({ type, label, choices, fields }: Question): z.ZodType {
  const text = z.string().max(10_000);
  const described = { description: label };
  switch (type) {
    case 'number':
      return z.number().openapi(described);
    case 'date':
      return z.iso.date().openapi(described);
    case 'yes_no':
      return z.boolean().openapi(described);
    case 'choice':
      return z.enum(Object.keys(choices ?? {})).openapi(described);
    case 'country':
      return z.enum(COUNTRY_CODES).openapi(described);
    case 'currency':
      return z.enum(CURRENCY_CODES).openapi(described);
    case 'language':
      return z.string().regex(LANGUAGE_CODE).openapi(described);
    case 'file':
      return file.openapi(described);
    case 'group':
      return z.array(answersTo(fields ?? []).extend({ _id: z.string().optional() })).openapi(described);
    default:
      return text.openapi(described);
  }
}

function answersTo(questions: readonly Question[]) {
  const givable = questions.filter(({ isCalculated }) => !isCalculated);
  return z.strictObject(Object.fromEntries(givable.map((question) => [question.key, schemaOf(question).optional()])));
}

/** Body of a profile update: a map from answer key to value. */
export const profileUpdate = answersTo(PROFILE_QUESTIONS).openapi('ProfileUpdate', {
  description:
    'New values by answer key. A group is an array that replaces the old one: instances with an `_id` keep what they ' +
    `do not name, the others are new. ${OUR_CHOICE}`,
});

/** Values of a profile update. */
export type ProfileUpdate = z.infer<typeof profileUpdate>;
