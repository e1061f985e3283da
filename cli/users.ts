import type { Command } from 'commander';
import type { Io } from './io.ts';
import { type AskOptions, addPlatformOptions, askPlatform } from './platform-command.ts';
import { printList } from './print.ts';
import { describe, describeField } from './text.ts';

/** Adds `users` and `roles`. */
export function addUserCommands(program: Command, io: Io): void {
  addPlatformOptions(program.command('users').description('List the users of the organisation.')).action(
    (options: AskOptions) =>
      askPlatform(options, io, (client) =>
        printList(
          client.users().pages(),
          {
            noun: 'users',
            json: options.json,
            columns: [
              { title: 'NAME', of: ({ name }) => describe(name) },
              { title: 'EMAIL', of: ({ email }) => describe(email) },
              { title: 'ROLES', of: ({ roles }) => describe(roles) },
              { title: 'ID', of: ({ _id }) => _id, whole: true },
            ],
          },
          io,
        ),
      ),
  );

  addPlatformOptions(program.command('roles').description('List the roles that users may have.')).action(
    (options: AskOptions) =>
      askPlatform(options, io, (client) =>
        printList(
          client.roles().pages(),
          {
            noun: 'roles',
            json: options.json,
            columns: [
              { title: 'ROLE', of: (role) => describeField(role, 'name', 'label', '_id') },
              { title: 'ID', of: (role) => describeField(role, '_id', 'id'), whole: true },
            ],
          },
          io,
        ),
      ),
  );
}
