import { parseArgs } from 'node:util';
import { compilePattern } from '../../../shared/rules/pattern.ts';
import { PatternError } from '../../../shared/rules/pattern-error.ts';
import { explainMeaning, explainRefusal } from './differences.ts';
import { createPairs, type Pair } from './pairs.ts';
import { splitPattern } from './parts.ts';
import { startRuler } from './ruler.ts';

const CHUNK = 2_000;
/** Unexplained differences that are shown; the count is always whole. */
const MOST_SHOWN = 20;
const SELF_CONTRADICTION = 'Ruler answers the whole pattern otherwise than its parts';
const DIVISION = 'Ruler answers otherwise with its structured matching than without';
const OPERATORS = [
  ...[
    'exactly',
    'prefix',
    'suffix',
    'equals-ignore-case',
    'wildcard',
    'numeric',
    'cidr',
    'anything-but',
    'exists',
    '$or',
  ],
];

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
  },
});
const total = Number(values.pairs);
const makePair = createPairs(Number(values.seed));
const counts = new Map<string, { match: number; miss: number; refused: number }>();
const explained = new Map<string, number>();
let unexplained = 0;

const ruler = startRuler();
try {
  for (let done = 0; done < total; done += CHUNK) {
    const pairs = Array.from({ length: Math.min(CHUNK, total - done) }, makePair);
    const answers = await ruler.ask(pairs);
    for (const [index, pair] of pairs.entries()) await compare(pair, answers[index] as string);
  }
} finally {
  await ruler.stop();
}
report();
process.exitCode = unexplained > 0 ? 1 : 0;

async function compare(pair: Pair, answer: string): Promise<void> {
  const ruled = answer.startsWith('error') ? 'error' : answer;
  count(pair.pattern, ruled);
  const { verdict, reason } = judge(pair);
  if (verdict === ruled) return;
  const known =
    verdict === 'error' || ruled === 'error'
      ? explainRefusal({ ...pair, ruled, reason })
      : await explainParts(pair, verdict);
  if (known !== undefined) {
    explained.set(known, (explained.get(known) ?? 0) + 1);
    return;
  }
  unexplained += 1;
  if (unexplained <= MOST_SHOWN)
    console.log(`pattern ${pair.pattern}\nevent   ${pair.event}\nRuler   ${answer}\nhere    ${verdict} ${reason}\n`);
}

/**
 * A pattern matches where one of its parts does; where the parts are agreed on, Ruler's answer to the whole is not the
 * one that it gives to the parts.
 */
async function explainParts({ pattern, event }: Pair, verdict: string): Promise<string | undefined> {
  const parts = splitPattern(pattern)?.map((part) => ({ pattern: part, event }));
  if (parts === undefined) return undefined;
  const answers = await ruler.ask(parts);
  const differing = parts.flatMap((part, index) => {
    const answer = answers[index] as string;
    if (answer === 'divided') return [DIVISION];
    return judge(part).verdict === answer ? [] : [explainMeaning({ ...part, ruled: answer, reason: '' })];
  });
  if (differing.length === 0) return String(answers.includes('true')) === verdict ? SELF_CONTRADICTION : undefined;
  return differing.includes(undefined) ? undefined : differing[0];
}

/** A pattern given as a text and one given as an object must come to the same. */
function judge({ pattern, event }: Pair): { verdict: string; reason: string } {
  try {
    const parsed = JSON.parse(event) as object;
    const verdict = compilePattern(pattern).matches(parsed);
    const again = compilePattern(JSON.parse(pattern) as object).matches(parsed);
    return { verdict: verdict === again ? String(verdict) : `${verdict} as text, ${again} as object`, reason: '' };
  } catch (error) {
    if (error instanceof PatternError) return { verdict: 'error', reason: error.message };
    throw error;
  }
}

function count(pattern: string, ruled: string): void {
  const used = OPERATORS.filter((operator) => pattern.includes(`"${operator}"`));
  for (const operator of [...(used.length === 0 ? ['values only'] : used), 'all']) {
    const counted = counts.get(operator) ?? { match: 0, miss: 0, refused: 0 };
    if (ruled === 'true') counted.match += 1;
    else if (ruled === 'false') counted.miss += 1;
    else counted.refused += 1;
    counts.set(operator, counted);
  }
}

function report(): void {
  console.log(
    `${'pairs with'.padEnd(22)}${['match', 'no match', 'refused'].map((head) => head.padStart(10)).join('')}`,
  );
  for (const [operator, { match, miss, refused }] of [...counts].sort())
    console.log(
      `${operator.padEnd(22)}${[match, miss, refused].map((figure) => String(figure).padStart(10)).join('')}`,
    );
  for (const [difference, times] of [...explained].sort())
    console.log(`${String(times).padStart(8)} differ, known: ${difference}`);
  console.log(`${total} pairs from seed ${values.seed}: ${unexplained} unexplained differences`);
}
