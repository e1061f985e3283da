import type { Organisation } from '../organisation.ts';
import { createObjectIds, type Random } from '../random.ts';
import type { ConnectionsQuery, Phase } from './schemas.ts';

/** A connection as the platform knows it; tests may give it further fields. */
export interface Connection {
  _id: string;
  publicId: string;
  name: string;
  country: string;
  /** The part that the organisation plays in it. */
  connectionRole: 'buyer' | 'supplier';
  connectionPhase: Phase;
  /** ISO 8601, like `changedOn`. */
  connectedOn: string;
  changedOn: string;
  [field: string]: unknown;
}

/** The connections of an organisation, and which of them each interface has yet to acknowledge. */
export interface Connections {
  /** Gives what a query asks for, in the order of the organisation's suppliers. */
  find(query: Omit<ConnectionsQuery, 'limit' | 'page'>): Connection[];
  get(publicId: string): Connection | undefined;
  /** Changes a connection, which every interface is shown again; undefined where there is none. */
  change(publicId: string, change: { timeMs: number; fields?: Record<string, unknown> }): Connection | undefined;
  /** Takes a connection off the list of an interface until it changes again. */
  acknowledge(publicId: string, interfaceName: string): void;
  /** Gives everything, to be kept. */
  dump(): KeptConnections;
}

/** Connections as they are kept, with their counts of changes and what each interface acknowledged of them. */
export interface KeptConnections {
  all: [publicId: string, connection: Connection][];
  changes: [publicId: string, count: number][];
  acknowledged: [interfaceAndId: string, count: number][];
}

const DAY_MS = 86_400_000;
/** Of so many suppliers, one is a customer: the organisation supplies it. */
const CUSTOMER_EVERY = 20;

/** Creates a connection for every supplier of an organisation, none of them changed, or goes on with those that were kept. */
export function createConnections(from: {
  organisation: Organisation;
  random: Random;
  nowMs: number;
  kept?: KeptConnections | undefined;
}): Connections {
  const { kept = { all: makeUp(from), changes: [], acknowledged: [] } } = from;
  const all = new Map(kept.all);
  const changes = new Map(kept.changes);
  const acknowledged = new Map(kept.acknowledged);

  // Counted, not timed: two changes within a millisecond are two.
  const isChanged = (publicId: string, interfaceName: string) =>
    (changes.get(publicId) ?? 0) > (acknowledged.get(`${interfaceName} ${publicId}`) ?? 0);

  return {
    find({ interface: interfaceName, publicIds, connectionPhases, connectionRole }) {
      return [...all.values()].filter(
        (connection) =>
          connection.connectionRole === connectionRole &&
          (interfaceName === undefined || isChanged(connection.publicId, interfaceName)) &&
          (publicIds === undefined || publicIds.includes(connection.publicId)) &&
          (connectionPhases === undefined || connectionPhases.includes(connection.connectionPhase)),
      );
    },
    get: (publicId) => all.get(publicId),
    change(publicId, { timeMs, fields }) {
      const connection = all.get(publicId);
      if (!connection) return undefined;
      const changed = { ...connection, changedOn: new Date(timeMs).toISOString(), ...fields };
      all.set(publicId, changed);
      changes.set(publicId, (changes.get(publicId) ?? 0) + 1);
      return changed;
    },
    acknowledge(publicId, interfaceName) {
      acknowledged.set(`${interfaceName} ${publicId}`, changes.get(publicId) ?? 0);
    },
    dump: () => ({ all: [...all], changes: [...changes], acknowledged: [...acknowledged] }),
  };
}

function makeUp(from: { organisation: Organisation; random: Random; nowMs: number }): KeptConnections['all'] {
  const { organisation, random, nowMs } = from;
  const makeId = createObjectIds(random);
  return organisation.suppliers.map(({ publicId, name, country }, index) => {
    const timeMs = nowMs - (1 + random.below(700)) * DAY_MS;
    const connectedOn = new Date(timeMs).toISOString();
    const connection: Connection = {
      _id: makeId(timeMs),
      publicId,
      name,
      country,
      connectionRole: index % CUSTOMER_EVERY === CUSTOMER_EVERY - 1 ? 'supplier' : 'buyer',
      connectionPhase: random.chance(0.8) ? 'connected' : random.pick(['invited', 'review', 'disconnected']),
      connectedOn,
      changedOn: connectedOn,
    };
    return [publicId, connection];
  });
}
