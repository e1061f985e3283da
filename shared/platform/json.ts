/** A whole number of 16 digits or more, a decimal of 15 or more, an exponent of three: a double may not hold it exactly. */
const LONG_NUMBER = /[:[,\s]-?(?:\d{16,}|\d+\.\d{15,}|\d[\d.]*e[+-]?\d{3})/i;

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
    typeof value === 'number' && source !== undefined && alters(value, source) ? json.rawJSON(source) : value,
  );
}

const alters = (value: number, source: string): boolean =>
  !Number.isFinite(value) || (source.length > 15 && String(value) !== source);
