import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { ConfigurationError } from '../shared/errors.ts';
import { type CompiledPattern, compilePattern } from '../shared/rules/pattern.ts';
import { PatternError } from '../shared/rules/pattern-error.ts';
import { isReadyPattern, READY_PATTERNS } from '../shared/subscribing/ready-patterns.ts';
import type { Io } from './io.ts';
import { addPlatformOptions, numberFrom } from './platform-command.ts';
import { createPrinter } from './print.ts';
import { type EventsOptions, type RuleEvent, readEvents } from './rule-events.ts';
import type { Column } from './table.ts';
import { clean, describe } from './text.ts';

const HELP = `
A pattern is the name of a ready one (relay rules list) or a file with an EventBridge pattern as JSON.

Examples:
  relay rules test bank-details-changed --last P7D
  relay rules test pattern.json --events data/events.jsonl
  relay rules test login-failed --sandbox --json | jq .detail.summary
`;

const COLUMNS: readonly Column<RuleEvent>[] = [
  { title: 'TIME', of: ({ time }) => describe(time) },
  { title: 'TYPE', of: (event) => clean(event['detail-type']) },
  { title: 'SUMMARY', of: ({ detail }) => describe(Object(detail.data).summary) },
];

/** Adds `rules list` and `rules test`. */
export function addRuleCommands(program: Command, io: Io): void {
  const rules = program.command('rules').description('Try what a rule would fire on.');

  rules
    .command('list')
    .description('List the ready patterns.')
    .option('--json', 'write a line of JSON for each result')
    .action(({ json }: { json?: boolean }) => {
      const ready = Object.entries(READY_PATTERNS).map(([name, { description, pattern }]) => ({
        name,
        description,
        pattern,
      }));
      const columns: readonly Column<(typeof ready)[number]>[] = [
        { title: 'NAME', of: ({ name }) => name, whole: true },
        { title: 'FIRES WHEN', of: ({ description }) => description },
      ];
      return createPrinter({ columns, json }, io)(ready);
    });

  addPlatformOptions(
    rules
      .command('test')
      .description('Show which events of the past would have fired a rule, and how often.')
      .argument('<pattern>', 'the name of a ready pattern, or a file')
      .option('--events <file>', 'try it on a file of bus events, one as JSON a line')
      .option('--sandbox', 'try it on a made-up week')
      .option('--last <duration>', 'try it on the audit trail of the platform, so far back, e.g. PT1H or P7D')
      .addOption(
        new Option('--show <count>', 'how many of the last events a table shows; --json writes all')
          .default(20)
          .argParser(numberFrom(0, 1_000_000)),
      )
      .addHelpText('after', HELP),
  ).action((name: string, options: EventsOptions & { show: number }) => {
    const { json, show } = options;
    const pattern = compile(name);
    return readEvents(options, io, async (pages) => {
      const print = createPrinter({ columns: COLUMNS, json }, io);
      let last: readonly RuleEvent[] = [];
      let [all, fired] = [0, 0];
      for await (const events of pages) {
        const matching = events.filter((event) => pattern.matches(event));
        all += events.length;
        fired += matching.length;
        io.progress(`${all.toLocaleString('en')} events`);
        if (json) await print(matching);
        else if (show > 0) last = [...last, ...matching].slice(-show);
      }
      await print(last);
      const times = `${fired.toLocaleString('en')} times in ${all.toLocaleString('en')} events`;
      const rest = !json && fired > last.length ? `; the last ${last.length} are shown, --show ${fired} shows all` : '';
      io.note(`Would have fired ${times}${rest}.`);
    });
  });
}

/** @throws {ConfigurationError} for what EventBridge would refuse, in its words */
function compile(name: string): CompiledPattern {
  if (isReadyPattern(name)) return compilePattern(READY_PATTERNS[name].pattern);
  let text: string;
  try {
    text = readFileSync(name, 'utf8');
  } catch {
    throw new ConfigurationError([`<pattern> is wrong: there is no ready pattern and no file ${name}`]);
  }
  try {
    return compilePattern(text);
  } catch (error) {
    if (error instanceof PatternError) throw new ConfigurationError([error.message]);
    throw error;
  }
}
