import { isDeepStrictEqual } from 'node:util';
import type { KeptAnswers } from '../kept.ts';
import type { Organisation } from '../organisation.ts';
import type { MakeObjectId, Random } from '../random.ts';
import type { Actor } from '../schemas.ts';
import { makeUpSheet } from './make-up.ts';
import { KIT_QUESTIONS, PROFILE_QUESTIONS } from './questions.ts';

/** An answer with what its metadata tells. */
export interface Answer {
  value: unknown;
  /** ISO 8601. */
  lastUpdateOn: string;
  lastUpdatedBy: Actor;
  /** Metadata that changes of the answer leave alone: scores and overrides. */
  assessment: Readonly<Record<string, unknown>>;
}

/** Answers by key. */
export type Sheet = Record<string, Answer>;

/** One answer that was changed. */
export interface Change {
  key: string;
  from: unknown;
  to: unknown;
}

/** The answers that suppliers gave: a sheet for every public profile and one for every kit. */
export interface Answers {
  profile(publicId: string): Sheet | undefined;
  kit(kitId: string): Sheet | undefined;
  /** Sets answers of a profile that exists; gives those that were another before. */
  set(publicId: string, change: { values: Readonly<Record<string, unknown>>; timeMs: number; by: Actor }): Change[];
  /** Gives all sheets, to be kept. */
  dump(): KeptAnswers;
}

/** Creates the answers of an organisation's suppliers and kits, or goes on with those that were kept. */
export function createAnswers(from: {
  organisation: Organisation;
  random: Random;
  nowMs: number;
  makeId: MakeObjectId;
  kept?: KeptAnswers | undefined;
}): Answers {
  const { kept = makeUp(from) } = from;
  const profiles = new Map(kept.profiles);
  const kits = new Map(kept.kits);

  return {
    profile: (publicId) => profiles.get(publicId),
    kit: (kitId) => kits.get(kitId),
    set(publicId, { values, timeMs, by }) {
      const sheet = profiles.get(publicId)!;
      const changes: Change[] = [];
      for (const [key, to] of Object.entries(values)) {
        const answer = sheet[key]!;
        if (isDeepStrictEqual(answer.value, to)) continue;
        changes.push({ key, from: answer.value, to });
        sheet[key] = { ...answer, value: to, lastUpdateOn: new Date(timeMs).toISOString(), lastUpdatedBy: by };
      }
      return changes;
    },
    dump: () => ({ profiles: [...profiles], kits: [...kits] }),
  };
}

function makeUp(from: Parameters<typeof createAnswers>[0]): KeptAnswers {
  const { users, suppliers, kits } = from.organisation;
  return {
    profiles: suppliers.map(({ publicId, name, country }) => {
      const known = { legalName: name, country };
      return [publicId, makeUpSheet(PROFILE_QUESTIONS, { ...from, users, known, assessed: false })];
    }),
    kits: kits.map(({ _id }) => [_id, makeUpSheet(KIT_QUESTIONS, { ...from, users, known: {}, assessed: true })]),
  };
}
