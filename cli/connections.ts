import type { Command } from 'commander';
import type { Connection } from '../shared/platform/connections.ts';
import type { Io } from './io.ts';
import { type AskOptions, addPlatformOptions, askPlatform } from './platform-command.ts';
import { printList } from './print.ts';
import type { Column } from './table.ts';
import { describeField } from './text.ts';

interface ConnectionOptions extends AskOptions {
  readonly interface?: string;
  readonly phase?: readonly string[];
  readonly role?: string;
}

const COLUMNS: readonly Column<Connection>[] = [
  { title: 'NAME', of: (row) => describeField(row, 'name', 'companyName', 'supplierName') },
  { title: 'PHASE', of: (row) => describeField(row, 'connectionPhase', 'phase', 'status') },
  { title: 'ROLE', of: (row) => describeField(row, 'connectionRole', 'role') },
  { title: 'CHANGED', of: (row) => describeField(row, 'changedOn', 'updatedAt', 'lastUpdateOn') },
  { title: 'PUBLIC ID', of: (row) => describeField(row, 'publicId', '_id', 'id'), whole: true },
];

/** Adds `connections`. */
export function addConnectionCommands(program: Command, io: Io): void {
  addPlatformOptions(
    program
      .command('connections')
      .description('List current connections.')
      .option('--interface <name>', 'only what changed since this interface acknowledged it')
      .option('--phase <phase...>', 'only connections in these phases')
      .option('--role <role>', 'the part that the organisation plays: buyer or supplier'),
  ).action(({ phase, role, ...options }: ConnectionOptions) =>
    askPlatform(options, io, (client) =>
      printList(
        client.connections({ interface: options.interface, connectionPhases: phase, connectionRole: role }).pages(),
        { noun: 'connections', json: options.json, columns: COLUMNS },
        io,
      ),
    ),
  );
}
