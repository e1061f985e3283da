import { API_ROOT, PATHS } from '../../../sandbox/platform/paths.ts';
import type { Platform } from '../../../sandbox/platform/platform.ts';

/** Where a platform is and a key that it takes. */
type Door = Pick<Platform, 'url' | 'apiKey'>;

/** An answer with its body as text. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** A page of records of which nothing is assumed. */
export interface Page {
  total: number;
  results: Record<string, unknown>[];
}

/** A client of the simplest kind: no retry, no second thought. */
export interface Client {
  /** Asks for a path below the API root. */
  get(path: string): Promise<Answer>;
  /** Sends a body as JSON, or none, to a path below the API root. */
  post(path: string, body?: unknown, options?: { method?: string; signal?: AbortSignal }): Promise<Answer>;
  /** Asks for a page of events and parses it. */
  events(query?: Record<string, string | number>): Promise<Page>;
  /** Asks for the `_id` of every event that a query gives on one page. */
  ids(query?: Record<string, string | number>): Promise<unknown[]>;
}

/** Sends a token request with any body. */
export async function postToken(platform: Pick<Platform, 'url'>, body: unknown): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return read(
    await fetch(platform.url + PATHS.token, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: text,
    }),
  );
}

/** Gives the body of a token request in one of the two ways of filling it. */
export function credentials(apiKey: string, form: 'split' | 'whole'): Record<string, string> {
  const [account, key, secret] = apiKey.split('.');
  const [client_id, client_secret] = form === 'whole' ? [apiKey, apiKey] : [`${account}.${key}`, secret];
  return { grant_type: 'client_credentials', client_id: client_id!, client_secret: client_secret! };
}

/** Obtains a token and gives a client that uses it. */
export async function connect(platform: Door): Promise<Client> {
  const { text } = await postToken(platform, credentials(platform.apiKey, 'split'));
  const { access_token } = JSON.parse(text) as { access_token: string };
  const get = async (path: string) =>
    read(await fetch(platform.url + API_ROOT + path, { headers: { Authorization: `Bearer ${access_token}` } }));
  const post: Client['post'] = async (path, body, options = {}) =>
    read(
      await fetch(platform.url + API_ROOT + path, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${access_token}`,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...options,
      }),
    );
  const events = async (query: Record<string, string | number> = {}) => {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
    );
    return JSON.parse((await get(`/users/events?${search}`)).text) as Page;
  };
  return { get, post, events, ids: async (query) => (await events(query)).results.map(({ _id }) => _id) };
}

async function read(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, text: await response.text() };
}
