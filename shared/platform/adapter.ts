import { NotServedError, TransportError } from '../errors.ts';
import type { ChangeList, Inbox } from '../relay/adapter-ports.ts';
import type { Clock } from '../relay/ports.ts';
import { type Api, type ApiCall, PUBLIC_ROOT } from './api.ts';
import { readMessages, readRows } from './payload.ts';
import type { ApiAnswer } from './transport.ts';

/** The endpoints that an adapter talks to. */
export interface AdapterApi {
  /** @param longestMs how long a poll may hang: `api` must let it */
  inbox(options: { interfaceName: string; api: Api; longestMs: number }): Inbox;
  /** @param query goes with every request for the list, e.g. `connectionRole` */
  changeList(options: { interfaceName: string; query?: Readonly<Record<string, string>> }): ChangeList;
  /** Hands log entries to the platform, once. @throws {TransportError | NotServedError} */
  sendLogs(interfaceName: string, entries: readonly object[], deadlineMs: number): Promise<void>;
}

/** How long a call may take with its retries. */
const CALL_MS = 60_000;
/** For the token, which a poll may need first. */
const TOKEN_MS = 20_000;
const PAGE_ROWS = 100;
/** The specification's and another that is in use: the second is tried where the first is not found. */
const ACKNOWLEDGE_PATHS = ['/changes/acknowledgement', '/changes/acknowledge'] as const;

/** Makes the caller of the adapter's endpoints. */
export function createAdapterApi(parts: {
  api: Api;
  clock: Clock;
  /** Before their paths. @default '/api/public/api/v1' */
  pathPrefix?: string;
}): AdapterApi {
  const { api, clock, pathPrefix = PUBLIC_ROOT } = parts;
  let acknowledgePath: string | undefined;

  const adapterPath = (what: string, interfaceName: string): string =>
    `${pathPrefix}/adapter/${what}/${encodeURIComponent(interfaceName)}`;

  return {
    inbox({ interfaceName, api: pollApi, longestMs }) {
      const path = adapterPath('long-poll', interfaceName);
      return {
        longestMs,
        async take() {
          const deadlineMs = clock() + longestMs + TOKEN_MS;
          try {
            const answer = await serve(pollApi, { method: 'POST', path, body: {}, deadlineMs, once: true });
            return readMessages(answer.text);
          } catch (error) {
            if (error instanceof TransportError && error.status === 304) return [];
            throw error;
          }
        },
      };
    },

    changeList({ interfaceName, query = {} }) {
      const path = `${pathPrefix}/changes/connections`;
      const whose = { connectionRole: 'buyer', ...query, interface: interfaceName };
      return {
        async readPage(page, publicId) {
          const only = publicId !== undefined && { publicIds: publicId };
          const asked = { ...whose, ...only, limit: PAGE_ROWS, page };
          const answer = await serve(api, { method: 'GET', path, query: asked, deadlineMs: clock() + CALL_MS });
          return readRows(path, answer.text);
        },

        async acknowledge({ publicId, role = whose.connectionRole, errors }) {
          const body = {
            interface: interfaceName,
            connectionRole: role,
            publicId,
            ...(errors.length > 0 && { errors }),
          };
          for (const path of acknowledgePath ? [acknowledgePath] : ACKNOWLEDGE_PATHS) {
            try {
              await api.call({ method: 'POST', path: `${pathPrefix}${path}`, body, deadlineMs: clock() + CALL_MS });
              acknowledgePath = path;
              return;
            } catch (error) {
              const another = acknowledgePath === undefined && path !== ACKNOWLEDGE_PATHS[1];
              if (!another || !(error instanceof TransportError) || error.status !== 404) throw error;
            }
          }
        },
      };
    },

    async sendLogs(interfaceName, entries, deadlineMs) {
      const path = adapterPath('passthrough', interfaceName);
      await serve(api, { method: 'POST', path, body: entries, deadlineMs, once: true });
    },
  };
}

/** Calls an endpoint. @throws {NotServedError} where it answers that it does not exist; a token endpoint may do so, too */
async function serve(api: Api, call: ApiCall): Promise<ApiAnswer> {
  try {
    return await api.call(call);
  } catch (error) {
    if (!(error instanceof TransportError) || (error.status !== 404 && error.status !== 405)) throw error;
    if (!error.request.endsWith(call.path)) throw error;
    throw new NotServedError(`The platform does not serve ${call.method} ${call.path}: it answers ${error.status}`, {
      cause: error,
    });
  }
}
