/** Root of the public API. */
export const API_ROOT = '/api/public/api/v1';

/** The address of every route, with its parameters in braces. */
export const PATHS = {
  token: '/api/oauth/token',
  types: `${API_ROOT}/users/events/types`,
  events: `${API_ROOT}/users/events`,
  users: `${API_ROOT}/users`,
  roles: `${API_ROOT}/users/roles`,
  tasks: `${API_ROOT}/tasks`,
  profile: `${API_ROOT}/profile/{publicId}`,
  kit: `${API_ROOT}/kit/{kitId}`,
  connections: `${API_ROOT}/changes/connections`,
  acknowledgement: `${API_ROOT}/changes/acknowledgement`,
  acknowledge: `${API_ROOT}/changes/acknowledge`,
  passthrough: `${API_ROOT}/adapter/passthrough/{interface}`,
  longPoll: `${API_ROOT}/adapter/long-poll/{interface}`,
  keys: '/sandbox/keys',
  key: '/sandbox/keys/{keyId}',
} as const;

/** A route by its short name; `other` is any address that the sandbox does not know. */
export type RouteName = keyof typeof PATHS | 'other';

/** Every route and `other`. */
export const ROUTE_NAMES = [...(Object.keys(PATHS) as (keyof typeof PATHS)[]), 'other'] as const;

const PATTERNS = Object.entries(PATHS).map(
  ([name, path]) => [name as RouteName, new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const,
);

/** Gives the route that answers a path. */
export function nameRoute(path: string): RouteName {
  return PATTERNS.find(([, pattern]) => pattern.test(path))?.[0] ?? 'other';
}
