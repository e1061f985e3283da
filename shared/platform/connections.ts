import * as z from 'zod/mini';
import { PUBLIC_ROOT } from './api.ts';
import { type Caller, createList, type List } from './pages.ts';
import { readRows } from './payload.ts';

const connection = z.looseObject({});

/** A connection with a supplier or a buyer; its fields are not specified. */
export type Connection = z.infer<typeof connection>;

/** Which connections to list; what is left out does not matter. */
export interface ConnectionFilter {
  /** Only what changed since this interface acknowledged it. */
  readonly interface?: string | undefined;
  readonly publicIds?: readonly string[] | undefined;
  readonly connectionPhases?: readonly string[] | undefined;
  /** The part that the organisation plays: `buyer` or `supplier`. */
  readonly connectionRole?: string | undefined;
}

/** Lists current connections. */
export const listConnections = (caller: Caller, filter: ConnectionFilter = {}): List<Connection> => {
  const path = `${PUBLIC_ROOT}/changes/connections`;
  const { publicIds, connectionPhases, ...others } = filter;
  return createList(caller, {
    path,
    query: { ...others, publicIds: publicIds?.join(','), connectionPhases: connectionPhases?.join(',') },
    row: connection,
    read: ({ text }) => ({ rows: readRows(path, text) }),
  });
};
