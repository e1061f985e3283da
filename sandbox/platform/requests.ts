import { ROUTE_NAMES, type RouteName } from './paths.ts';

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
const NONE = Object.fromEntries(ROUTE_NAMES.map((name) => [name, 0])) as Readonly<Record<RouteName, number>>;

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
