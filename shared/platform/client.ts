import type { ChangeList } from '../relay/adapter-ports.ts';
import type { Clock } from '../relay/ports.ts';
import { createAdapterApi } from './adapter.ts';
import type { Answers, ReadOptions, Sheet } from './answers.ts';
import type { Api } from './api.ts';
import { type EventFilter, listEvents, listEventTypes } from './audit-events.ts';
import { type Connection, type ConnectionFilter, listConnections } from './connections.ts';
import type { List } from './pages.ts';
import { readKit, readProfile, updateProfile } from './profiles.ts';
import { listTasks, type Task, type TaskFilter } from './tasks.ts';
import { listRoles, listUsers, type Role, type User } from './users.ts';

/**
 * The platform's public API, a method an endpoint. Every method may throw a TransportError, an AuthenticationError,
 * or a ProtocolError for an answer that is not what the specification allows.
 */
export interface Client {
  users(): List<User>;
  roles(): List<Role>;
  tasks(filter?: TaskFilter): List<Task>;
  events(filter?: EventFilter): List<unknown>;
  eventTypes(): Promise<readonly string[]>;
  kit(kitId: string, options?: ReadOptions): Promise<Sheet>;
  profile(publicId: string, options?: ReadOptions): Promise<Sheet>;
  /** Changes answers; others stay as they are. A group is an array whose instances carry `_id`. */
  updateProfile(publicId: string, answers: Answers): Promise<void>;
  connections(filter?: ConnectionFilter): List<Connection>;
  /** Takes a changed connection off an interface's list; with errors it stays listed as failed. */
  acknowledge(interfaceName: string, connection: Parameters<ChangeList['acknowledge']>[0]): Promise<void>;
  /** Waits for integration requests as long as one request may take; none where there was nothing. */
  longPoll(interfaceName: string): Promise<readonly unknown[]>;
  /** Hands log entries of an adapter over, once. */
  passthrough(interfaceName: string, entries: readonly object[]): Promise<void>;
}

/** Makes the client of one platform. */
export function createClient(parts: {
  api: Api;
  clock: Clock;
  /** How long a call may take with its retries. @default 30000 */
  timeoutMs?: number;
  /** What comes before the paths of endpoints 8 to 11, of kits and of profiles. @default '/api/public/api/v1' */
  pathPrefix?: string | undefined;
}): Client {
  const { api, clock, timeoutMs = 30_000, pathPrefix } = parts;
  const deadline = (): number => clock() + timeoutMs;
  const caller = { api, deadline, pathPrefix };
  const adapter = createAdapterApi({ api, clock, ...(pathPrefix !== undefined && { pathPrefix }) });

  return {
    users: () => listUsers(caller),
    roles: () => listRoles(caller),
    tasks: (filter) => listTasks(caller, filter),
    events: (filter) => listEvents(caller, filter),
    eventTypes: () => listEventTypes(caller),
    kit: (kitId, options) => readKit(caller, kitId, options),
    profile: (publicId, options) => readProfile(caller, publicId, options),
    updateProfile: (publicId, answers) => updateProfile(caller, publicId, answers),
    connections: (filter) => listConnections(caller, filter),
    acknowledge: (interfaceName, connection) => adapter.changeList({ interfaceName }).acknowledge(connection),
    longPoll: (interfaceName) => adapter.inbox({ interfaceName, api, longestMs: timeoutMs }).take(),
    passthrough: (interfaceName, entries) => adapter.sendLogs(interfaceName, entries, deadline()),
  };
}
