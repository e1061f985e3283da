import { type Branch, readBranches } from './branches.ts';
import { type Answer, canCombine } from './consistency.ts';
import { createFieldReader, type Element, type Found } from './event-fields.ts';
import type { Field } from './field.ts';
import { PatternError } from './pattern-error.ts';
import { parsePatternText } from './pattern-text.ts';

/** EventBridge's default quota for the text of a pattern; it can be raised to 4,096 on request. */
const MOST_CHARACTERS = 2_048;

/** A pattern that is ready to be held against events. */
export interface CompiledPattern {
  /** Whether EventBridge would hand this event, as parsed JSON, to a rule of the pattern. */
  matches(event: object): boolean;
}

/**
 * Compiles an EventBridge pattern, given as an object or as its JSON text.
 * @param options.mostCharacters how long its text may be, @default 2048
 * @throws {PatternError} where EventBridge would refuse the pattern
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */
export function compilePattern(pattern: object | string, options: { mostCharacters?: number } = {}): CompiledPattern {
  const { mostCharacters = MOST_CHARACTERS } = options;
  const text = typeof pattern === 'string' ? pattern : JSON.stringify(pattern);
  if (text.length > mostCharacters)
    throw new PatternError('', `it has ${text.length} characters, more than ${mostCharacters}: split it into rules`);
  const branches = readBranches(typeof pattern === 'string' ? parsePatternText(pattern) : pattern);
  const paths = [...new Set(branches.flatMap((branch) => [...branch.keys()]))];
  const readFields = createFieldReader(paths);
  const alternatives = branches.map((branch) => orderFields(branch, paths));
  return {
    matches: (event) => {
      const found = readFields(event);
      return alternatives.some((fields) => isMet(fields, found));
    },
  };
}

/** A field that a branch asks for, and where to find its values. */
interface Asked extends Field {
  readonly index: number;
}

/** In the order of their paths, in which EventBridge takes them; it shows where a field may be absent. */
function orderFields(branch: Branch, paths: readonly string[]): readonly Asked[] {
  return [...branch.keys()].sort().map((path) => ({ ...(branch.get(path) as Field), index: paths.indexOf(path) }));
}

function isMet(fields: readonly Asked[], found: readonly (readonly Found[])[]): boolean {
  const answers: Answer[] = [];
  for (const { index, test, mayBeAbsent } of fields) {
    const values = found[index] as readonly Found[];
    const passing = listElements(values, test);
    if (passing.length === 0 && !mayBeAbsent) return false;
    answers.push({ passing, present: mayBeAbsent ? listElements(values, () => true) : undefined });
  }
  return canCombine(answers);
}

/** The values of one element are found one after the other, so that each element is listed once. */
function listElements(found: readonly Found[], test: Field['test']): readonly (Element | undefined)[] {
  const elements: (Element | undefined)[] = [];
  for (const { value, within } of found) {
    if ((elements.length === 0 || elements.at(-1) !== within) && test(value)) elements.push(within);
  }
  return elements;
}
