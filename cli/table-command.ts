import type { Command } from 'commander';
import type { Io } from './io.ts';
import type { RelayTable } from './relay-table.ts';
import { resolveTable } from './settings.ts';

/** The options of every command that looks into the relay's table. */
export interface TableOptions {
  readonly table?: string;
  readonly platform: string;
  readonly stream: string;
  readonly json?: boolean;
}

/** Adds the options that say which table and which stream is meant. */
export const addTableOptions = (command: Command): Command =>
  command
    .option('--json', 'write a line of JSON for each result')
    .option('--table <name>', 'DynamoDB table of the relay (RELAY_TABLE)')
    .option('--platform <name>', 'entry of the config file', 'default')
    .option('--stream <name>', 'audit, changes/<interface> or long-poll/<interface>', 'audit')
    .addHelpText('after', '\nAccount and region are those of the AWS SDK: AWS_PROFILE, AWS_REGION and so on.');

/** Lets `work` look into the relay's table. */
export async function inspectTable(
  { table, platform, stream }: TableOptions,
  io: Io,
  work: (table: RelayTable) => Promise<void>,
): Promise<void> {
  const name = resolveTable({ platform, ...(table !== undefined && { table }) }, io.env);
  // The AWS SDK costs a quarter of a second, which no other command should wait for.
  const { openTable } = await import('./relay-table.ts');
  using opened = openTable({ table: name, stream });
  await work(opened);
}
