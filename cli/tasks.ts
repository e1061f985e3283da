import type { Command } from 'commander';
import type { TaskFilter } from '../shared/platform/tasks.ts';
import type { Io } from './io.ts';
import { type AskOptions, addPlatformOptions, askPlatform } from './platform-command.ts';
import { printList } from './print.ts';
import { describe, describeField } from './text.ts';

/** Adds `tasks`. */
export function addTaskCommands(program: Command, io: Io): void {
  addPlatformOptions(
    program
      .command('tasks')
      .description('List open tasks on supplier connections.')
      .option('--kit-id <id>', 'only tasks of this kit')
      .option('--kit-type <type>', 'only tasks of kits of this type'),
  ).action((options: AskOptions & TaskFilter) =>
    askPlatform(options, io, (client) =>
      printList(
        client.tasks(options).pages(),
        {
          noun: 'tasks',
          json: options.json,
          columns: [
            { title: 'TASK', of: (task) => describeField(task, 'title', 'name', 'type') },
            { title: 'KIT TYPE', of: ({ kitType }) => describe(kitType) },
            { title: 'KIT ID', of: ({ kitId }) => describe(kitId), whole: true },
            { title: 'ID', of: ({ _id }) => describe(_id), whole: true },
          ],
        },
        io,
      ),
    ),
  );
}
