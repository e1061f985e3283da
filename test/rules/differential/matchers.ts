import type { Dice } from '../../simulation/dice.ts';
import { NUMBERS, PLAIN, STRINGS } from './vocabulary.ts';

/** Writes a value or a matcher that has to do with a value, all as JSON text: it matches that value, or nearly. */
export function writeMatcher(dice: Dice, text: string): string {
  if (dice.chance(0.08)) return `{"exists":${dice.chance(0.5)}}`;
  if (dice.chance(0.2)) return text;
  if (text.startsWith('"')) return writeStringMatcher(dice, JSON.parse(text) as string);
  if (PLAIN.includes(text)) return dice.chance(0.5) ? text : writeStringMatcher(dice, text);
  return writeNumberMatcher(dice, text);
}

function writeNumberMatcher(dice: Dice, text: string): string {
  const other = () =>
    dice.chance(0.5) ? dice.pick(NUMBERS) : (NUMBERS.find((one) => Number(one) === Number(text)) ?? text);
  switch (dice.int(0, 6)) {
    case 0:
      return other();
    case 1:
      return `{"anything-but":${other()}}`;
    case 2:
      return `{"anything-but":[${[other(), dice.pick(NUMBERS)].join(',')}]}`;
    case 3:
      return `{"numeric":["=",${other()}]}`;
    case 4:
      return `{"numeric":["${dice.pick(['<', '<=', '>', '>='])}",${other()}]}`;
    default: {
      const ends = [other(), dice.pick(NUMBERS)].sort((one, two) => Number(one) - Number(two));
      return `{"numeric":["${dice.pick(['>', '>='])}",${ends[0]},"${dice.pick(['<', '<='])}",${ends[1]}]}`;
    }
  }
}

function writeStringMatcher(dice: Dice, value: string): string {
  const write = (name: string, operand: unknown) => JSON.stringify({ [name]: operand });
  const letters = [...value];
  const cut = dice.int(0, letters.length);
  const start = letters.slice(0, cut).join('');
  const end = letters.slice(cut).join('');
  const flipped = dice.chance(0.5) ? value.toUpperCase() : value.toLowerCase();
  const word = () => JSON.parse(dice.pick(STRINGS)) as string;
  const oneOrMore = (text: string) => (dice.chance(0.5) ? text : [text, word()].filter((one) => one !== ''));
  switch (dice.int(0, 14)) {
    case 0:
      return JSON.stringify(respell(value));
    case 1:
      return write('exactly', value);
    case 2:
      return write('prefix', dice.chance(0.8) ? start : word());
    case 3:
      return write('suffix', dice.chance(0.8) ? end : word());
    case 4:
      return write('equals-ignore-case', dice.chance(0.8) ? flipped : word());
    case 5:
      return write('prefix', { 'equals-ignore-case': [...flipped].slice(0, cut).join('') });
    case 6:
      return write('suffix', { 'equals-ignore-case': [...flipped].slice(cut).join('') });
    case 7:
    case 8:
      return write('wildcard', writeWildcard(dice, letters));
    case 9:
      return write('anything-but', dice.chance(0.5) ? value : [value, word()]);
    case 10:
      return write('anything-but', { [dice.pick(['prefix', 'suffix'])]: oneOrMore(dice.chance(0.5) ? start : end) });
    case 11:
      return write('anything-but', { 'equals-ignore-case': oneOrMore(flipped) });
    case 12:
      return write('anything-but', {
        wildcard: dice.chance(0.5)
          ? writeWildcard(dice, letters)
          : [writeWildcard(dice, letters), writeWildcard(dice, [...word()])],
      });
    case 13:
      return write('cidr', writeBlock(dice, value));
    default:
      return JSON.stringify(word());
  }
}

/** Another spelling where it is an address, which makes no other address of it. */
function respell(value: string): string {
  return value.includes(':') ? value.toUpperCase().replace(/^([1-9])/, '0$1') : value.replace(/^(\d+\.)/, '0$1');
}

function writeWildcard(dice: Dice, letters: readonly string[]): string {
  const pieces = letters.flatMap((letter) => {
    const piece = letter.replace(/[\\*]/, '\\$&');
    if (dice.chance(0.35)) return '*';
    // A letter on both sides of a star must not be found twice in the same place.
    return dice.chance(0.1) ? [piece, '*', piece] : piece;
  });
  if (dice.chance(0.2)) pieces.push('*');
  const text = pieces.join('');
  return dice.chance(0.97) ? text.replace(/(?<!\\)(\\\\)*\*+/g, (stars) => stars.replace(/\*+$/, '*')) : text;
}

function writeBlock(dice: Dice, value: string): string {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(value)) return `${value}/${dice.int(0, dice.chance(0.05) ? 33 : 31)}`;
  if (value.includes(':')) return `${value}/${dice.int(0, dice.chance(0.05) ? 129 : 127)}`;
  return dice.pick(['10.0.0.0/8', '10.0.0.0/28', '0.0.0.0/0', '::/0', '2001:db8::/64', '10.0.0.1/31']);
}
