import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CreateEventBusCommand,
  EventBridgeClient,
  PutEventsCommand,
  PutRuleCommand,
  PutTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import { CreateQueueCommand, DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { onTestFinished } from 'vitest';
import { createAws } from '../../sandbox/aws/aws.ts';
import { FAKE_CREDENTIALS } from '../../sandbox/aws/credentials.ts';
import type { BusEvent } from '../../shared/subscribing/bus-event.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BOOK = readFileSync(join(ROOT, 'docs/subscribing.md'), 'utf8');
const BLOCK = /^ *```(\w+) ?(\S*)\n([\s\S]*?)\n *```$/gm;

interface Block {
  readonly language: string;
  readonly name: string;
  readonly text: string;
}

const readBlocks = (text: string): Block[] =>
  [...text.matchAll(BLOCK)].map(([, language = '', name = '', body = '']) => ({ language, name, text: body }));

/** The files of the document, by name. */
export const FILES: ReadonlyMap<string, string> = new Map(
  readBlocks(BOOK)
    .filter(({ language, name }) => language !== 'sh' && name !== '')
    .map(({ name, text }) => [name, text]),
);

/** A file of the document, parsed. */
export const readJson = (name: string) => JSON.parse(FILES.get(name) ?? '');

/** The command lines of a section, or of the whole document; those of another account are under its number. */
export function readCommands(section = '', account = ''): string[] {
  const start = section === '' ? 0 : BOOK.indexOf(`## ${section}`);
  if (start < 0) throw new Error(`There is no section ${section}`);
  const end = section === '' ? BOOK.length : (/^## /m.exec(BOOK.slice(start + 3))?.index ?? BOOK.length) + start + 3;
  return readBlocks(BOOK.slice(start, end))
    .filter(({ language, name }) => language === 'sh' && name === account)
    .flatMap(({ text }) => text.split('\n').map((line) => line.replace(/ +#.*$/, '').trim()));
}

/** What of the AWS command line is run. */
const COMMANDS = {
  'events put-rule': { client: 'events', Command: PutRuleCommand },
  'events put-targets': { client: 'events', Command: PutTargetsCommand },
  'events create-event-bus': { client: 'events', Command: CreateEventBusCommand },
  'sqs create-queue': { client: 'sqs', Command: CreateQueueCommand },
} as const;
/** Nothing here asks for permissions, or has dead letters to move back. */
const NOT_RUN = ['lambda add-permission', 'events put-permission', 'sqs start-message-move-task'];

/** True for a command of AWS that is run, or that is left out with a reason. */
export const isKnown = (name: string): boolean => name in COMMANDS || NOT_RUN.includes(name);

/** Local AWS of an account, with the tenant's bus where it is the relay's. */
export async function startAccount({ accountId, bus }: { accountId: string; bus: string }) {
  const aws = await createAws({ table: 'history', bus, secrets: {}, accountId });
  const shared = { region: 'us-east-1', credentials: FAKE_CREDENTIALS };
  const clients = {
    events: new EventBridgeClient({ ...shared, endpoint: aws.bus.url }),
    sqs: new SQSClient({ ...shared, endpoint: aws.queues.url }),
  };
  onTestFinished(() => aws.close());
  return {
    aws,
    /** Runs lines of the AWS command line. */
    async run(lines: readonly string[]) {
      for (const line of lines) {
        const [, service, operation, ...options] = line.match(/'[^']*'|\S+/g) ?? [];
        const name = `${service} ${operation}`;
        if (NOT_RUN.includes(name)) continue;
        const command = COMMANDS[name as keyof typeof COMMANDS];
        if (!command) throw new Error(`What does this do: ${line}`);
        const input = Object.fromEntries(pairsOf(options));
        const send = clients[command.client].send.bind(clients[command.client]) as (
          command: unknown,
        ) => Promise<unknown>;
        await send(new (command.Command as new (input: unknown) => unknown)(input));
      }
    },
    /** Takes so many events out of a queue. */
    async receive(queue: string, count: number): Promise<BusEvent[]> {
      const QueueUrl = `${aws.queues.url}/${queue}`;
      const events: BusEvent[] = [];
      while (events.length < count) {
        const request = { QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 20 };
        const { Messages = [] } = await clients.sqs.send(new ReceiveMessageCommand(request));
        for (const { Body = '', ReceiptHandle } of Messages) {
          events.push(JSON.parse(Body));
          await clients.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        }
      }
      return events;
    },
    /** Puts events on the bus as the relay does. */
    async publish(events: readonly BusEvent[]) {
      for (let from = 0; from < events.length; from += 10) {
        const Entries = events.slice(from, from + 10).map((event) => ({
          EventBusName: bus,
          Source: event.source,
          DetailType: event['detail-type'],
          Time: new Date(event.time),
          Resources: [...event.resources],
          Detail: JSON.stringify(event.detail),
        }));
        await clients.events.send(new PutEventsCommand({ Entries }));
      }
    },
  };
}

function* pairsOf(options: readonly string[]): Generator<[string, unknown]> {
  for (let index = 0; index < options.length; index += 2) {
    const name = (options[index] ?? '').slice(2).replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
    const word = (options[index + 1] ?? '').replace(/^'(.*)'$/, '$1');
    const text = word.startsWith('file://') ? (FILES.get(word.slice(7)) ?? '') : word;
    yield [name, name === 'Attributes' || name === 'Targets' ? JSON.parse(text) : text];
  }
}

/** Makes a folder with all files of the document and the packages, which ends with the test. */
export async function unpack(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recipes-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const [name, text] of FILES) await writeFile(join(folder, name), text);
  return folder;
}

/** Runs a script of ours or of the folder in it, and gives what it wrote. */
export async function runNode(
  args: readonly string[],
  { folder, env = {} }: { folder: string; env?: Readonly<Record<string, string>> },
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
  });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  const [code] = await once(child, 'close');
  return { code: code as number | null, ...written };
}

/** The command of the project, for `runNode`. */
export const RELAY = join(ROOT, 'cli/main.ts');
