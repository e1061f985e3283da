import { z } from 'zod';
import { parseJson } from '../../shared/relay/json.ts';
import { DeliveryError } from './destination.ts';

const path = z.string().max(256).startsWith('$');

/** What a target is to get, where that is not the event as it is; at most one of the three. */
export const inputShape = {
  /** JSON that does not depend on the event. */
  Input: z.string().max(8192).optional(),
  /** The part of the event that is delivered. */
  InputPath: path.optional(),
  InputTransformer: z
    .object({
      InputPathsMap: z.record(z.string().regex(/^[\w-]{1,256}$/), path).default({}),
      InputTemplate: z.string().min(1).max(8192),
    })
    .optional(),
};

/** What is known when an event is written for a target. */
interface Matched {
  /** The event's text. */
  readonly json: string;
  readonly rule: { readonly name: string; readonly arn: string };
  readonly target: z.infer<z.ZodObject<typeof inputShape>>;
  /** When the bus took the event. */
  readonly ingestedMs: number;
}

/**
 * Writes what a target gets of an event, as JSON.
 * @throws {DeliveryError} where a template does not come to JSON
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-transform-target-input.html
 */
export function writeInput(matched: Matched): string {
  const { Input, InputPath, InputTransformer } = matched.target;
  if (Input !== undefined) return Input;
  if (InputPath === undefined && InputTransformer === undefined) return matched.json;
  const event = parseJson(matched.json) as object;
  if (InputTransformer === undefined) return JSON.stringify(find(event, InputPath ?? '$') ?? {});
  const { InputPathsMap, InputTemplate } = InputTransformer;
  const values = new Map<string, string>(Object.entries(predefine(event, matched)));
  for (const [name, path] of Object.entries(InputPathsMap)) {
    // What is not in the event comes out as an empty text.
    values.set(name, JSON.stringify(find(event, path) ?? ''));
  }
  return fill(InputTemplate, values);
}

/** Names the variables that a template uses though neither it nor EventBridge defines them. */
export function findUndefined({ InputPathsMap, InputTemplate }: Transformer): string[] {
  const known = new Set<string>([...Object.keys(InputPathsMap), ...PREDEFINED]);
  return [...InputTemplate.matchAll(PLACEHOLDER)].flatMap(([, name = '']) => (known.has(name) ? [] : [name]));
}

type Transformer = NonNullable<Matched['target']['InputTransformer']>;

const PLACEHOLDER = /<([\w.-]+)>/g;
/** An escaped character, a quote, or a placeholder. */
const PIECE = /\\.|"|<([\w.-]+)>/gs;
const PREDEFINED = [
  'aws.events.rule-arn',
  'aws.events.rule-name',
  'aws.events.event.ingestion-time',
  'aws.events.event',
  'aws.events.event.json',
] as const;

/** Gives the JSON of the names that every template knows. */
function predefine(
  event: { readonly detail?: unknown; readonly 'detail-type'?: unknown },
  { json, rule, ingestedMs }: Matched,
): Record<(typeof PREDEFINED)[number], string> {
  const { detail: _, 'detail-type': detailType, ...envelope } = event;
  return {
    'aws.events.rule-arn': JSON.stringify(rule.arn),
    'aws.events.rule-name': JSON.stringify(rule.name),
    'aws.events.event.ingestion-time': JSON.stringify(new Date(ingestedMs).toISOString()),
    // EventBridge spells this key in its own way here, and leaves out the detail.
    'aws.events.event': JSON.stringify({ ...envelope, detailType }),
    'aws.events.event.json': json,
  };
}

/** Puts values in: bare ones as JSON, within quotes the text of a text, and of anything else its JSON as it is. */
function fill(template: string, values: ReadonlyMap<string, string>): string {
  const isJson = /^\s*(?:["{[]|<[\w.-]+>\s*$)/.test(template);
  let inQuotes = false;
  // What is no JSON is a text without its quotes.
  const filled = (isJson ? template : `"${template}"`).replace(PIECE, (piece, name: string | undefined) => {
    if (piece === '"') inQuotes = !inQuotes;
    const value = name === undefined ? piece : (values.get(name) ?? piece);
    return inQuotes && name !== undefined && value.startsWith('"') ? value.slice(1, -1) : value;
  });
  try {
    JSON.parse(filled);
    return filled;
  } catch {
    throw new DeliveryError('INVALID_JSON', 'The input template does not come to valid JSON.');
  }
}

/** Follows a path as `$.detail.data[0].name`, where `*` goes on with all there are. */
function find(event: object, path: string): unknown {
  return follow(event, path.match(/[^.[\]'"$]+/g) ?? []);
}

function follow(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (step === '*') return Object.values(value).flatMap((each) => follow(each, rest) ?? []);
  return Object.hasOwn(value, step) ? follow((value as Record<string, unknown>)[step], rest) : undefined;
}
