import { EVENT_TYPES, type EventType, type PartName } from './event-types.ts';
import type { Organisation } from './organisation.ts';
import { createObjectIds, createWeightedPicker, type Random, randomHex } from './random.ts';

/** The person who acted, as events name one. */
interface Actor {
  _id: string;
  email: string;
  name: string;
}

/** An audit event as the platform writes it when no fault reshapes it; what else it holds follows from its type. */
export interface AuditRecord {
  _id: string;
  eventType: string;
  /** ISO 8601 with milliseconds, in UTC. */
  createdAt: string;
  user?: Actor;
  [part: string]: unknown;
}

/** Writes audit records of made-up deeds in one organisation. */
export interface Activity {
  /** Writes the record of something that happens at `timeMs`. */
  happen(timeMs: number): AuditRecord;
  /** Writes one line of a nightly import: a profile updated by the importing account. */
  importLine(timeMs: number): AuditRecord;
}

const CHANGED_ANSWERS: Record<string, readonly string[]> = {
  bankAccountIban: ['DE89370400440532013000', 'GB29NWBK60161331926819', 'FR1420041010050500013M02606'],
  bankSwiftCode: ['COBADEFFXXX', 'NWBKGB2L', 'PSSTFRPPLIL'],
  bankAccountHolder: ['Treasury Services Ltd', 'Example Holdings BV', 'Northern Trading GmbH'],
  legalName: ['Example Supplies Ltd', 'Example Supplies Group plc', 'Example Supplies Europe BV'],
  taxId: ['DE811569869', 'GB999999973', 'FR40303265045'],
  registeredAddress: ['1 Harbour Road, Bristol', 'Lindenstrasse 12, 10969 Berlin', '8 rue de Lyon, 75012 Paris'],
  primaryContactEmail: ['accounts@supplier.example', 'sales@supplier.example', 'finance@supplier.example'],
  annualRevenueBand: ['under 1m', '1m to 10m', '10m to 50m', 'over 50m'],
  employeeCount: ['1-9', '10-49', '50-249', '250+'],
  iso27001Certified: ['yes', 'no', 'in progress'],
  modernSlaveryStatement: ['published', 'not required', 'draft'],
  riskLevel: ['low', 'medium', 'high'],
};
const COMMENTS = [
  'Please attach the certificate for the current year.',
  'Verified by telephone with the number we had on file.',
  'The answers on sub-processors contradict last year’s; asked for an explanation.',
  'Duplicate of an existing supplier, disconnected after a call with purchasing.',
];
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_6) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:138.0) Gecko/20100101 Firefox/138.0',
];
const DOCUMENTS = ['iso-9001.pdf', 'liability-insurance.pdf', 'bank-letter.pdf', 'certificate-of-incorporation.pdf'];
const EXPORTS = ['suppliers', 'kit_answers', 'audit_trail', 'connections'];

/** Creates the activity of an organisation; the same chance and the same times give the same records. */
export function createActivity({ organisation, random }: { organisation: Organisation; random: Random }): Activity {
  const makeId = createObjectIds(random);
  const { pick, below } = random;
  const { users, suppliers, kits, tasks, roles } = organisation;
  const pickType = createWeightedPicker(
    EVENT_TYPES.map(({ weight }) => weight),
    random,
  );

  // Every event repeats its actor and profile; sharing the objects keeps a long history small.
  const actors = users.map(({ _id, email, name }): Actor => ({ _id, email, name }));
  const importer = actors[0]!;
  const profiles = suppliers.map(({ publicId, name }) => ({ publicId, name }));
  const addresses = Array.from({ length: 60 }, () => `203.0.113.${below(256)}`);
  const answers = Object.entries(CHANGED_ANSWERS);

  const change = () => {
    const [key, values] = pick(answers);
    const from = below(values.length);
    return { key, from: values[from], to: values[(from + 1 + below(values.length - 1)) % values.length] };
  };

  const parts: Record<PartName, (timeMs: number) => unknown> = {
    profile: () => pick(profiles),
    kit: () => pick(kits),
    task: () => {
      const { _id, type, title, kitId, kitType } = pick(tasks);
      return { _id, type, title, kitId, kitType };
    },
    changes: () => Array.from({ length: 1 + below(3) }, change),
    targetUser: () => pick(actors),
    newRole: () => pick(roles)._id,
    document: (timeMs) => ({
      _id: makeId(timeMs),
      fileName: pick(DOCUMENTS),
      bytes: 20_000 + below(4_000_000),
      expiresOn: new Date(timeMs + below(365) * 86_400_000).toISOString().slice(0, 10),
    }),
    apiKey: () => ({ keyId: randomHex(24, random), label: `integration ${1 + below(9)}` }),
    comment: () => pick(COMMENTS),
    export: () => ({ kind: pick(EXPORTS), format: pick(['csv', 'xlsx', 'json']), rows: below(50_000) }),
    session: () => ({
      id: randomHex(16, random),
      method: pick(['password', 'sso', 'sso']),
      secondFactor: random.chance(0.6),
    }),
  };

  const write = (type: EventType, { timeMs, user }: { timeMs: number; user: Actor | undefined }): AuditRecord => {
    const record: AuditRecord = {
      _id: makeId(timeMs),
      eventType: type.name,
      createdAt: new Date(timeMs).toISOString(),
    };
    if (user) record.user = user;
    for (const part of type.parts) record[part] = parts[part](timeMs);
    if (user) {
      record.ip = pick(addresses);
      record.userAgent = pick(AGENTS);
    }
    return record;
  };

  return {
    happen(timeMs) {
      const type = EVENT_TYPES[pickType()]!;
      return write(type, { timeMs, user: type.bySystem ? undefined : pick(actors) });
    },
    importLine: (timeMs) => write(EVENT_TYPES[0]!, { timeMs, user: importer }),
  };
}
