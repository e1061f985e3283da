import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { DeadlineError, LostLeaseError, TransportError } from '../errors.ts';
import type { RelayEvent } from './event.ts';
import { canonicalJson, isObject } from './json.ts';
import { toNotice } from './notice.ts';
import type { Clock } from './ports.ts';
import type { Publisher } from './publish.ts';
import { oneLine } from './text.ts';

/** What became of a command; told on the bus under an id that stays the same. */
export interface Outcome {
  readonly type: 'profile.updated' | 'profile.update-failed';
  readonly summary: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** What is known of a command. */
export interface CommandState {
  /** Of its content: whoever gave the same id to something else sent another command. */
  readonly hash: string;
  /** Left out until it is carried out. */
  readonly outcome?: Outcome;
  /** True where the outcome is on the bus. */
  readonly told: boolean;
}

/** Remembers commands, so that each is carried out once. */
export interface CommandLog {
  /**
   * Takes a command on until `endMs`, unless it is carried out already; taking it on again as the same `owner` succeeds.
   * @returns undefined where another owner is at it
   */
  begin(
    id: string,
    claim: { readonly hash: string; readonly owner: string; readonly nowMs: number; readonly endMs: number },
  ): Promise<CommandState | undefined>;
  /** Keeps what became of it. */
  settle(id: string, outcome: Outcome): Promise<void>;
  /** Keeps that the outcome is on the bus. */
  markTold(id: string): Promise<void>;
  /** Lets it go without an outcome, so that the next attempt need not wait. */
  release(id: string, owner: string): Promise<void>;
}

/** Carries commands out. */
export interface Commands {
  /**
   * Carries the command of a bus event out by `endMs`, once, and tells the outcome on the bus; a fault of the command is an outcome.
   * @throws {TransportError | DeadlineError | AuthenticationError | LostLeaseError | PublishError} where a later attempt may help
   */
  carryOut(event: unknown, time: { endMs: number }): Promise<Outcome>;
}

const command = z.object({
  id: z.string('expected a text').check(z.regex(/\S/, 'expected an id')),
  type: z.literal('profile.update', 'expected profile.update'),
  data: z.object(
    {
      publicId: z.string('expected a text').check(z.regex(/^(?!\.{1,2}$)\S+$/, 'expected the id of a profile')),
      answers: z
        .record(z.string(), z.unknown(), 'expected an object of answers by their keys')
        .check(z.refine((answers) => Object.keys(answers).length > 0, 'expected at least one answer')),
    },
    'expected an object with publicId and answers',
  ),
});
type Command = z.infer<typeof command>;

/** How much longer than the process a command is held. */
const LEASE_MARGIN_MS = 5_000;
/** Kept for telling the outcome, of which the last part is the longest wait between two tries. */
const TELLING_MS = 12_000;
const LAST_TRY_MS = 6_000;

/** Makes what carries out the commands of a tenant; `owner` tells this attempt's process from others. */
export function createCommands(parts: {
  tenant: string;
  log: CommandLog;
  /** Changes answers of a profile; doing it again changes nothing. */
  updateProfile: (publicId: string, answers: Readonly<Record<string, unknown>>, deadlineMs: number) => Promise<void>;
  publisher: Publisher;
  owner: string;
  clock: Clock;
}): Commands {
  const { tenant, log, updateProfile, publisher, owner, clock } = parts;

  async function tell(id: string, { type, summary, facts }: Outcome, endMs: number): Promise<void> {
    const mayStart = (): void => {
      if (clock() >= endMs - LAST_TRY_MS) throw new DeadlineError('telling the outcome of a command');
    };
    const event: RelayEvent = toNotice({ type, id: `command/${id}`, tenant, nowMs: clock(), summary, facts });
    const { failure } = await publisher.publish([event], mayStart);
    if (failure !== undefined) throw failure;
  }

  /** Tells of a command that cannot be kept by its id: it has none, or the id is another's. */
  async function refuse(id: string | undefined, hash: string, why: string, endMs: number): Promise<Outcome> {
    const outcome = toFailure(id, undefined, why);
    await tell(`${id ?? 'unknown'}/${hash.slice(0, 16)}`, outcome, endMs);
    return outcome;
  }

  async function attempt({ id, data: { publicId, answers } }: Command, deadlineMs: number): Promise<Outcome> {
    try {
      await updateProfile(publicId, answers, deadlineMs);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return toFailure(id, publicId, error.message, error.status);
    }
    const keys = Object.keys(answers);
    return {
      type: 'profile.updated',
      summary: oneLine(`Profile ${publicId} updated: ${keys.join(', ')}`),
      facts: { command: id, publicId, answers: keys },
    };
  }

  return {
    async carryOut(event, { endMs }) {
      const detail = isObject(event) ? event.detail : undefined;
      const hash = hashOf(detail);
      const { data: found, error } = command.safeParse(detail);
      if (error) return refuse(idOf(detail), hash, error.issues.map(inWords).join('; '), endMs);

      const { id } = found;
      const claim = { hash, owner, nowMs: clock(), endMs: endMs + LEASE_MARGIN_MS };
      const state = await log.begin(id, claim);
      if (state === undefined) throw new LostLeaseError(`Another attempt at the command ${oneLine(id)} is under way`);
      if (state.hash !== hash) {
        await log.release(id, owner);
        return refuse(id, hash, 'id: another command has it already', endMs);
      }
      try {
        const outcome = state.outcome ?? (await attempt(found, endMs - TELLING_MS));
        if (state.outcome === undefined) await log.settle(id, outcome);
        if (!state.told) {
          await tell(id, outcome, endMs);
          await log.markTold(id);
        }
        return outcome;
      } catch (error) {
        // The lease ends by itself should this fail, too; the first error is the one to report.
        await log.release(id, owner).catch(() => undefined);
        throw error;
      }
    },
  };
}

/** The platform says no to what was asked, and would again. */
const isRefusal = (error: unknown): error is TransportError & { readonly status: number } =>
  error instanceof TransportError &&
  error.status !== undefined &&
  error.status >= 400 &&
  error.status < 500 &&
  !error.retryable;

const toFailure = (id: string | undefined, publicId: string | undefined, why: string, status?: number): Outcome => ({
  type: 'profile.update-failed',
  summary: oneLine(`Command ${id ?? 'without an id'} failed: ${why}`),
  facts: {
    ...(id !== undefined && { command: id }),
    ...(publicId !== undefined && { publicId }),
    ...(status !== undefined && { status }),
    why,
  },
});

const inWords = ({ path, message }: z.core.$ZodIssue): string => `${path.join('.') || 'detail'}: ${message}`;

/** What can be told of a command that is wrong. */
const idOf = (detail: unknown): string | undefined =>
  isObject(detail) && typeof detail.id === 'string' && detail.id.trim() !== '' ? oneLine(detail.id) : undefined;

const hashOf = (detail: unknown): string =>
  createHash('sha256')
    .update(canonicalJson(detail ?? null))
    .digest('hex');
