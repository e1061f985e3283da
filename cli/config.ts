import type { Command } from 'commander';
import { ConfigurationError } from '../shared/errors.ts';
import { configPath, type Entry, readEntries, saveEntry } from './config-file.ts';
import type { Io } from './io.ts';
import { createPrinter } from './print.ts';
import { checkEntry } from './settings.ts';

const HELP = `
The API key itself is not kept here, only the name of its file. An empty text takes a setting away.

Examples:
  relay config set --base-url https://platform.example --key-file ~/.relay-key
  relay config set --platform sandbox --base-url https://sandbox.example --key-file ~/.sandbox-key
  relay users --platform sandbox
`;

/** Adds `config`, which shows the config file, and `config set`. */
export function addConfigCommands(program: Command, io: Io): void {
  const config = program
    .command('config')
    .description('Show what is kept of each platform.')
    .option('--json', 'write a line of JSON for each platform')
    .action(async ({ json }: { json?: boolean }) => {
      const rows = Object.entries(readEntries(io.env)).map(([platform, entry]) => ({ platform, ...entry }));
      const columns = [
        { title: 'PLATFORM', of: ({ platform }: (typeof rows)[number]) => platform },
        { title: 'BASE URL', of: ({ baseUrl = '' }: Entry) => baseUrl },
        { title: 'AUTH URL', of: ({ authUrl = '' }: Entry) => authUrl },
        { title: 'KEY FILE', of: ({ keyFile = '' }: Entry) => keyFile },
        { title: 'PATH PREFIX', of: ({ pathPrefix = '' }: Entry) => pathPrefix },
        { title: 'TABLE', of: ({ table = '' }: Entry) => table },
      ];
      await createPrinter({ columns, json }, io)(rows);
      if (!json) io.note(rows.length === 0 ? `Nothing is kept yet in ${configPath(io.env)}.` : configPath(io.env));
    });

  config
    .command('set')
    .description('Keep settings of a platform.')
    .option('--platform <name>', 'which one', 'default')
    .option('--base-url <url>', 'address of the platform')
    .option('--auth-url <url>', 'where tokens are given, if not there')
    .option('--key-file <file>', 'file with the API key')
    .option('--path-prefix <path>', 'what comes before /kit and /profile')
    .option('--table <name>', 'DynamoDB table of the relay')
    .addHelpText('after', HELP)
    .action(({ platform, ...changes }: Entry & { platform: string }) => {
      if (Object.keys(changes).length === 0)
        throw new ConfigurationError(['Nothing to keep: give at least one setting']);
      checkEntry(changes);
      saveEntry(platform, changes, io.env);
      io.note(`Kept in ${configPath(io.env)}.`);
    });
}
