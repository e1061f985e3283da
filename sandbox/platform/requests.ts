import type { RouteName } from './paths.ts';

/** What one request asked for. */
export interface SeenRequest {
  route: RouteName;
  method: string;
  path: string;
  query: Record<string, string>;
  /** When it arrived, in epoch ms. */
  at: number;
}

/** How often each route was asked, failures included, and the last 1,000 requests, oldest first. */
export type Requests = Record<RouteName, number> & {
  readonly last: readonly SeenRequest[];
  reset(): void;
};

const KEPT = 1000;
const NONE: Readonly<Record<RouteName, number>> = {
  token: 0,
  types: 0,
  events: 0,
  users: 0,
  roles: 0,
  tasks: 0,
  other: 0,
};

/** Creates counters at zero and the function that counts a request. */
export function createRequests(): { requests: Requests; count(seen: SeenRequest): void } {
  const last: SeenRequest[] = [];
  const requests: Requests = {
    ...NONE,
    last,
    reset() {
      Object.assign(requests, NONE);
      last.length = 0;
    },
  };
  return {
    requests,
    count(seen) {
      requests[seen.route] += 1;
      last.push(seen);
      if (last.length > KEPT) last.shift();
    },
  };
}
