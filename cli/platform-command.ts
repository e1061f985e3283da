import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { createApi } from '../shared/platform/api.ts';
import { type Client, createClient } from '../shared/platform/client.ts';
import { createTokens } from '../shared/platform/token.ts';
import { createTransport } from '../shared/platform/transport.ts';
import type { Io } from './io.ts';
import { type PlatformOptions, readKeyFile, resolvePlatform } from './settings.ts';

/** The options of every command that asks the platform. */
export interface AskOptions extends PlatformOptions {
  /** Seconds until an answer is given up, retries included. */
  readonly timeout: number;
  readonly json?: boolean;
}

/** Adds the options that say which platform is asked, and how. */
export const addPlatformOptions = (command: Command): Command =>
  command
    .option('--json', 'write a line of JSON for each result')
    .option('--base-url <url>', 'address of the platform (RELAY_BASE_URL)')
    .option('--auth-url <url>', 'where tokens are given, if not there (RELAY_AUTH_URL)')
    .option('--key-file <file>', 'file with the API key (RELAY_KEY_FILE)')
    .option('--platform <name>', 'entry of the config file', 'default')
    .addOption(
      new Option('--timeout <seconds>', 'how long to try for an answer').default(30).argParser(numberFrom(1, 3600)),
    );

/** Makes a parser of an option that is a number in these bounds, a whole one where the least is. */
export const numberFrom =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    const isWhole = Number.isInteger(value) || !Number.isInteger(least);
    if (text.trim() !== '' && isWhole && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a number from ${least} to ${most}.`);
  };

/** Lets `work` ask the platform that the options mean. */
export async function askPlatform(options: AskOptions, io: Io, work: (client: Client) => Promise<void>): Promise<void> {
  const { baseUrl, authUrl, keyFile, pathPrefix } = resolvePlatform(options, io.env);
  const key = readKeyFile(keyFile, io);
  const { clock } = io;
  const transport = createTransport({
    clock,
    random: Math.random,
    sleep: (waitMs) => {
      io.progress(`The platform gives no answer; asking again in ${Math.ceil(waitMs / 1000)} s`);
      return io.sleep(waitMs);
    },
  });
  try {
    const tokens = createTokens({ transport, authUrl, readKey: async () => key, clock });
    const api = createApi({ transport, tokens, baseUrl });
    await work(createClient({ api, clock, timeoutMs: options.timeout * 1000, pathPrefix }));
  } finally {
    io.progress('');
    await transport.close();
  }
}
