import type { Answer, Sheet } from './answers.ts';
import { nameCode } from './codes.ts';
import type { Question } from './questions.ts';

/** How answers are asked for. */
export interface ShowOptions {
  includeMetadata: boolean;
  translateValues: boolean;
  /** Answer keys that are never translated. */
  noTranslateValues: readonly string[];
}

/** Gives a sheet as clients are shown it: each key with its value, and on demand a sibling with its metadata. */
export function showSheet(
  sheet: Sheet,
  { questions, options }: { questions: readonly Question[]; options: ShowOptions },
): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const question of questions) {
    const answer = sheet[question.key];
    if (!answer) continue;
    shown[question.key] = showValue(answer.value, { question, answer, options });
    if (options.includeMetadata) shown[`${question.key}__meta`] = describe(question, answer);
  }
  return shown;
}

interface Showing {
  question: Question;
  /** The answer that the value is, or is part of. */
  answer: Answer;
  options: ShowOptions;
}

function showValue(value: unknown, { question, answer, options }: Showing): unknown {
  if (options.noTranslateValues.includes(question.key)) {
    return question.fields
      ? showGroup(value, { question, answer, options: { ...options, translateValues: false } })
      : value;
  }
  if (question.fields) return showGroup(value, { question, answer, options });
  return options.translateValues ? translate(value, question) : value;
}

/** What a group holds are answers, too; who changed the group changed them. */
function showGroup(value: unknown, { question, answer, options }: Showing): unknown {
  return (value as Record<string, unknown>[]).map((instance) => {
    const sheet: Sheet = {};
    for (const { key } of question.fields ?? []) {
      if (key in instance) sheet[key] = { ...answer, value: instance[key], assessment: {} };
    }
    return { _id: instance._id, ...showSheet(sheet, { questions: question.fields ?? [], options }) };
  });
}

function describe({ label, type, isCalculated = false }: Question, answer: Answer) {
  const { lastUpdateOn, lastUpdatedBy, assessment } = answer;
  return { lastUpdateOn, lastUpdatedBy, ...assessment, question: { label, type, isCalculated } };
}

function translate(value: unknown, { type, choices }: Question): unknown {
  switch (type) {
    case 'country':
    case 'currency':
    case 'language':
      return nameCode(type, String(value));
    case 'yes_no':
      return value === true ? 'Yes' : 'No';
    case 'choice':
      return choices?.[String(value)];
    default:
      return value;
  }
}
