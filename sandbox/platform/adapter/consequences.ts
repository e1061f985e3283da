import type { AuditRecord } from '../activity.ts';
import type { Phase } from './schemas.ts';

/** What an audit event means to the connection that it is about. */
interface Consequences {
  publicId: string;
  /** Whether interfaces are shown the connection as changed. */
  isChange: boolean;
  /** The phase that the connection is in from now on. */
  phase?: Phase;
  /** The type of the integration request that follows. */
  request?: string;
}

const PHASE_AFTER: Record<string, Phase> = {
  connection_invited: 'invited',
  connection_connected: 'connected',
  connection_disconnected: 'disconnected',
};
const CHANGES_CONNECTION = new Set([...Object.keys(PHASE_AFTER), 'profile_updated', 'kit_approved']);
const REQUEST_AFTER: Record<string, string> = {
  connection_connected: 'vendor_create',
  connection_disconnected: 'vendor_block',
  kit_approved: 'vendor_update',
};

/** Every type of integration request. */
export const REQUEST_TYPES = Object.values(REQUEST_AFTER);

/** Gives what follows from an audit event, nothing where it is about no supplier. */
export function consequencesOf({ eventType, profile }: AuditRecord): Consequences | undefined {
  const { publicId } = Object(profile) as { publicId?: string };
  if (publicId === undefined) return undefined;
  const phase = PHASE_AFTER[eventType];
  const request = REQUEST_AFTER[eventType];
  const isChange = CHANGES_CONNECTION.has(eventType);
  return { publicId, isChange, ...(phase && { phase }), ...(request !== undefined && { request }) };
}
