/** A part that an event may carry besides its id, type, time and actor. */
export type PartName =
  | 'profile'
  | 'kit'
  | 'task'
  | 'changes'
  | 'targetUser'
  | 'newRole'
  | 'document'
  | 'apiKey'
  | 'comment'
  | 'export'
  | 'import'
  | 'session';

/** How often a type of event happens and what its records hold. */
export interface EventType {
  name: string;
  /** Share among all events, relative to the other weights. */
  weight: number;
  parts: readonly PartName[];
  /** True where the platform itself acts, so that the record names no user. */
  bySystem?: true;
}

/** Every type of event of the sandbox; the weights are those of a busy purchasing department. */
export const EVENT_TYPES: readonly EventType[] = [
  { name: 'profile_updated', weight: 240, parts: ['profile', 'changes'] },
  { name: 'user_logged_in', weight: 180, parts: ['session'] },
  { name: 'user_logged_out', weight: 60, parts: ['session'] },
  { name: 'user_login_failed', weight: 14, parts: ['session'] },
  { name: 'user_created', weight: 6, parts: ['targetUser'] },
  { name: 'user_deactivated', weight: 3, parts: ['targetUser'] },
  { name: 'user_role_changed', weight: 5, parts: ['targetUser', 'newRole'] },
  { name: 'password_reset', weight: 8, parts: ['session'] },
  { name: 'task_created', weight: 70, parts: ['profile', 'task'] },
  { name: 'task_assigned', weight: 45, parts: ['profile', 'task', 'targetUser'] },
  { name: 'task_completed', weight: 60, parts: ['profile', 'task'] },
  { name: 'connection_invited', weight: 25, parts: ['profile'] },
  { name: 'connection_connected', weight: 20, parts: ['profile'] },
  { name: 'connection_disconnected', weight: 4, parts: ['profile', 'comment'] },
  { name: 'kit_assigned', weight: 30, parts: ['profile', 'kit'] },
  { name: 'kit_submitted', weight: 40, parts: ['profile', 'kit', 'changes'] },
  { name: 'kit_approved', weight: 30, parts: ['profile', 'kit'] },
  { name: 'kit_rejected', weight: 7, parts: ['profile', 'kit', 'comment'] },
  { name: 'kit_reopened', weight: 5, parts: ['profile', 'kit', 'comment'] },
  { name: 'risk_score_changed', weight: 15, parts: ['profile', 'kit', 'changes'], bySystem: true },
  { name: 'answer_overridden', weight: 6, parts: ['profile', 'kit', 'changes', 'comment'] },
  { name: 'document_uploaded', weight: 50, parts: ['profile', 'document'] },
  { name: 'document_expired', weight: 16, parts: ['profile', 'document'], bySystem: true },
  { name: 'comment_added', weight: 40, parts: ['profile', 'kit', 'comment'] },
  { name: 'export_started', weight: 12, parts: ['export'] },
  { name: 'export_completed', weight: 11, parts: ['export'], bySystem: true },
  { name: 'import_completed', weight: 3, parts: ['import'] },
  { name: 'api_key_created', weight: 1, parts: ['apiKey'] },
  { name: 'api_key_deleted', weight: 1, parts: ['apiKey'] },
];
