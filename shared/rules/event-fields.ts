import type { Scalar } from './scalar.ts';

/** The element of an array in which a value was found, inside elements of outer arrays. */
export interface Element {
  readonly array: readonly unknown[];
  readonly index: number;
  readonly outer: Element | undefined;
}

/** A value of a field, and the element that holds it, where an array does. */
export interface Found {
  readonly value: Scalar;
  readonly within: Element | undefined;
}

/** A place in an event: the number of the field that ends there, if one does, and the keys that lead on. */
interface Step {
  field: number | undefined;
  readonly next: [key: string, step: Step][];
}

/**
 * Prepares to look up fields by their dotted paths.
 *
 * EventBridge flattens events, so that a dot in a key and a nested object are one to it: `a.b.c` may be found under
 * `a` then `b.c` as well as under `a` then `b` then `c`.
 * @returns a function that lists, for each path, its values in an event
 */
export function createFieldReader(paths: readonly string[]): (event: object) => readonly (readonly Found[])[] {
  const root = buildSteps(paths);
  return (event) => {
    const found: Found[][] = paths.map(() => []);
    visitObject(event as Readonly<Record<string, unknown>>, { step: root, within: undefined, found });
    return found;
  };
}

interface Visit {
  readonly step: Step;
  readonly within: Element | undefined;
  readonly found: readonly Found[][];
}

function visitObject(object: Readonly<Record<string, unknown>>, { step, within, found }: Visit): void {
  for (const [key, next] of step.next) {
    const value = object[key];
    if (value !== undefined) visit(value, { step: next, within, found });
  }
}

function visit(value: unknown, { step, within, found }: Visit): void {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const element: unknown = value[index];
      // Plain elements of one array may be combined freely: only what an object or a nested array holds belongs together.
      const inner = typeof element === 'object' && element !== null ? { array: value, index, outer: within } : within;
      visit(element, { step, within: inner, found });
    }
  } else if (typeof value === 'object' && value !== null) {
    visitObject(value as Readonly<Record<string, unknown>>, { step, within, found });
  } else if (step.field !== undefined && typeof value !== 'function') {
    // A function is no field but one of Object.prototype's, such as `constructor`.
    found[step.field]?.push({ value: value as Scalar, within });
  }
}

function buildSteps(paths: readonly string[]): Step {
  const root: Step = { field: undefined, next: [] };
  const steps = new Map<string, Step>();
  for (const [field, path] of paths.entries()) {
    const keys = path.split('.');
    for (let from = 0; from < keys.length; from++) {
      const start = from === 0 ? root : (steps.get(keys.slice(0, from).join('.')) as Step);
      for (let to = from + 1; to <= keys.length; to++) {
        const key = keys.slice(from, to).join('.');
        if (start.next.some(([known]) => known === key)) continue;
        const name = keys.slice(0, to).join('.');
        const step = steps.get(name) ?? { field: undefined, next: [] };
        steps.set(name, step);
        start.next.push([key, step]);
      }
    }
    (steps.get(path) as Step).field = field;
  }
  return root;
}
