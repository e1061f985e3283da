import { ConfigurationError } from '../shared/errors.ts';
import { type Arguments, NAMES } from './arguments.ts';
import { type Aws, createAws } from './aws/aws.ts';
import type { BusEvent } from './aws/bus.ts';

/**
 * Starts the sandbox's AWS, on disk where the platform is real.
 * @throws {ConfigurationError} where the folder cannot be used
 */
export async function startAws(
  { source }: Arguments,
  { apiKey = '', onEvent }: { apiKey?: string | undefined; onEvent: (event: BusEvent, json: string) => void },
): Promise<Aws> {
  const options = { table: NAMES.table, bus: NAMES.bus, keep: 0, onEvent };
  if (source.kind === 'sandbox') return createAws({ ...options, secrets: { [NAMES.secret]: apiKey } });
  const { folder } = source;
  const { promise: failed, reject } = Promise.withResolvers<never>();
  // dynalite opens its files at the first request, and throws past everybody where another process has them open.
  process.once('uncaughtException', reject);
  try {
    return await Promise.race([createAws({ ...options, folder, secrets: { [NAMES.secret]: source.apiKey } }), failed]);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigurationError([`--data: ${folder} cannot be used: ${message}. Is another run using it?`]);
  } finally {
    process.off('uncaughtException', reject);
  }
}
