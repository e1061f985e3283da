import { PatternError } from './pattern-error.ts';
import type { Test } from './scalar.ts';

/** Tests for strings that begin with `text`. */
export function testPrefix(text: string): Test {
  return (value) => typeof value === 'string' && value.startsWith(text);
}

/** Tests for strings that end with `text`. */
export function testSuffix(text: string): Test {
  return (value) => typeof value === 'string' && value.endsWith(text);
}

/** Tests for strings that are `text` in whatever case. */
export function testIgnoringCase(text: string): Test {
  const letters = readLetters(text);
  return (value) => typeof value === 'string' && endOf(letters, value) === value.length;
}

/** Tests for strings that begin with `text` in whatever case. */
export function testPrefixIgnoringCase(text: string): Test {
  const letters = readLetters(text);
  return (value) => typeof value === 'string' && endOf(letters, value) !== undefined;
}

/** Tests for strings that end with `text` in whatever case. */
export function testSuffixIgnoringCase(text: string): Test {
  const letters = readLetters(text).reverse();
  return (value) => {
    if (typeof value !== 'string') return false;
    let end = value.length;
    for (const spellings of letters) {
      const spelling = spellings.find((one) => value.endsWith(one, end));
      if (spelling === undefined) return false;
      end -= spelling.length;
    }
    return true;
  };
}

/**
 * Tests for strings of the form `text`, in which `*` stands for any characters or none, `\*` for a star and `\\` for
 * a backslash.
 * @throws {PatternError} where stars follow each other or a backslash stands before anything else
 */
export function testWildcard(text: string, path: string): Test {
  const pieces = readPieces(text, path);
  const first = pieces[0] as string;
  if (pieces.length === 1) return (value) => value === first;
  const last = pieces[pieces.length - 1] as string;
  const between = pieces.slice(1, -1);
  return (value) => {
    if (typeof value !== 'string' || !value.startsWith(first) || !value.endsWith(last)) return false;
    // The earliest place of each piece leaves the most room for the next, so that nothing is tried twice.
    let at = first.length;
    for (const piece of between) {
      const found = value.indexOf(piece, at);
      if (found === -1) return false;
      at = found + piece.length;
    }
    return at <= value.length - last.length;
  };
}

/** The lower and the upper case of each UTF-16 unit; either may be longer than the unit, as in ß and SS. */
function readLetters(text: string): (readonly [lower: string, upper: string])[] {
  return text.split('').map((unit) => [unit.toLowerCase(), unit.toUpperCase()] as const);
}

function endOf(letters: readonly (readonly [string, string])[], value: string): number | undefined {
  let end = 0;
  for (const spellings of letters) {
    const spelling = spellings.find((one) => value.startsWith(one, end));
    if (spelling === undefined) return undefined;
    end += spelling.length;
  }
  return end;
}

function readPieces(text: string, path: string): string[] {
  const pieces = [''];
  for (const [part] of text.matchAll(/\\.?|\*+|[^\\*]+/gs)) {
    if (part === '*') pieces.push('');
    else if (part.startsWith('*'))
      throw new PatternError(path, `Consecutive wildcard characters in "${text}": one * already stands for any text`);
    else if (part.startsWith('\\') && part !== '\\*' && part !== '\\\\')
      throw new PatternError(path, `Invalid escape character in "${text}": only \\* and \\\\ can be escaped`);
    else pieces[pieces.length - 1] += part.startsWith('\\') ? part.slice(1) : part;
  }
  return pieces;
}
