import type { MakeObjectId, Random } from '../random.ts';
import type { Actor } from '../schemas.ts';
import type { Sheet } from './answers.ts';
import { exampleValues, type Question } from './questions.ts';

interface MakeUpSource {
  random: Random;
  nowMs: number;
  makeId: MakeObjectId;
}

const DAY_MS = 86_400_000;
const COUNTRIES = ['BR', 'DE', 'ES', 'FR', 'GB', 'IN', 'JP', 'NL', 'PL', 'US'];
const CURRENCIES = ['BRL', 'CHF', 'EUR', 'GBP', 'INR', 'JPY', 'USD'];
const LANGUAGES = ['de', 'en', 'es', 'fr', 'ja', 'nl', 'pl', 'pt-BR'];
const FILES = ['certificate.pdf', 'policy-2026.pdf', 'statement-signed.pdf'];
const RISKS = ['low', 'medium', 'high'];

/** Makes up an answer to every question; `known` ones are given, and `assessed` ones carry scores. */
export function makeUpSheet(
  questions: readonly Question[],
  source: MakeUpSource & {
    users: readonly Actor[];
    known: Readonly<Record<string, unknown>>;
    assessed: boolean;
  },
): Sheet {
  const { random, nowMs, users, known, assessed } = source;
  const sheet: Sheet = {};
  for (const question of questions) {
    const { _id, email, name } = random.pick(users);
    const updatedMs = nowMs - random.below(400 * DAY_MS);
    sheet[question.key] = {
      value: known[question.key] ?? makeUpValue(question, source),
      lastUpdateOn: new Date(updatedMs).toISOString(),
      lastUpdatedBy: { _id, email, name },
      assessment: {
        ...(assessed && { score: String(random.below(11)), maxScore: '10', risk: random.pick(RISKS) }),
        ...(random.chance(0.1) && makeUpOverride({ by: random.pick(users), random, updatedMs })),
      },
    };
  }
  return sheet;
}

/** Makes up a value for a question. */
function makeUpValue(question: Question, source: MakeUpSource): unknown {
  const { random, nowMs, makeId } = source;
  const aroundNow = nowMs + (random.below(700) - 300) * DAY_MS;
  switch (question.type) {
    case 'number':
      return question.isCalculated ? random.below(101) : 1900 + random.below(120);
    case 'date':
      return new Date(aroundNow).toISOString().slice(0, 10);
    case 'yes_no':
      return random.chance(0.6);
    case 'country':
      return random.pick(COUNTRIES);
    case 'currency':
      return random.pick(CURRENCIES);
    case 'language':
      return random.pick(LANGUAGES);
    case 'file':
      return { _id: makeId(nowMs), fileName: random.pick(FILES), bytes: 20_000 + random.below(900_000) };
    case 'group':
      return Array.from({ length: 1 + random.below(3) }, () => ({
        _id: makeId(nowMs),
        ...Object.fromEntries((question.fields ?? []).map((field) => [field.key, makeUpValue(field, source)])),
      }));
    default:
      return random.pick(exampleValues(question));
  }
}

function makeUpOverride(from: { by: Actor; random: Random; updatedMs: number }) {
  const { by, random, updatedMs } = from;
  // From the range that the regulator keeps for fiction.
  const nationalNumber = `20794600${10 + random.below(90)}`;
  const number = `+44${nationalNumber}`;
  return {
    overrideScore: random.below(11),
    overrideRisk: random.pick(RISKS),
    overrideNotes: 'Judged by hand after a call with the supplier.',
    overrideBy: {
      name: by.name,
      email: by.email,
      _id: by._id,
      phoneNumber: number,
      phoneNumberInfo: {
        country: 'GB',
        countryCallingCode: '44',
        nationalNumber,
        number,
        __countryCallingCodeSource: 'FROM_NUMBER_WITH_PLUS_SIGN',
      },
    },
    overrideOn: new Date(updatedMs + DAY_MS).toISOString(),
  };
}
