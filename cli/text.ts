import stringWidth from 'string-width';
import { isObject, writeJson } from '../shared/relay/json.ts';

const graphemes = new Intl.Segmenter();
/** What a terminal may obey, or show as something else than it is, and JSON leaves as it is. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Makes text from outside harmless for a terminal: one line, no control or formatting characters. */
export const clean = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** Says a value of the platform in one harmless line; nothing for what is missing. */
export function describe(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return clean(value.join(', '));
  return clean(typeof value === 'string' ? value : writeJson(value));
}

/** Gives the first of the fields that has something to say. */
export function describeField(row: unknown, ...names: readonly string[]): string {
  if (!isObject(row)) return names.length > 0 ? describe(row) : '';
  for (const name of names) {
    const words = describe(row[name]);
    if (words !== '') return words;
  }
  return '';
}

/** Writes a value as a line of JSON that does a terminal no harm; numbers beyond a double keep their digits. */
export const toJsonLine = (value: unknown): string => `${escapeJson(writeJson(value))}\n`;

/** Escapes what JSON may hold and a terminal obeys; the value stays the same. */
export const escapeJson = (json: string): string =>
  json.replace(UNSAFE_IN_JSON, (found) =>
    [...Array(found.length).keys()]
      .map((index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/** Cuts a clean text to so many columns of a terminal, and says so with an ellipsis. */
export function cutTo(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let cut = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += stringWidth(segment);
    if (width >= columns) break;
    cut += segment;
  }
  return `${cut}…`;
}

/** Fills a clean text up to so many columns of a terminal. */
export const padTo = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - stringWidth(text)));
