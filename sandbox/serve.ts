import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '../shared/errors.ts';
import { createPlatform } from './platform/platform.ts';
import { parseServeArguments, SERVE_HELP, type ServeArguments } from './platform/serve/arguments.ts';
import { openFolder } from './platform/serve/folder.ts';
import { openIdentity } from './platform/serve/identity.ts';
import { announce, writeAnnouncement } from './platform/serve/words.ts';

const SAVE_EVERY_MS = 2000;
const HISTORY = { events: 14_000, days: 14 };

try {
  const args = parseServeArguments(process.argv.slice(2));
  if (args) await serve(args);
  else process.stdout.write(SERVE_HELP);
} catch (error) {
  const faults = readFaults(error);
  process.stderr.write(`${faults.join('\n')}\nnpm run sandbox -- --help lists all options.\n`);
  process.exitCode = 2;
}

async function serve(args: ServeArguments): Promise<void> {
  const { seed, eventsPerMinute, holdSeconds, port, https, json, folder: path } = args;
  const passing = https && path === undefined ? mkdtempSync(join(tmpdir(), 'sandbox-')) : undefined;
  const secured = https ? await openIdentity(path ?? passing!, Date.now) : undefined;
  const folder = path === undefined ? undefined : openFolder(path);
  const platform = await createPlatform({
    seed,
    eventsPerMinute,
    port,
    history: HISTORY,
    ...(secured && { identity: secured.identity }),
    ...(folder && { onRows: folder.append }),
    ...(folder?.state && { kept: { state: folder.state, rows: folder.rows } }),
  });
  platform.faults.longPollHoldMs = holdSeconds * 1000;
  const save = () => folder?.save(platform.dump());
  save();
  const saving = setInterval(save, SAVE_EVERY_MS);

  const announcement = announce(platform, secured?.certificatePath);
  process.stdout.write(
    json ? `${JSON.stringify(announcement)}\n` : writeAnnouncement(announcement, { eventsPerMinute }),
  );

  const stopped = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopped.resolve());
  await stopped.promise;
  clearInterval(saving);
  await platform.close();
  save();
  if (passing !== undefined) rmSync(passing, { recursive: true });
}

/** What whoever started this can put right; anything else is thrown again. */
function readFaults(error: unknown): readonly string[] {
  if (error instanceof ConfigurationError) return error.faults;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return ['--port is wrong: something else answers there'];
  }
  throw error;
}
