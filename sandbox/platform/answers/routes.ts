import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Activity, AuditRecord } from '../activity.ts';
import type { ServerEnv } from '../disturb.ts';
import type { Organisation } from '../organisation.ts';
import { refuse } from '../problem.ts';
import type { MakeObjectId } from '../random.ts';
import type { Answers, Sheet } from './answers.ts';
import * as operations from './operations.ts';
import { KIT_QUESTIONS, PROFILE_QUESTIONS } from './questions.ts';
import { metadata } from './schemas.ts';
import { type ShowOptions, showSheet } from './show.ts';
import { readUpdate } from './update.ts';

/** What the routes of profiles and kits answer from. */
export interface AnswersSource {
  organisation: Organisation;
  answers: Answers;
  activity: Activity;
  makeId: MakeObjectId;
  clock: () => number;
  /** Writes what a client did into the audit trail. */
  happened(record: AuditRecord): void;
}

const PLAIN: ShowOptions = { includeMetadata: false, translateValues: false, noTranslateValues: [] };

/** Adds the retrieval of profiles and kits and the update of profiles. */
export function addAnswersRoutes(app: OpenAPIHono<ServerEnv>, source: AnswersSource): void {
  const { organisation, answers, activity, makeId, clock, happened } = source;

  const findProfile = (publicId: string) => {
    const supplier = organisation.suppliers.find((each) => each.publicId === publicId);
    const sheet = answers.profile(publicId);
    if (!supplier || !sheet) throw refuse(404, 'There is no profile with this publicId.');
    return { profile: { publicId, name: supplier.name }, sheet };
  };
  const show = (sheet: Sheet, options: ShowOptions) => showSheet(sheet, { questions: PROFILE_QUESTIONS, options });

  // Only a pattern of keys refers to it, which the registry does not see.
  app.openAPIRegistry.register('AnswerMetadata', metadata);

  app.openapi(operations.readProfile, (c) => {
    const { profile, sheet } = findProfile(c.req.valid('param').publicId);
    return c.json({ ...profile, answers: show(sheet, c.req.valid('query')) }, 200);
  });

  app.openapi(operations.updateProfile, (c) => {
    const { profile, sheet } = findProfile(c.req.valid('param').publicId);
    const timeMs = clock();
    const values = readUpdate(c.req.valid('json'), { sheet, newId: () => makeId(timeMs) });
    const record = activity.update(profile, { values, timeMs });
    if (record) happened(record);
    return c.json({ ...profile, answers: show(sheet, PLAIN) }, 200);
  });

  app.openapi(operations.readKit, (c) => {
    const { kitId } = c.req.valid('param');
    const kit = organisation.kits.find(({ _id }) => _id === kitId);
    const sheet = answers.kit(kitId);
    if (!kit || !sheet) throw refuse(404, 'There is no kit with this id.');
    const options = c.req.valid('query');
    return c.json({ ...kit, answers: showSheet(sheet, { questions: KIT_QUESTIONS, options }) }, 200);
  });
}
