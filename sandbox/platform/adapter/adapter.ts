import type { AuditRecord } from '../activity.ts';
import type { Faults } from '../faults.ts';
import type { KeptAdapter } from '../kept.ts';
import type { Organisation } from '../organisation.ts';
import { refuse } from '../problem.ts';
import { createObjectIds, type Random } from '../random.ts';
import { type Connection, createConnections } from './connections.ts';
import { consequencesOf, REQUEST_TYPES } from './consequences.ts';
import { createMailbox, type Delivery, type Mailbox } from './mailbox.ts';
import type { Acknowledgement, ConnectionsQuery } from './schemas.ts';

/** What a test or a console sees of the adapter's side of the platform, and the strings that it pulls. */
export interface Adapter {
  /** Puts a message, or a made-up integration request, before whoever long-polls this interface; gives it. */
  send(interfaceName: string, message?: unknown): unknown;
  /** Counts the messages that nobody was handed yet. */
  waiting(interfaceName: string): number;
  /** Counts the long polls that hang now. */
  readers(interfaceName: string): number;
  /** Ends the long polls that hang now as if their time were over. */
  release(interfaceName: string): void;
  /** Gives what was handed out, in that order, repeats included; the last 10,000. */
  handedOut(interfaceName: string): readonly unknown[];
  /** Changes this connection, or any, without an audit event; fields are set on it as they are. */
  changeConnection(publicId?: string, fields?: Record<string, unknown>): Connection;
  /** Gives the connections that an interface has yet to acknowledge, whatever their role. */
  connections(interfaceName: string): Connection[];
  /** Every acknowledgement that was taken, failed ones included; the last 10,000. */
  readonly acknowledged: readonly Acknowledgement[];
  /** Gives the log entries that came through an interface, oldest first; the last 10,000. */
  logs(interfaceName: string): readonly unknown[];
}

/** The adapter's side of the platform, as the routes and the live activity use it. */
export interface AdapterState {
  readonly handle: Adapter;
  /** Lets connections change and integration requests come, as what happened makes them; `live` false for the past. */
  happened(record: AuditRecord, options: { live: boolean }): void;
  /** @throws HTTPException 404 where there is no such interface, as do all that take its name */
  mailbox(interfaceName: string): Mailbox;
  /** Notes that deliveries were handed out. */
  handOut(interfaceName: string, deliveries: readonly Delivery[]): void;
  /** Gives whether the connection left the list. @throws HTTPException 404 where there is no such connection */
  acknowledge(acknowledgement: Acknowledgement): boolean;
  log(interfaceName: string, entries: readonly unknown[]): void;
  find(query: Omit<ConnectionsQuery, 'limit' | 'page'>): Connection[];
  /** Gives connections and waiting messages, to be kept. */
  dump(): KeptAdapter;
}

const KEPT = 10_000;
/** While nobody reads, life goes on without piling up more than this. */
const MOST_WAITING = 1000;

/** Creates the adapter's side of an organisation: nothing changed, nothing waits, but for what was kept. */
export function createAdapter(from: {
  organisation: Organisation;
  random: Random;
  clock: () => number;
  faults: Faults;
  kept?: KeptAdapter | undefined;
}): AdapterState {
  const { organisation, random, clock, faults, kept } = from;
  const connections = createConnections({ organisation, random, nowMs: clock(), kept: kept?.connections });
  const makeId = createObjectIds(random);
  const sides = new Map(
    organisation.interfaces.map((name) => [
      name,
      { mailbox: createMailbox(kept?.messages[name]), handedOut: [] as unknown[], logs: [] as unknown[] },
    ]),
  );
  const acknowledged: Acknowledgement[] = [];

  const side = (interfaceName: string) => {
    const found = sides.get(interfaceName);
    if (!found) throw refuse(404, 'There is no interface of this name.');
    return found;
  };
  const request = (from: { interfaceName: string; type: string; publicId: string; timeMs: number }) => ({
    _id: makeId(from.timeMs),
    type: from.type,
    interface: from.interfaceName,
    publicId: from.publicId,
    createdAt: new Date(from.timeMs).toISOString(),
  });
  const anyConnection = () => random.pick(organisation.suppliers).publicId;

  const handle: Adapter = {
    send(interfaceName, message) {
      const type = random.pick(REQUEST_TYPES);
      const sent = message ?? request({ interfaceName, type, publicId: anyConnection(), timeMs: clock() });
      side(interfaceName).mailbox.send({ message: sent });
      return sent;
    },
    waiting: (interfaceName) => side(interfaceName).mailbox.waiting,
    readers: (interfaceName) => side(interfaceName).mailbox.readers,
    release: (interfaceName) => side(interfaceName).mailbox.release(),
    handedOut: (interfaceName) => side(interfaceName).handedOut,
    changeConnection(publicId = anyConnection(), fields = {}) {
      const changed = connections.change(publicId, { timeMs: clock(), fields });
      if (!changed) throw refuse(404, 'There is no connection with this publicId.');
      return changed;
    },
    connections: (interfaceName) =>
      (['buyer', 'supplier'] as const).flatMap((connectionRole) =>
        connections.find({ interface: interfaceName, connectionRole }),
      ),
    acknowledged,
    logs: (interfaceName) => side(interfaceName).logs,
  };

  return {
    handle,
    happened(record, { live }) {
      const consequences = consequencesOf(record);
      if (!consequences) return;
      const { publicId, isChange, phase, request: type } = consequences;
      const timeMs = Date.parse(record.createdAt);
      if (isChange) connections.change(publicId, { timeMs, ...(phase && { fields: { connectionPhase: phase } }) });
      if (!live || type === undefined) return;
      for (const [interfaceName, { mailbox }] of sides) {
        if (mailbox.waiting >= MOST_WAITING) continue;
        mailbox.send({ message: request({ interfaceName, type, publicId, timeMs }) });
      }
    },
    mailbox: (interfaceName) => side(interfaceName).mailbox,
    handOut(interfaceName, deliveries) {
      const { handedOut, mailbox } = side(interfaceName);
      for (const { message, again = faults.redeliveries } of deliveries) {
        keep(handedOut, [message]);
        if (again > 0) mailbox.send({ message, again: again - 1 });
      }
    },
    acknowledge(acknowledgement) {
      const { interface: interfaceName, publicId, connectionRole, errors = [] } = acknowledgement;
      side(interfaceName);
      if (connections.get(publicId)?.connectionRole !== connectionRole) {
        throw refuse(404, 'There is no connection with this publicId and role.');
      }
      keep(acknowledged, [acknowledgement]);
      if (errors.length > 0) return false;
      connections.acknowledge(publicId, interfaceName);
      return true;
    },
    log: (interfaceName, entries) => keep(side(interfaceName).logs, entries),
    find(query) {
      if (query.interface !== undefined) side(query.interface);
      return connections.find(query);
    },
    dump: () => ({
      connections: connections.dump(),
      messages: Object.fromEntries([...sides].map(([name, { mailbox }]) => [name, mailbox.dump()])),
    }),
  };
}

function keep(list: unknown[], added: readonly unknown[]): void {
  for (const one of added) list.push(one);
  list.splice(0, list.length - KEPT);
}
