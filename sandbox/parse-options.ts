import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ConfigurationError } from '../shared/errors.ts';

/** Parses a command line. @throws {ConfigurationError} for what is no option, in one sentence */
export function parseOptions<T extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    // What follows the first sentence is advice for other kinds of programs.
    const [fault = ''] = (error as Error).message.split(/\. |\n/);
    throw new ConfigurationError([fault.replace(/\.$/, '')]);
  }
}
