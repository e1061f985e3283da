import { cutAt } from '../relay/text.ts';

/** Invisible characters that turn or hide text; joiners stay, scripts and emoji need them. */
const INVISIBLE = /(?![\u200c\u200d])\p{Cf}/gu;
/** Controls, lone surrogates and line ends. */
const UNSHOWABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** More marks on one letter than any script has climb over the lines above. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** Makes a text of an event fit to be shown: one line without invisible characters, of at most `longest` UTF-16 units. */
export function show(text: string, longest: number): string {
  // Cut first with room to spare: a text may have a megabyte.
  const line = cutAt(text, longest * 4)
    .replace(INVISIBLE, '')
    .replace(UNSHOWABLE, ' ')
    .replace(PILED_MARKS, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > longest ? `${cutAt(line, longest - 1)}…` : line;
}

/** Gives the variant that fits: texts are cut shorter until the payload has at most `mostBytes` as JSON. */
export function shrinkToFit<T>(mostBytes: number, build: (longest: number) => T): T {
  for (const longest of LENGTHS) {
    const payload = build(longest);
    if (Buffer.byteLength(JSON.stringify(payload)) <= mostBytes) return payload;
  }
  return build(SHORTEST);
}

const LENGTHS = [600, 300, 150];
/** At this length the largest message there can be is within the limit of both services. */
const SHORTEST = 60;
