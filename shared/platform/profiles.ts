import { ConfigurationError, ProtocolError } from '../errors.ts';
import { isObject } from '../relay/json.ts';
import { type Answers, type ReadOptions, type Sheet, toQuery } from './answers.ts';
import { PUBLIC_ROOT } from './api.ts';
import type { Caller } from './pages.ts';

/** Calls the endpoints whose path the specification leaves open. */
export interface ProfileCaller extends Caller {
  /** What comes before `/profile` and `/kit`. @default '/api/public/api/v1' */
  readonly pathPrefix?: string | undefined;
}

/** Reads a profile. @throws {TransportError} with 404 for a supplier that is not known */
export const readProfile = (caller: ProfileCaller, publicId: string, options: ReadOptions = {}): Promise<Sheet> =>
  readSheet(caller, `/profile/${toSegment('publicId', publicId)}`, options);

/** Reads a kit. @throws {TransportError} with 404 for a kit that is not known */
export const readKit = (caller: ProfileCaller, kitId: string, options: ReadOptions = {}): Promise<Sheet> =>
  readSheet(caller, `/kit/${toSegment('kitId', kitId)}`, options);

/**
 * Changes answers of a profile; others stay as they are, and doing it again changes nothing.
 * A group is an array whose instances carry `_id`; a file is `{fileName, fileContentsBase64}`.
 */
export async function updateProfile(
  { api, deadline, pathPrefix = PUBLIC_ROOT }: ProfileCaller,
  publicId: string,
  answers: Answers,
): Promise<void> {
  const path = `${pathPrefix}/profile/${toSegment('publicId', publicId)}`;
  await api.call({ method: 'PATCH', path, body: answers, deadlineMs: deadline() });
}

async function readSheet(
  { api, deadline, pathPrefix = PUBLIC_ROOT }: ProfileCaller,
  path: string,
  options: ReadOptions,
): Promise<Sheet> {
  const answer = await api.call({
    method: 'GET',
    path: `${pathPrefix}${path}`,
    query: toQuery(options),
    deadlineMs: deadline(),
  });
  const sheet = answer.json();
  if (!isObject(sheet)) throw new ProtocolError(`GET ${path} answered no object with answers`);
  return sheet;
}

/** Writes an id as one segment of a path, from which no id can lead out. @throws {ConfigurationError} */
function toSegment(name: string, id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new ConfigurationError([`${name} is wrong: expected an id`]);
  return encodeURIComponent(id.toWellFormed());
}
