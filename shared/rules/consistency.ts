import type { Element } from './event-fields.ts';

/** A field of a branch as an event answers it. */
export interface Answer {
  /** The elements of arrays whose values pass; undefined stands for a value that no element holds. */
  readonly passing: readonly (Element | undefined)[];
  /** The elements in which the field is, whatever its value, where it may be absent instead. */
  readonly present: readonly (Element | undefined)[] | undefined;
}

/**
 * Whether values can be chosen, one for each field, that never come from two elements of the same array: of
 * `[{"id": 1, "on": false}, {"id": 2, "on": true}]` a pattern for `id` 1 and `on` true takes neither.
 *
 * Fields are taken in order; whether one is absent is asked within the elements chosen so far, as EventBridge does.
 */
export function canCombine(answers: readonly Answer[]): boolean {
  function canContinue(index: number, chosen: readonly Element[]): boolean {
    const answer = answers[index];
    if (answer === undefined) return true;
    for (const element of answer.passing) {
      const next = element === undefined ? chosen : [...chosen, element];
      if (fits(element, chosen) && canContinue(index + 1, next)) return true;
    }
    const isAbsent = answer.present?.every((element) => !fits(element, chosen)) ?? false;
    return isAbsent && canContinue(index + 1, chosen);
  }
  return canContinue(0, []);
}

function fits(element: Element | undefined, chosen: readonly Element[]): boolean {
  for (let one = element; one !== undefined; one = one.outer) {
    for (const other of chosen) {
      for (let two: Element | undefined = other; two !== undefined; two = two.outer) {
        if (one.array === two.array && one.index !== two.index) return false;
      }
    }
  }
  return true;
}
