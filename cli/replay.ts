import type { Command } from 'commander';
import { readStart } from '../shared/config.ts';
import { ConfigurationError } from '../shared/errors.ts';
import { isoSeconds } from '../shared/relay/time.ts';
import type { Io } from './io.ts';

interface ReplayOptions {
  readonly from: string;
  readonly to: string;
  readonly type?: readonly string[];
  readonly function: string;
}

const HELP = `
Nothing is invoked: the command that is printed does it, with the AWS CLI and the rights of whoever runs
it. Where its answer has a "next", run it again with that as --from.

Example:
  relay replay --from P7D --to now --type profile_updated --function acme-poller
`;

/** Adds `replay`, which prints the command that publishes a window again. */
export function addReplayCommands(program: Command, io: Io): void {
  program
    .command('replay')
    .description('Print the command that publishes a window of the trail again.')
    .requiredOption('--from <time>', 'first moment of the window: ISO 8601, or a duration back such as P7D')
    .requiredOption('--to <time>', 'last moment of the window')
    .requiredOption('--function <name>', 'name of the poller in AWS Lambda')
    .option('--type <type...>', 'only events of these types')
    .addHelpText('after', HELP)
    .action(({ from, to, type, function: name }: ReplayOptions) => {
      const nowMs = io.clock();
      const read = (option: string, text: string): number => {
        const moment = readStart(text.trim())?.(nowMs);
        if (moment !== undefined) return moment;
        throw new ConfigurationError([
          `${option} is wrong: expected an ISO 8601 time, a duration back such as P7D, or now`,
        ]);
      };
      const window = { from: read('--from', from), to: read('--to', to) };
      if (window.to < window.from) throw new ConfigurationError(['--to is earlier than --from: nothing lies between']);
      if (!/^[\w:$-]+$/.test(name)) throw new ConfigurationError(['--function is wrong: expected a name or an ARN']);
      const replay = { from: isoSeconds(window.from), to: isoSeconds(window.to), ...(type && { types: type }) };
      const payload = JSON.stringify({ replay }).replaceAll("'", "'\\''");
      return io.write(
        `aws lambda invoke --function-name '${name}' --cli-binary-format raw-in-base64-out \\\n` +
          `  --cli-read-timeout 900 --payload '${payload}' /dev/stdout\n`,
      );
    });
}
