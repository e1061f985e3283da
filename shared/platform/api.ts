import { AuthenticationError, TransportError } from '../errors.ts';
import type { Tokens } from './token.ts';
import type { ApiAnswer, ApiRequest, Transport } from './transport.ts';

/** A call below the platform's base address. */
export interface ApiCall extends Omit<ApiRequest, 'url' | 'headers'> {
  /** Begins with a slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
}

/** Calls endpoints with a bearer token. */
export interface Api {
  /**
   * Calls an endpoint; a token that is refused is renewed once.
   * @throws {AuthenticationError} where the new token is refused, too
   * @throws {TransportError}
   */
  call(call: ApiCall): Promise<ApiAnswer>;
}

/** The root of the public API. */
export const PUBLIC_ROOT = '/api/public/api/v1';

/** Makes the caller of one platform. */
export function createApi(parts: { transport: Transport; tokens: Tokens; baseUrl: URL }): Api {
  const { transport, tokens, baseUrl } = parts;
  const root = baseUrl.pathname.replace(/\/$/, '');

  return {
    async call({ path, query = {}, ...request }) {
      const url = new URL(`${root}${path}`, baseUrl);
      for (const [name, value] of Object.entries(query)) {
        if (value !== undefined) url.searchParams.set(name, String(value));
      }
      const sendWith = (token: string): Promise<ApiAnswer> =>
        transport.send({ ...request, url, headers: { authorization: `Bearer ${token}` } });

      const token = await tokens.current(request.deadlineMs);
      try {
        return await sendWith(token);
      } catch (error) {
        if (!isUnauthorised(error)) throw error;
      }
      try {
        return await sendWith(await tokens.renew(token, request.deadlineMs));
      } catch (error) {
        if (!isUnauthorised(error)) throw error;
        throw new AuthenticationError(`The platform gives a token but refuses it: ${request.method} ${path}`, {
          cause: error,
        });
      }
    },
  };
}

const isUnauthorised = (error: unknown): boolean => error instanceof TransportError && error.status === 401;
