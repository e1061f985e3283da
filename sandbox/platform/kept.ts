import type { KeptConnections } from './adapter/connections.ts';
import type { Delivery } from './adapter/mailbox.ts';
import type { Sheet } from './answers/answers.ts';
import type { Organisation } from './organisation.ts';
import type { ApiKey } from './token.ts';

/** Everything but the audit trail that a platform needs to go on after a restart; it survives JSON. */
export interface Kept {
  /** How often the platform was started: each start draws its own chance. */
  starts: number;
  organisation: Organisation;
  keys: ApiKey[];
  adapter: KeptAdapter;
  answers: KeptAnswers;
}

/** The adapter's side of what is kept. */
export interface KeptAdapter {
  connections: KeptConnections;
  /** Messages that nobody was handed yet, by interface. */
  messages: Record<string, Delivery[]>;
}

/** Sheets by the id of their profile or kit. */
export interface KeptAnswers {
  profiles: [id: string, sheet: Sheet][];
  kits: [id: string, sheet: Sheet][];
}
