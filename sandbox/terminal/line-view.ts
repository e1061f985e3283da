import type { Status, View } from './view.ts';
import { clean, describeAlert, describeEvent, describePlace, describeStatus } from './words.ts';

/** How often a line says how far it has come. */
const STATUS_EVERY_MS = 60_000;

/** Makes the view for files and pipes: plain lines that only follow one another. */
export function createLineView({ write, clock }: { write: (text: string) => void; clock: () => number }): View {
  let status: Status | undefined;
  let saidMs = clock();
  const line = (text: string) => write(`${text}\n`);
  const say = (lead: string) => status && line(`${lead}: ${describeStatus(status)}`);

  return {
    started(place, current) {
      status = current;
      for (const [name, words] of describePlace(place)) line(`${name.padEnd(8)}  ${words}`);
    },
    event(event) {
      const { type, rest, late } = describeEvent(event);
      line(`${event.time}  ${type} ${rest}${late === undefined ? '' : ` (${late})`}`);
    },
    polled({ fault }) {
      if (fault !== undefined) line(`fault: ${clean(fault)}`);
      if (clock() - saidMs < STATUS_EVERY_MS) return;
      saidMs = clock();
      say('So far');
    },
    alerted(message) {
      const { type, rest } = describeAlert(message);
      line(`${new Date(message.receivedMs).toISOString().slice(0, 19)}Z  ${type} ${rest}`);
    },
    faulted: ({ from, message }) => line(`fault: ${from}: ${clean(message)}`),
    logged: (text) => line(`log: ${clean(text)}`),
    stopping: () => undefined,
    stopped: () => void say('Stopped'),
  };
}
