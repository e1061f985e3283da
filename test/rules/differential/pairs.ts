import { createDice, type Dice } from '../../simulation/dice.ts';
import { writeMatcher } from './matchers.ts';
import { FAULTY_LEAVES, FAULTY_PATTERNS, KEYS, NUMBERS, ODD_NUMBERS, PLAIN, STRINGS } from './vocabulary.ts';

/** A pattern and an event, as texts, so that a number keeps the way it is written. */
export interface Pair {
  readonly pattern: string;
  readonly event: string;
}

/** A value of an event and the keys that lead to it; arrays on the way leave no trace. */
interface Leaf {
  readonly keys: readonly string[];
  readonly text: string;
}

/** Makes pairs of which about as many match as do not: most patterns are made of what their event holds. */
export function createPairs(seed: number): () => Pair {
  const dice = createDice(seed, 'pairs');
  return () => {
    const leaves: Leaf[] = [];
    const event = writeObject(dice, { keys: [], leaves });
    if (dice.chance(0.02)) return { pattern: dice.pick(FAULTY_PATTERNS), event };
    const known = dice.chance(0.9) ? leaves : leaves.slice(0, 1);
    return { pattern: writePattern(dice, { leaves: known, depth: 0 }), event };
  };
}

function writeObject(dice: Dice, { keys, leaves }: { keys: readonly string[]; leaves: Leaf[] }): string {
  const count = dice.int(keys.length === 0 ? 1 : 0, keys.length > 2 ? 1 : 4);
  const names = new Set(Array.from({ length: count }, () => dice.pick(KEYS)));
  const fields = [...names].map(
    (name) => `${JSON.stringify(name)}:${writeValue(dice, { keys: [...keys, name], leaves })}`,
  );
  return `{${fields.join(',')}}`;
}

function writeValue(dice: Dice, place: { keys: readonly string[]; leaves: Leaf[] }): string {
  const kind = dice.int(0, place.keys.length > 3 ? 6 : 12);
  if (kind <= 6) {
    const text = writeScalar(dice);
    place.leaves.push({ keys: place.keys, text });
    return text;
  }
  if (kind <= 9) return writeObject(dice, place);
  if (kind === 10) return writeRows(dice, place);
  return `[${Array.from({ length: dice.int(0, 3) }, () => writeValue(dice, place)).join(',')}]`;
}

/** Objects that are alike, as arrays mostly hold them. */
function writeRows(dice: Dice, { keys, leaves }: { keys: readonly string[]; leaves: Leaf[] }): string {
  const names = ['a', 'b', 'c'].filter(() => dice.chance(0.8));
  const rows = Array.from({ length: dice.int(2, 3) }, () => {
    const fields = names.filter(() => dice.chance(0.8));
    return `{${fields.map((name) => `"${name}":${writeValue(dice, { keys: [...keys, name], leaves })}`).join(',')}}`;
  });
  return `[${rows.join(',')}]`;
}

function writeScalar(dice: Dice): string {
  if (dice.chance(0.55)) return dice.pick(STRINGS);
  if (dice.chance(0.01)) return dice.pick(ODD_NUMBERS);
  return dice.pick(dice.chance(0.7) ? NUMBERS : PLAIN);
}

function writePattern(dice: Dice, { leaves, depth }: { leaves: readonly Leaf[]; depth: number }): string {
  const fields = new Map<string, string>();
  const wanted = dice.int(1, 3);
  for (let tries = 0; fields.size < wanted && tries < 6; tries++) {
    const leaf = leaves.length === 0 || dice.chance(0.07) ? undefined : dice.pick(leaves);
    const key = leaf?.keys[0] ?? dice.pick(KEYS);
    if (key !== '$or' && !fields.has(key)) fields.set(...writeField(dice, { key, leaves, depth }));
  }
  if (fields.size === 0) fields.set('a', writeLeaf(dice, []));
  if (depth < 3 && dice.chance(0.12)) {
    const alternatives = Array.from({ length: dice.int(2, 3) }, () => writePattern(dice, { leaves, depth: depth + 1 }));
    // What an alternative asks for must not be asked for beside $or, too; a few such patterns are left to be refused.
    const asked = [...fields.keys()].filter((key) => alternatives.some((one) => one.includes(`"${key}"`)));
    if (dice.chance(0.95)) for (const key of asked) fields.delete(key);
    fields.set('$or', `[${alternatives.join(',')}]`);
  }
  return `{${[...fields].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
}

function writeField(
  dice: Dice,
  { key, leaves, depth }: { key: string; leaves: readonly Leaf[]; depth: number },
): [key: string, text: string] {
  const inside = leaves.filter(({ keys }) => keys[0] === key).map(({ keys, text }) => ({ keys: keys.slice(1), text }));
  const here = inside.filter(({ keys }) => keys.length === 0).map(({ text }) => text);
  const deeper = inside.filter(({ keys }) => keys.length > 0);
  const [child] = deeper;
  if (child === undefined || !dice.chance(here.length === 0 ? 0.93 : 0.5)) return [key, writeLeaf(dice, here)];
  // A dot joins what nests: both are one path to EventBridge.
  if (child.keys.length === 1 && dice.chance(0.05)) return [`${key}.${child.keys[0]}`, writeLeaf(dice, [child.text])];
  return [key, writePattern(dice, { leaves: deeper, depth: depth + 1 })];
}

function writeLeaf(dice: Dice, texts: readonly string[]): string {
  if (dice.chance(0.02)) return dice.pick(FAULTY_LEAVES);
  const matchers = Array.from({ length: dice.chance(0.65) ? 1 : dice.int(2, 3) }, () => {
    const isKnown = texts.length > 0 && dice.chance(0.75);
    return writeMatcher(dice, isKnown ? dice.pick(texts) : writeScalar(dice));
  });
  return `[${matchers.join(',')}]`;
}
