import type { Command } from 'commander';
import { type AnswerOptions, addAnswerOptions, printSheet, toReadOptions } from './answers.ts';
import type { Io } from './io.ts';
import { askPlatform } from './platform-command.ts';

/** Adds `kit`. */
export function addKitCommands(program: Command, io: Io): void {
  addAnswerOptions(program.command('kit').description('Show the answers of a kit.').argument('<id>')).action(
    (id: string, options: AnswerOptions) =>
      askPlatform(options, io, async (client) => {
        io.progress('Asking for the kit');
        await printSheet(await client.kit(id, toReadOptions(options)), options, io);
      }),
  );
}
