import { readAddress } from '../../../shared/rules/ip-address.ts';

/** A pair on which Ruler and this matcher do not agree. */
export interface Difference {
  readonly pattern: string;
  readonly event: string;
  /** What Ruler says: `true`, `false` or `error`. */
  readonly ruled: string;
  /** Why this matcher refuses the pattern; empty if it does not. */
  readonly reason: string;
}

/** What one takes as a pattern and the other does not. */
const REFUSALS: Readonly<Record<string, (difference: Difference) => boolean>> = {
  'a key that stands twice in an object': ({ reason }) => reason.includes('stands twice'),
  'an empty list in anything-but': ({ reason }) => reason.includes('with an empty list'),
  'text after the pattern': ({ reason }) => reason.includes('after JSON'),
  'a block with a slash at its end': ({ reason }) => /one '\/' required.*\/"$/.test(reason),
  'a range above the largest double': ({ pattern, ruled }) =>
    ruled === 'error' && /">=?",1\.7976931348623157e308/.test(pattern),
  'a number that a double does not hold as it is written': ({ pattern }) => hasOddNumber(pattern),
};

/** What a pattern with one matcher a field means to the one and not to the other. */
const MEANINGS: Readonly<Record<string, (difference: Difference) => boolean>> = {
  'a number that a double does not hold as it is written': ({ pattern, event }) =>
    hasOddNumber(pattern) || hasOddNumber(event),
  'an address held against a block of the other version': ({ pattern, event, ruled }) =>
    ruled === 'true' && meetsOtherVersion(pattern, event),
  'a number that reads like an address': ({ pattern, event, ruled }) =>
    ruled === 'true' && listNumbers(event).length > 0 && listAddresses(pattern).length > 0,
  'a character beyond the first 65,536, in whatever case': ({ pattern }) =>
    /"equals-ignore-case":[^}]*[\u{10000}-\u{10ffff}]/u.test(pattern),
  'a quotation mark where a prefix ends or a suffix begins': ({ pattern }) =>
    /"prefix":[^}]*\\""|"suffix":[^}]*"\\"/.test(pattern),
};

/** Names what is known of a difference over whether a pattern is valid; undefined where it is news. */
export function explainRefusal(difference: Difference): string | undefined {
  return Object.keys(REFUSALS).find((name) => REFUSALS[name]?.(difference));
}

/** Names what is known of a difference over what a pattern matches; undefined where it is news. */
export function explainMeaning(difference: Difference): string | undefined {
  return Object.keys(MEANINGS).find((name) => MEANINGS[name]?.(difference));
}

function listStrings(text: string): string[] {
  return (text.match(/"(?:[^"\\]|\\.)*"/g) ?? []).map((string) => JSON.parse(string) as string);
}

function listNumbers(text: string): string[] {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? [];
}

function hasOddNumber(text: string): boolean {
  return listNumbers(text).some((number) => !isHeld(number));
}

/** Whether the shortest text of the double is the number that was written; Java has its own for the smallest. */
function isHeld(text: string): boolean {
  const number = Number(text);
  if (Math.abs(number) > 0 && Math.abs(number) < 2.3e-308) return false;
  return normalise(text) === normalise(String(number));
}

/** A number as its digits without zeros at either end, and the power of ten that they are to be multiplied by. */
function normalise(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** The addresses of a text, of blocks too, as digits. */
function listAddresses(text: string): string[] {
  return listStrings(text).flatMap((string) => readAddress(string.split('/')[0] as string) ?? []);
}

function meetsOtherVersion(pattern: string, event: string): boolean {
  const given = listAddresses(event);
  return listAddresses(pattern).some((asked) => given.some(({ length }) => length !== asked.length));
}
