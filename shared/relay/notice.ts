import { RELAY_STREAM, type RelayEvent } from './event.ts';

/** What a notice is about. */
export interface Notice {
  /** E.g. `event.parked`, `gap.found`, `records.changed`, `rows.missing`, `profile.updated`. */
  readonly type: string;
  /** The same for the same matter, so that a consumer can drop a repeat. */
  readonly id: string;
  readonly tenant: string;
  readonly nowMs: number;
  /** One line for people. */
  readonly summary: string;
  /** The facts, for programs. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Builds what the relay says of itself in the form of every other event, so that the same rules and alerts serve both. */
export function toNotice({ type, id, tenant, nowMs, summary, facts }: Notice): RelayEvent {
  const now = new Date(nowMs).toISOString();
  return {
    specversion: '1.0',
    id,
    source: `/tenants/${tenant}/${RELAY_STREAM}`,
    type,
    time: now,
    datacontenttype: 'application/json',
    tenant,
    stream: RELAY_STREAM,
    observedat: now,
    lateby: 0,
    replayed: false,
    data: { summary, record: facts },
  };
}

/** True for what the relay says of itself. */
export const isNotice = ({ stream }: RelayEvent): boolean => stream === RELAY_STREAM;
