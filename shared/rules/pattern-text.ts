import { PatternError } from './pattern-error.ts';

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/**
 * Parses the text of a pattern.
 * @throws {PatternError} where it is no JSON, or a key stands twice in an object, of which JSON would keep the last
 */
export function parsePatternText(text: string): unknown {
  let pattern: unknown;
  try {
    pattern = JSON.parse(text);
  } catch (error) {
    throw new PatternError('', (error as Error).message);
  }
  refuseRepeatedKeys(text);
  return pattern;
}

/** Knows the text to be JSON, so that what it does not look for needs no care. */
function refuseRepeatedKeys(text: string): void {
  const open: Set<string>[] = [];
  let previous = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const key = JSON.parse(previous) as string;
      const keys = open.at(-1) as Set<string>;
      if (keys.has(key))
        throw new PatternError('', `"${key}" stands twice in the same object: put its values in one array`);
      keys.add(key);
    }
    previous = token;
  }
}
