/** A route by its short name; `other` is any address that the sandbox does not know. */
export type RouteName = 'token' | 'types' | 'events' | 'users' | 'roles' | 'tasks' | 'other';

/** Root of the public API. */
export const API_ROOT = '/api/public/api/v1';

/** The address of every route. */
export const PATHS = {
  token: '/api/oauth/token',
  types: `${API_ROOT}/users/events/types`,
  events: `${API_ROOT}/users/events`,
  users: `${API_ROOT}/users`,
  roles: `${API_ROOT}/users/roles`,
  tasks: `${API_ROOT}/tasks`,
} as const satisfies Partial<Record<RouteName, string>>;

/** Gives the route that answers a path. */
export function nameRoute(path: string): RouteName {
  const names = Object.keys(PATHS) as (keyof typeof PATHS)[];
  return names.find((name) => PATHS[name] === path) ?? 'other';
}
