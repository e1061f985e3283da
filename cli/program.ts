import { Command, CommanderError } from 'commander';
import metadata from '../package.json' with { type: 'json' };
import { addAlertCommands } from './alerts.ts';
import { addConfigCommands } from './config.ts';
import { addConnectionCommands } from './connections.ts';
import { addEventCommands } from './events.ts';
import { EXIT, reportFailure } from './failure.ts';
import { addGapCommands } from './gaps.ts';
import { type Io, ReaderGoneError } from './io.ts';
import { addKitCommands } from './kits.ts';
import { addParkedCommands } from './parked.ts';
import { addProfileCommands } from './profiles.ts';
import { addReplayCommands } from './replay.ts';
import { addRuleCommands } from './rules.ts';
import { addStatusCommands } from './status.ts';
import { addTaskCommands } from './tasks.ts';
import { clean } from './text.ts';
import { addUserCommands } from './users.ts';

/** Adds a group of commands to the program. */
export type AddCommands = (program: Command, io: Io) => void;

/** Commands by the heading that help shows them under. */
const GROUPS: Readonly<Record<string, readonly AddCommands[]>> = {
  'The platform:': [
    addEventCommands,
    addUserCommands,
    addTaskCommands,
    addKitCommands,
    addProfileCommands,
    addConnectionCommands,
    addConfigCommands,
  ],
  'Rules and alerts:': [addRuleCommands, addAlertCommands],
  'The relay in AWS:': [addStatusCommands, addParkedCommands, addGapCommands, addReplayCommands],
};

const HELP = `
relay <command> --help tells more of each.

Examples:
  relay config set --base-url https://platform.example --key-file ~/.relay-key
  relay events --follow
  relay tasks --kit-type bank_details --json | jq -r .title
  relay status --table relay-acme

Exit codes:
  0  done
  1  the platform or AWS failed or refused; asking again later may help
  2  the command line, a file or a setting is wrong
  3  what was asked for does not exist
  4  the platform refuses the API key

Environment: RELAY_BASE_URL, RELAY_AUTH_URL, RELAY_KEY_FILE, RELAY_TABLE, XDG_CONFIG_HOME, NO_COLOR,
COLUMNS (the width of a table that goes into a pipe), and what the AWS SDK reads.
`;

/** Runs a command line and gives its exit code; what fails is told on stderr. */
export async function runCommand(args: readonly string[], io: Io): Promise<number> {
  const program = createProgram(io);
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof ReaderGoneError) return EXIT.done;
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage;
    return reportFailure(error, { io, debug: program.opts().debug === true });
  }
}

function createProgram(io: Io): Command {
  const program = new Command('relay')
    .description('Looks into a supplier-connection platform, and into the relay that publishes its events.')
    .version(metadata.version)
    .option('--debug', 'show where a failure comes from')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => io.note(text.trimEnd()),
      outputError: (text, write) => write(clean(text)),
    })
    .showHelpAfterError('Add --help to see what there is.')
    .addHelpText('after', HELP);
  for (const [heading, group] of Object.entries(GROUPS)) {
    program.commandsGroup(heading);
    for (const add of group) add(program, io);
  }
  return program;
}
