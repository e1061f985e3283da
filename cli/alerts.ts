import { readFileSync, writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { isWebhook } from '../shared/alerts/addresses.ts';
import { type Alert, type AlertInput, alertSchema, patternOf } from '../shared/alerts/alert.ts';
import { type AlertEvent, readArrival } from '../shared/alerts/arrival.ts';
import { toTeams } from '../shared/alerts/card.ts';
import { type Message, toMessage } from '../shared/alerts/message.ts';
import { toSlack } from '../shared/alerts/slack.ts';
import { createPost } from '../shared/alerts/webhook.ts';
import { ConfigurationError } from '../shared/errors.ts';
import { compilePattern } from '../shared/rules/pattern.ts';
import { PatternError } from '../shared/rules/pattern-error.ts';
import { isReadyPattern } from '../shared/subscribing/ready-patterns.ts';
import type { Io } from './io.ts';
import { numberFrom } from './platform-command.ts';
import { readSandbox } from './rule-events.ts';
import { escapeJson } from './text.ts';

interface PreviewOptions {
  readonly channel?: Alert['channel'];
  readonly count: number;
  readonly html?: string;
}

interface SendOptions extends PreviewOptions {
  readonly webhookFile?: string;
}

const HELP = `
An alert is the name of a ready pattern (relay rules list) or a file with one alert as a tenant file has it.
The events in the message are made up.

Examples:
  relay alerts preview bank-details-changed
  relay alerts preview alert.json --count 14 --html preview.html
  relay alerts send --test alert.json --webhook-file webhook.txt
`;
const SEND_MS = 15_000;

/** Adds `alerts preview` and `alerts send`. */
export function addAlertCommands(program: Command, io: Io): void {
  const alerts = program.command('alerts').description('Show and try messages to Slack and Teams.');

  addMessageOptions(alerts.command('preview').description('Show the message that an alert would send.'))
    .option('--html <file>', 'write a page that shows it instead')
    .action(async (name: string, options: PreviewOptions) => {
      const alert = readAlert(name, options);
      const payload = toPayload(alert, await makeMessage(alert, options, io));
      if (options.html === undefined) return io.write(`${escapeJson(JSON.stringify(payload, null, 2))}\n`);
      const { writeAlertFile } = await import('../sandbox/console/alert-file.ts');
      const { channel } = alert;
      const page = writeAlertFile([{ channel, name: alert.name, receivedMs: io.clock(), payload }]);
      writePage(options.html, page);
      io.note(`${options.html} shows the message.`);
    });

  addMessageOptions(alerts.command('send').description('Send a made-up message, which says that it is a test.'))
    .requiredOption('--test', 'needed: nothing but a test is sent by hand')
    .option('--webhook-file <file>', 'file with the address of the webhook (else RELAY_WEBHOOK has it)')
    .action(async (name: string, options: SendOptions) => {
      const alert = readAlert(name, options);
      const address = readWebhook(options, io);
      const { title, ...rest } = await makeMessage(alert, options, io);
      const payload = toPayload(alert, { ...rest, title: `Test: ${title}` });
      const outcome = await createPost({ clock: io.clock })(address, payload, io.clock() + SEND_MS);
      if (outcome.kind !== 'sent') throw new Error(`Nothing was sent: ${outcome.reason}`);
      io.note(alert.channel === 'slack' ? 'Slack has taken the message.' : 'Teams has accepted the message.');
    });
}

const addMessageOptions = (command: Command): Command =>
  command
    .argument('<alert>', 'the name of a ready pattern, or a file')
    .addOption(new Option('--channel <channel>', 'for a ready pattern').choices(['slack', 'teams']))
    .addOption(new Option('--count <n>', 'how many events came together').default(1).argParser(numberFrom(1, 1000)))
    .addHelpText('after', HELP);

/** @throws {ConfigurationError} */
function writePage(path: string, page: string): void {
  try {
    writeFileSync(path, page);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError([`--html is wrong: no file can be written there (${code})`]);
  }
}

const toPayload = ({ channel }: Alert, message: Message): object =>
  channel === 'slack' ? toSlack(message) : toTeams(message);

/** @throws {ConfigurationError} naming what is wrong in the file */
function readAlert(name: string, { channel }: PreviewOptions): Alert {
  const written: unknown = isReadyPattern(name)
    ? ({ name, pattern: name, channel: channel ?? 'slack', severity: 'warning' } satisfies AlertInput)
    : readJson(name);
  const { data, error } = alertSchema.safeParse(written);
  if (data) return channel ? { ...data, channel } : data;
  throw new ConfigurationError(error.issues.map(({ path, message }) => ['<alert>:', ...path, message].join(' ')));
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new ConfigurationError([`<alert> is wrong: there is no ready pattern and no file ${path}`]);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError([`<alert> is wrong: ${path} is not JSON`]);
  }
}

/** @throws {ConfigurationError} where the pattern is none, or nothing that is made up fires it */
async function makeMessage(alert: Alert, { count }: PreviewOptions, io: Io): Promise<Message> {
  const pattern = compile(alert);
  const events: AlertEvent[] = [];
  for await (const made of readSandbox(io)) {
    for (const event of made.filter((each) => pattern.matches(each))) {
      const arrival = readArrival(JSON.stringify({ alert: alert.name, event }));
      if (arrival) events.push(arrival.event);
    }
  }
  if (events.length > 0) return toMessage({ alert, tenant: 'sandbox', events: events.slice(-count) });
  throw new ConfigurationError(['<alert>: no event of a made-up week fires its pattern: try relay rules test']);
}

function compile(alert: Alert) {
  try {
    return compilePattern(patternOf(alert));
  } catch (error) {
    if (error instanceof PatternError) throw new ConfigurationError([`<alert>: ${error.message}`]);
    throw error;
  }
}

/** Never from the command line, which others on the machine can read. @throws {ConfigurationError} without a word of the address */
function readWebhook({ webhookFile }: SendOptions, io: Io): string {
  let address = io.env.RELAY_WEBHOOK ?? '';
  if (webhookFile !== undefined) {
    try {
      address = readFileSync(webhookFile, 'utf8');
    } catch {
      throw new ConfigurationError(['--webhook-file is wrong: no file can be read there']);
    }
  }
  address = address.trim();
  if (isWebhook(address)) return address;
  const state = address === '' ? 'missing' : 'wrong';
  throw new ConfigurationError([
    `The webhook is ${state}: expected an https address in --webhook-file or RELAY_WEBHOOK`,
  ]);
}
