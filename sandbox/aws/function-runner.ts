/**
 * Runs in a process of its own, started by function-process.ts with the address of a handler module as its argument:
 * imports the module once, then calls its `handler` for every `invoke` message.
 */
import { type ErrorPayload, endOfLog, type RunnerReply, type RunnerRequest, type Usage } from './function-protocol.ts';

type Handler = (event: unknown, context: object) => unknown;

for (const stream of [process.stdout, process.stderr]) writeAtOnce(stream);
const handler = await importHandler(String(process.argv[2]));
process.on('message', (request: RunnerRequest) => {
  if (request.kind === 'usage') send({ kind: 'usage', id: request.id, usage: measure() });
  else void invoke(request);
});
// A terminal sends Ctrl-C to the whole group; whoever started this process decides when it ends.
process.on('SIGINT', () => undefined);
// Nobody is left to work for.
process.on('disconnect', () => process.exit());
send({ kind: 'ready', id: 'ready' });

/** Lets writes block, as on the pipes of Lambda: else what is still queued is lost when the handler ends the process. */
function writeAtOnce(stream: NodeJS.WriteStream): void {
  // Node has no public way to ask this of the sockets it makes for a forked process.
  const { _handle } = stream as NodeJS.WriteStream & { _handle?: { setBlocking?(blocking: boolean): void } };
  _handle?.setBlocking?.(true);
}

/** Gives the module's handler, or one that fails with what the import failed with, as Lambda answers every call then. */
async function importHandler(moduleUrl: string): Promise<Handler> {
  try {
    const module = await import(moduleUrl);
    if (typeof module.handler === 'function') return module.handler;
    throw new Error(`${moduleUrl} exports no function named handler`);
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

async function invoke(request: Extract<RunnerRequest, { kind: 'invoke' }>): Promise<void> {
  const { id, eventJson } = request;
  const { timeoutMs, ...context } = request.context;
  const endMs = performance.now() + timeoutMs;
  let reply: RunnerReply;
  try {
    const result = await handler(JSON.parse(eventJson), {
      ...context,
      awsRequestId: id,
      getRemainingTimeInMillis: () => Math.max(0, Math.round(endMs - performance.now())),
    });
    reply = { kind: 'result', id, resultJson: JSON.stringify(result) ?? 'null' };
  } catch (error) {
    reply = { kind: 'error', id, error: toPayload(error) };
  }
  process.stdout.write(`${endOfLog(id)}\n`);
  process.stderr.write(`${endOfLog(id)}\n`);
  send(reply);
}

function toPayload(error: unknown): ErrorPayload {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
}

function measure(): Usage {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const peakRssBytes = process.resourceUsage().maxRSS * 1024;
  return { cpuMs: (user + system) / 1000, rssBytes: rss, peakRssBytes, heapUsedBytes: heapUsed };
}

function send(reply: RunnerReply): void {
  process.send?.(reply);
}
