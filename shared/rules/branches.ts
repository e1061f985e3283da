import { compileField, type Field } from './field.ts';
import { PatternError } from './pattern-error.ts';
import { isObject } from './scalar.ts';

/** One of the ways in which a pattern is met: fields by their dotted paths, all of which must hold. */
export type Branch = ReadonlyMap<string, Field>;

/** `$or`s multiply; more ways than these cost more than a rule is worth. */
const MOST_BRANCHES = 1_000;

/** Inside `$or` these cannot be fields: EventBridge keeps them for matchers, the last for ones to come. */
const RESERVED = new Set([
  ...['exactly', 'equals-ignore-case', 'prefix', 'suffix', 'anything-but', 'exists', 'wildcard', 'numeric', 'cidr'],
  ...['=', '<', '<=', '>', '>=', 'regex', 'not-wildcard', 'not-equals-ignore-case', 'date-after', 'date-on-or-after'],
  ...['date-before', 'date-on-or-before', 'in-date-range', 'ip-address-in-range', 'ip-address-not-in-range'],
]);

/** Where in the pattern an object stands: its path in the pattern, that of its fields, and whether `$or` is above it. */
interface Place {
  readonly path: string;
  readonly field: string;
  readonly insideOr: boolean;
}

/**
 * Reads a pattern as the ways in which it is met: one, or as many as its `$or`s multiply to.
 * @throws {PatternError} naming the first place that EventBridge would refuse
 */
export function readBranches(pattern: unknown): readonly Branch[] {
  if (!isObject(pattern)) throw new PatternError('', 'Filter is not an object: a pattern is an object of fields');
  return readObject(pattern, { path: '', field: '', insideOr: false }, [new Map()]);
}

function readObject(
  object: Readonly<Record<string, unknown>>,
  place: Place,
  branches: readonly Branch[],
): readonly Branch[] {
  const entries = Object.entries(object);
  if (entries.length === 0)
    throw new PatternError(place.path, 'Empty objects are not allowed: name a field, or leave the object out');
  return entries.reduce<readonly Branch[]>((soFar, [key, value]) => {
    const inside: Place = { ...place, path: join(place.path, key) };
    if (key === '$or') return readOr(value, { ...inside, insideOr: true }, soFar);
    if (place.insideOr && RESERVED.has(key))
      throw new PatternError(inside.path, `${key} is a reserved name, which cannot be a field inside $or`);
    const within: Place = { ...inside, field: join(place.field, key) };
    if (Array.isArray(value)) return addField(within, value, soFar);
    if (isObject(value)) return readObject(value, within, soFar);
    throw new PatternError(
      inside.path,
      `"${key}" must be an object or an array: write [${JSON.stringify(value)}] to match that value`,
    );
  }, branches);
}

function readOr(alternatives: unknown, place: Place, branches: readonly Branch[]): readonly Branch[] {
  if (!Array.isArray(alternatives)) throw new PatternError(place.path, 'It must be an Array followed with $or');
  if (alternatives.length < 2)
    throw new PatternError(place.path, 'There must have at least 2 Objects in $or relationship');
  const multiplied = alternatives.flatMap((alternative: unknown, index) => {
    const path = `${place.path}[${index}]`;
    if (isObject(alternative)) return readObject(alternative, { ...place, path }, branches);
    throw new PatternError(path, 'Only JSON object is allowed in array of $or relationship');
  });
  if (multiplied.length > MOST_BRANCHES)
    throw new PatternError(place.path, `$or makes more than ${MOST_BRANCHES} combinations: split the rule`);
  return multiplied;
}

function addField(place: Place, values: readonly unknown[], branches: readonly Branch[]): readonly Branch[] {
  const field = compileField(values, place.path);
  return branches.map((branch) => {
    if (branch.has(place.field))
      throw new PatternError(place.path, `Path \`${place.field}\` cannot be allowed multiple times`);
    return new Map(branch).set(place.field, field);
  });
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
