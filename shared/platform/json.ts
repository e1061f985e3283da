/** A whole number of 16 digits or more, or a decimal of 17 or more: a double may not hold it exactly. */
const LONG_NUMBER = /[:[,\s]-?(?:\d{16,}|\d+\.\d{15,})/;

interface SourceContext {
  readonly source?: string;
}

// Part of the language since ES2026; the compiler's library has no types for it yet.
const json = JSON as unknown as {
  parse(text: string, revive: (key: string, value: unknown, context: SourceContext) => unknown): unknown;
  rawJSON(text: string): unknown;
};

/**
 * Parses JSON; numbers that a double would alter keep their digits, so that two long ids stay two.
 * @throws {SyntaxError}
 */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && source.length > 15 && String(value) !== source
      ? json.rawJSON(source)
      : value,
  );
}
