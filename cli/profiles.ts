import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { ConfigurationError } from '../shared/errors.ts';
import { type Answers, answersOf } from '../shared/platform/answers.ts';
import { canonicalJson, isObject, parseJson } from '../shared/relay/json.ts';
import { type AnswerOptions, addAnswerOptions, printSheet, toReadOptions } from './answers.ts';
import type { Io } from './io.ts';
import { type AskOptions, addPlatformOptions, askPlatform } from './platform-command.ts';
import { createPrinter } from './print.ts';
import { describe } from './text.ts';

interface UpdateOptions extends AskOptions {
  readonly set?: readonly string[];
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** An answer that is to change. */
interface Change {
  readonly key: string;
  readonly from: unknown;
  readonly to: unknown;
}

const UPDATE_HELP = `
Answers are changed one by one; those that are not named stay as they are. A file holds a JSON
object of answers by their keys, - reads it from stdin.

Examples:
  relay profile update x7Kp2 --set city=Riga --set employees:=120
  relay profile update x7Kp2 answers.json --dry-run
  jq '{city}' other.json | relay profile update x7Kp2 - --yes
`;

/** Adds `profile get` and `profile update`. */
export function addProfileCommands(program: Command, io: Io): void {
  const profile = program.command('profile').description('Show or change the profile of a supplier.');

  addAnswerOptions(profile.command('get').description('Show the answers of a profile.').argument('<publicId>')).action(
    (publicId: string, options: AnswerOptions) =>
      askPlatform(options, io, async (client) => {
        io.progress('Asking for the profile');
        await printSheet(await client.profile(publicId, toReadOptions(options)), options, io);
      }),
  );

  addPlatformOptions(
    profile
      .command('update')
      .description('Change answers of a profile, after showing what will change.')
      .argument('<publicId>')
      .argument('[file]', 'JSON object of answers; - for stdin')
      .option('--set <key=value>', 'change this answer to a text, or with key:=json to any value', collect)
      .option('--yes', 'do not ask')
      .option('--dry-run', 'show what would change, and change nothing')
      .option('--path-prefix <path>', 'what comes before /profile, if not /api/public/api/v1')
      .addHelpText('after', UPDATE_HELP),
  ).action(async (publicId: string, file: string | undefined, options: UpdateOptions) => {
    const answers = { ...(file !== undefined && (await readAnswers(file, io))), ...readSets(options.set) };
    if (Object.keys(answers).length === 0) {
      throw new ConfigurationError(['There is nothing to change: give a file with answers, or --set key=value']);
    }
    // With answers from stdin nobody can be asked.
    if (!options.yes && !options.dryRun && !(io.isInteractive && file !== '-')) {
      throw new ConfigurationError(['Nobody can be asked here: give --yes, or --dry-run to see what would change']);
    }
    await askPlatform(options, io, async (client) => {
      const changes = compare(answersOf(await client.profile(publicId)), answers);
      await printChanges(changes, options, io);
      if (changes.length === 0 || options.dryRun) return;
      if (!options.yes && !(await io.confirm(`Change ${count(changes)} of ${describe(publicId)}?`))) {
        return io.note('Nothing was changed.');
      }
      await client.updateProfile(publicId, Object.fromEntries(changes.map(({ key, to }) => [key, to])));
      io.note(`Changed ${count(changes)} of ${describe(publicId)}.`);
    });
  });
}

const collect = (text: string, before: readonly string[] = []): string[] => [...before, text];

const count = ({ length }: readonly Change[]): string => `${length} answer${length === 1 ? '' : 's'}`;

async function readAnswers(file: string, io: Io): Promise<Answers> {
  const name = file === '-' ? 'stdin' : 'The file of answers';
  let text: string;
  try {
    text = file === '-' ? await io.readInput() : readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigurationError([`${name} cannot be read (${(error as NodeJS.ErrnoException).code})`]);
  }
  try {
    const answers = parseJson(text);
    if (isObject(answers)) return answers;
  } catch {
    // Said below: whatever it is, it is no object.
  }
  throw new ConfigurationError([`${name} is wrong: expected a JSON object of answers by their keys`]);
}

function readSets(sets: readonly string[] = []): Answers {
  return Object.fromEntries(
    sets.map((set) => {
      const [, key, isJson, text] = /^([^=]+?)(:?)=(.*)$/su.exec(set) ?? [];
      if (key === undefined || text === undefined) {
        throw new ConfigurationError(['--set is wrong: expected key=value, or key:=json']);
      }
      if (!isJson) return [key, text];
      try {
        return [key, parseJson(text)];
      } catch {
        throw new ConfigurationError([`--set is wrong: what follows ${describe(key)}:= is no JSON`]);
      }
    }),
  );
}

/** Gives the answers that are not yet as they should be. */
const compare = (current: Answers, wanted: Answers): Change[] =>
  Object.entries(wanted)
    .map(([key, to]) => ({ key, from: Object.hasOwn(current, key) ? current[key] : undefined, to }))
    .filter(({ from, to }) => from === undefined || canonicalJson(from) !== canonicalJson(to));

async function printChanges(changes: readonly Change[], { json }: UpdateOptions, io: Io): Promise<void> {
  if (changes.length === 0) return io.note('Every answer is so already: nothing to change.');
  const columns = [
    { title: 'ANSWER', of: ({ key }: Change) => key },
    { title: 'NOW', of: ({ from }: Change) => (from === undefined ? '(none)' : describe(from)) },
    { title: 'THEN', of: ({ to }: Change) => describe(to) },
  ];
  await createPrinter({ columns, json }, io)(changes);
}
