import type { Answers, Change, Sheet } from './answers/answers.ts';
import { exampleValues, PROFILE_QUESTIONS } from './answers/questions.ts';
import { EVENT_TYPES, type EventType, type PartName } from './event-types.ts';
import type { Organisation } from './organisation.ts';
import { createObjectIds, createWeightedPicker, type Random, randomHex } from './random.ts';
import type { Actor } from './schemas.ts';

/** An audit event as the platform writes it when no fault reshapes it; what else it holds follows from its type. */
export interface AuditRecord {
  _id: string;
  eventType: string;
  /** ISO 8601 with milliseconds, in UTC. */
  createdAt: string;
  user?: Actor;
  [part: string]: unknown;
}

interface Profile {
  publicId: string;
  name: string;
}

/** Writes audit records of made-up deeds in one organisation; profiles are changed as the records say. */
export interface Activity {
  /** Writes the record of something that happens at `timeMs`. */
  happen(timeMs: number): AuditRecord;
  /** Writes one line of a nightly import: a profile updated by the importing account. */
  importLine(timeMs: number): AuditRecord;
  /** Writes the record of something that the account which holds the API key did. */
  record(typeName: string, deed: Omit<Deed, 'user'>): AuditRecord;
  /** Changes answers for the account that holds the API key and writes its record; none where all were so before. */
  update(
    profile: Profile,
    change: { values: Readonly<Record<string, unknown>>; timeMs: number },
  ): AuditRecord | undefined;
}

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
const IMPORTS = ['suppliers-nightly.csv', 'bank-details.xlsx', 'risk-scores.csv'];
const EXPORTS = ['suppliers', 'kit_answers', 'audit_trail', 'connections'];

interface Deed {
  timeMs: number;
  user: Actor | undefined;
  /** Parts that are not made up. */
  given?: Partial<Record<PartName, unknown>> | undefined;
}

const PROFILE_UPDATED = EVENT_TYPES[0]!;
const CHANGED = PROFILE_QUESTIONS.filter((question) => exampleValues(question).length > 0);

/** Creates the activity of an organisation; the same chance and the same times give the same records. */
export function createActivity(from: { organisation: Organisation; answers: Answers; random: Random }): Activity {
  const { organisation, answers, random } = from;
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

  const change = (sheet: Sheet | undefined): Change => {
    const question = pick(CHANGED);
    const from = sheet?.[question.key]?.value;
    return { key: question.key, from, to: pick(exampleValues(question).filter((value) => value !== from)) };
  };
  const makeChanges = ({ publicId }: Profile) => {
    const changes = Array.from({ length: 1 + below(3) }, () => change(answers.profile(publicId)));
    return [...new Map(changes.map((each) => [each.key, each])).values()];
  };

  const parts: Record<PartName, (timeMs: number, record: AuditRecord) => unknown> = {
    profile: () => pick(profiles),
    kit: () => pick(kits),
    task: () => {
      const { _id, type, title, kitId, kitType } = pick(tasks);
      return { _id, type, title, kitId, kitType };
    },
    changes: (_, { profile }) => makeChanges(profile as Profile),
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
    import: () => ({ fileName: pick(IMPORTS), rows: 100 + below(5_000), failed: below(20) }),
    session: () => ({
      id: randomHex(16, random),
      method: pick(['password', 'sso', 'sso']),
      secondFactor: random.chance(0.6),
    }),
  };

  const write = (type: EventType, { timeMs, user, given = {} }: Deed): AuditRecord => {
    const record: AuditRecord = {
      _id: makeId(timeMs),
      eventType: type.name,
      createdAt: new Date(timeMs).toISOString(),
    };
    if (user) record.user = user;
    for (const part of type.parts) record[part] = given[part] ?? parts[part](timeMs, record);
    if (user) {
      record.ip = pick(addresses);
      record.userAgent = pick(AGENTS);
    }
    return record;
  };
  const changeProfile = (record: AuditRecord, { timeMs, by }: { timeMs: number; by: Actor }) => {
    const values = Object.fromEntries((record.changes as Change[]).map(({ key, to }) => [key, to]));
    answers.set((record.profile as Profile).publicId, { values, timeMs, by });
    return record;
  };

  return {
    happen(timeMs) {
      const type = EVENT_TYPES[pickType()]!;
      const user = type.bySystem ? undefined : pick(actors);
      const record = write(type, { timeMs, user });
      return user && type === PROFILE_UPDATED ? changeProfile(record, { timeMs, by: user }) : record;
    },
    importLine: (timeMs) => changeProfile(write(PROFILE_UPDATED, { timeMs, user: importer }), { timeMs, by: importer }),
    update(profile, { values, timeMs }) {
      const changes = answers.set(profile.publicId, { values, timeMs, by: importer });
      return changes.length > 0
        ? write(PROFILE_UPDATED, { timeMs, user: importer, given: { profile, changes } })
        : undefined;
    },
    record: (typeName, deed) => write(EVENT_TYPES.find(({ name }) => name === typeName)!, { ...deed, user: importer }),
  };
}
