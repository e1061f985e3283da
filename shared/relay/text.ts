const LONGEST_LINE = 200;
/** Most texts have none, and this is faster to see than to replace. */
const CONTROL = /\p{Cc}/u;

/** Makes a text fit one line of at most 200 characters: control characters become spaces, the rest of a long one is cut. */
export function oneLine(text: string): string {
  const line = withoutControls(text);
  return line.length > LONGEST_LINE ? `${cutAt(line, LONGEST_LINE - 1)}…` : line;
}

/** Replaces control characters by spaces. */
export const withoutControls = (text: string): string => (CONTROL.test(text) ? text.replace(/\p{Cc}+/gu, ' ') : text);

/** Cuts a text to `length` UTF-16 units, never through the middle of a character. */
export const cutAt = (text: string, length: number): string =>
  text.length > length ? text.slice(0, length).replace(/[\ud800-\udbff]$/, '') : text;
