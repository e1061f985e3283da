import * as z from 'zod/mini';

/** What an alert says of one event; what is unknown is left out. */
export interface AlertEvent {
  readonly id: string;
  readonly type: string;
  readonly summary: string;
  readonly actor?: string | undefined;
  readonly target?: string | undefined;
  readonly timeMs?: number | undefined;
  /** From event time to first sight. */
  readonly lateSeconds?: number | undefined;
  readonly replayed: boolean;
  /** The CloudEvent whole, for what a tenant file picks from it. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** An event that fired an alert, as the queue brings it. */
export interface Arrival {
  readonly alert: string;
  readonly event: AlertEvent;
}

/** A pattern may match what others put on the bus, so that nothing inside an event is sure. */
const lenient = <T extends z.core.$ZodType>(schema: T) => z.catch(z.optional(schema), undefined);
const word = lenient(z.string());

const body = z.object({
  alert: z.string(),
  event: z.object({
    id: z.string(),
    'detail-type': z.string(),
    detail: z.record(z.string(), z.unknown()),
  }),
});
const actor = z.object({ id: word, email: word, name: word });
const detail = z.object({
  id: word,
  type: word,
  time: word,
  lateby: lenient(z.number()),
  replayed: lenient(z.boolean()),
  data: lenient(
    z.object({
      actor: lenient(actor),
      target: lenient(z.object({ kind: word, id: word })),
      summary: word,
    }),
  ),
});

/** Reads the body of a queued message; undefined where it is not `{"alert": name, "event": bus event}`. */
export function readArrival(text: string): Arrival | undefined {
  const read = body.safeParse(parse(text)).data;
  if (!read) return undefined;
  const { alert, event } = read;
  const known = detail.parse(event.detail);
  const { actor: who, target, summary } = known.data ?? {};
  const timeMs = Date.parse(known.time ?? '');
  const type = known.type ?? event['detail-type'];
  return {
    alert,
    event: {
      id: known.id ?? event.id,
      type,
      summary: summary ?? type,
      actor: nameActor(who),
      target: target?.id === undefined ? undefined : `${target.kind ?? ''} ${target.id}`.trim(),
      timeMs: Number.isNaN(timeMs) ? undefined : timeMs,
      lateSeconds: known.lateby,
      replayed: known.replayed ?? false,
      detail: event.detail,
    },
  };
}

function nameActor({ id, email, name }: z.infer<typeof actor> = {}): string | undefined {
  if (name !== undefined && email !== undefined) return `${name} (${email})`;
  return name ?? email ?? id;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
