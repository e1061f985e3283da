import { refuse } from '../problem.ts';
import type { MakeObjectId } from '../random.ts';
import type { Sheet } from './answers.ts';
import { PROFILE_QUESTIONS } from './questions.ts';
import type { ProfileUpdate } from './schemas.ts';

/** Turns the values of a valid update into those that are kept. @throws HTTPException 409 for an instance that is not there */
export function readUpdate(
  update: ProfileUpdate,
  { sheet, newId }: { sheet: Sheet; newId: () => ReturnType<MakeObjectId> },
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { key, type } of PROFILE_QUESTIONS) {
    const given = update[key];
    if (given === undefined) continue;
    if (type === 'file') values[key] = keepFile(given as GivenFile, newId);
    else if (type === 'group') values[key] = mergeGroup(given as Instance[], { key, sheet, newId });
    else values[key] = given;
  }
  return values;
}

interface GivenFile {
  fileName: string;
  fileContentsBase64: string;
}
type Instance = Record<string, unknown> & { _id?: string };

/** What is in a file nobody reads again; its name and size are shown. */
function keepFile({ fileName, fileContentsBase64 }: GivenFile, newId: () => string) {
  return { _id: newId(), fileName, bytes: Buffer.from(fileContentsBase64, 'base64').length };
}

function mergeGroup(
  given: readonly Instance[],
  { key, sheet, newId }: { key: string; sheet: Sheet; newId: () => string },
): Instance[] {
  const kept = new Map((sheet[key]!.value as Instance[]).map((instance) => [instance._id, instance]));
  return given.map((instance) => {
    if (instance._id === undefined) return { _id: newId(), ...instance };
    const old = kept.get(instance._id);
    if (!old) throw refuse(409, `${key}: there is no instance ${instance._id}.`);
    return { ...old, ...instance };
  });
}
