import type { Status, View } from './view.ts';

/** Makes the view for programs: a line of JSON for each thing, told apart by `kind`. */
export function createJsonView({ write }: { write: (text: string) => void }): View {
  let status: Status | undefined;
  const line = (kind: string, facts: object) => write(`${JSON.stringify({ kind, ...facts })}\n`);
  return {
    started(place, current) {
      status = current;
      line('started', place);
    },
    // The event's own text, because numbers beyond a double survive only there.
    event: (_, json) => write(`{"kind":"event","event":${json}}\n`),
    polled: ({ result, fault }) => line('poll', { ...result, ...(fault !== undefined && { fault }) }),
    alerted: ({ channel, name, payload }) => line('alert', { channel, name, payload }),
    faulted: (fault) => line('fault', fault),
    logged: (text) => line('log', { line: text }),
    stopping: () => undefined,
    stopped: () => void (status && line('stopped', status)),
  };
}
