/** Patterns that are met in more ways than these are not taken apart. */
const MOST_PARTS = 2_000;

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Fields = Readonly<Record<string, Json>>;

/** Numbers stay as they are written. TypeScript does not know this part of the language yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): Json };
const parseRaw = JSON.parse as (
  text: string,
  revive: (key: string, value: Json, context: { source?: string }) => Json,
) => Json;

/**
 * Takes a valid pattern apart into flat ones, without `$or` and with one matcher a field, one of which matches wherever
 * the whole does; undefined where they are too many.
 */
export function splitPattern(text: string): readonly string[] | undefined {
  const pattern = parseRaw(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? rawJSON(source) : value,
  );
  return splitObject(pattern as Fields, '')?.map((part) => JSON.stringify(part));
}

function splitObject(fields: Fields, prefix: string): readonly Fields[] | undefined {
  let parts: readonly Fields[] = [{}];
  for (const [key, value] of Object.entries(fields)) {
    const choices = key === '$or' ? splitOr(value as readonly Fields[], prefix) : splitField(`${prefix}${key}`, value);
    if (choices === undefined || parts.length * choices.length > MOST_PARTS) return undefined;
    parts = parts.flatMap((part) => choices.map((choice) => ({ ...part, ...choice })));
  }
  return parts;
}

function splitOr(alternatives: readonly Fields[], prefix: string): readonly Fields[] | undefined {
  const split = alternatives.map((alternative) => splitObject(alternative, prefix));
  return split.includes(undefined) ? undefined : (split as (readonly Fields[])[]).flat();
}

function splitField(path: string, value: Json): readonly Fields[] | undefined {
  if (Array.isArray(value)) return (value as readonly Json[]).map((matcher) => ({ [path]: [matcher] }));
  return splitObject(value as Fields, `${path}.`);
}
