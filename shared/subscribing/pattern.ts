import type { RelayEvent } from '../relay/event.ts';
import type { EventSource } from './bus-event.ts';
import type { EventPattern } from './ready-patterns.ts';

type Scalar = string | number | boolean | null;
type IgnoringCase = { readonly 'equals-ignore-case': string };

/** What a value may be, in EventBridge's words. */
type Matcher<T extends Scalar = Scalar> =
  | T
  | null
  | { readonly exists: boolean }
  | { readonly prefix: string | IgnoringCase }
  | { readonly suffix: string | IgnoringCase }
  | IgnoringCase
  | { readonly wildcard: string }
  | { readonly numeric: readonly (string | number)[] }
  | { readonly cidr: string }
  | { readonly 'anything-but': T | readonly T[] | object };

/** Of a record everything may be asked; of the rest of an event, what it has. */
type Fields<T> = T extends Scalar | undefined
  ? readonly Matcher<Exclude<T, undefined>>[]
  : unknown extends T
    ? FreeFields
    : { readonly [Key in keyof T]?: Fields<Exclude<T[Key], undefined>> };

type FreeFields = readonly Matcher[] | { readonly [key: string]: FreeFields | readonly FreeFields[] };

/** What to ask of events, all of it at once; of a list, one has to fit. */
export type Wanted = Omit<Fields<RelayEvent>, 'source' | 'type'> & {
  /** Event types, as `detail-type` has them. @default any */
  readonly type?: readonly Matcher<string>[];
  /** @default any of the relay's */
  readonly source?: readonly EventSource[];
};

/**
 * Writes the EventBridge pattern of a rule from what is wanted of an event.
 * @example pattern({ type: ['profile_updated'], data: { actor: { email: [{ suffix: '@acme.example' }] } } })
 */
export function pattern({ source, type, ...detail }: Wanted): EventPattern {
  return {
    source: source ?? [{ prefix: 'supplier-platform.' }],
    ...(type && { 'detail-type': type }),
    ...(Object.keys(detail).length > 0 && { detail }),
  };
}
