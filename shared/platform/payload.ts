import { ProtocolError } from '../errors.ts';
import { isObject, parseJson } from '../relay/json.ts';

/** Under which name an envelope may have its list. */
const LIST_NAMES = ['results', 'messages', 'requests', 'connections', 'changes', 'items', 'events', 'data'];
/** What an envelope says of its list; anything else makes it a message that has a list in it. */
const ABOUT_LIST = new Set([
  ...['total', 'count', 'size', 'page', 'pages', 'limit', 'offset', 'hasMore', 'more', 'next', 'cursor', 'success'],
]);

/**
 * Takes what a long poll gave apart into messages: one object, an array, an envelope of these, or a text that is no
 * JSON. What says nothing (an empty body, `{}`, `[]`, `null`) gives none; nothing else is left out.
 */
export function readMessages(text: string): readonly unknown[] {
  if (text.trim() === '') return [];
  let body: unknown;
  try {
    body = parseJson(text);
  } catch {
    return [text];
  }
  return unwrap(body).filter(saysSomething);
}

function unwrap(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  const list = findList(body);
  if (list === undefined) return [body];
  return Object.keys(body as object).every((name) => LIST_NAMES.includes(name) || ABOUT_LIST.has(name)) ? list : [body];
}

/**
 * Reads a list in whatever envelope; an empty body is an empty list.
 * @throws {ProtocolError} for anything else, which must never pass for an empty list
 */
export function readRows(path: string, text: string): readonly unknown[] {
  if (text.trim() === '') return [];
  try {
    const body = parseJson(text);
    const list = Array.isArray(body) ? body : findList(body);
    if (list !== undefined) return list;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new ProtocolError(`GET ${path} answered without a list`);
}

function findList(body: unknown): readonly unknown[] | undefined {
  if (!isObject(body)) return undefined;
  return LIST_NAMES.map((name) => body[name]).find((value) => Array.isArray(value));
}

function saysSomething(value: unknown): boolean {
  if (value === null || value === '') return false;
  return Array.isArray(value) ? value.length > 0 : !isObject(value) || Object.keys(value).length > 0;
}
