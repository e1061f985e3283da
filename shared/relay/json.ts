/** A whole number of 16 digits or more, a decimal of 15 or more, an exponent of three: a double may not hold it exactly. */
const LONG_NUMBER = /[:[,\s]-?(?:\d{16,}|\d+\.\d{15,}|\d[\d.]*e[+-]?\d{3})/i;

interface SourceContext {
  readonly source?: string;
}

/** A number kept as the text it came as, because a double would alter it. */
interface RawJson {
  readonly rawJSON: string;
}

// Part of the language since ES2026; the compiler's library has no types for it yet.
const json = JSON as unknown as {
  parse(text: string, revive: (key: string, value: unknown, context: SourceContext) => unknown): unknown;
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is RawJson;
};

/**
 * Parses JSON; numbers that a double would alter keep their digits, so that two long ids stay two.
 * @throws {SyntaxError}
 */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && alters(value, source) ? json.rawJSON(source) : value,
  );
}

const alters = (value: number, source: string): boolean =>
  !Number.isFinite(value) || (source.length > 15 && String(value) !== source);

/** Gives the digits of a number that `parseJson` kept as text. */
export const rawNumber = (value: unknown): string | undefined => (json.isRawJSON(value) ? value.rawJSON : undefined);

/** True for what is written in braces. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !json.isRawJSON(value);

/** Writes a parsed value as JSON, however deep it is nested. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The engine's own is recursive and gives up some thousand levels down.
    if (error instanceof RangeError) return writeIteratively(value, (keys) => keys);
    throw error;
  }
}

/** Writes a parsed value as JSON with sorted keys, so that equal records give equal texts. */
export const canonicalJson = (value: unknown): string => writeIteratively(value, (keys) => keys.sort());

type Step = { readonly text: string } | { readonly value: unknown };

function writeIteratively(root: unknown, arrange: (keys: string[]) => string[]): string {
  let out = '';
  const steps: Step[] = [{ value: root }];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if ('text' in step) {
      out += step.text;
      continue;
    }
    const { value } = step;
    const inner: Step[] = [];
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        inner.push({ text: index === 0 ? '[' : ',' }, { value: item });
      });
      inner.push({ text: value.length === 0 ? '[]' : ']' });
    } else if (isObject(value)) {
      const keys = arrange(Object.keys(value));
      keys.forEach((key, index) => {
        inner.push({ text: `${index === 0 ? '{' : ','}${JSON.stringify(key)}:` }, { value: value[key] });
      });
      inner.push({ text: keys.length === 0 ? '{}' : '}' });
    } else {
      out += JSON.stringify(value);
    }
    for (let index = inner.length - 1; index >= 0; index--) steps.push(inner[index] as Step);
  }
  return out;
}
