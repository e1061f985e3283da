import { type CompiledPattern, compilePattern } from '../../shared/rules/pattern.ts';
import { PatternError } from '../../shared/rules/pattern-error.ts';
import type { BusEvent } from './bus.ts';
import { ServiceError } from './json-server.ts';
import type { Target } from './targets.ts';

/** What a rule is, apart from its targets. */
export interface RuleFacts {
  readonly name: string;
  /** Its text, as it was put. */
  readonly pattern: string;
  readonly state: 'ENABLED' | 'DISABLED';
  readonly description?: string | undefined;
}

/** A rule of a bus. */
export interface Rule extends RuleFacts {
  readonly arn: string;
  readonly targets: ReadonlyMap<string, Target>;
}

/** The rules of one bus. */
export interface Rules {
  /**
   * Makes a rule, or replaces one and keeps its targets.
   * @throws {ServiceError} where the pattern is not valid, or the bus has as many rules as it may
   */
  put(facts: RuleFacts): Rule;
  /** @throws {ServiceError} where there is none of this name */
  get(name: string): Rule;
  /**
   * Deletes a rule; one that is not there is as good as deleted.
   * @throws {ServiceError} where it has targets
   */
  delete(name: string): void;
  list(): readonly Rule[];
  /** @throws {ServiceError} where the rule would have too many, or is not there */
  putTargets(name: string, targets: readonly Target[]): void;
  /** @throws {ServiceError} where the rule is not there */
  removeTargets(name: string, ids: readonly string[]): void;
  /** Gives the rules that are on and match. */
  match(event: BusEvent): readonly Rule[];
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html */
const MOST_RULES = 300;
const MOST_TARGETS = 5;

/** Keeps the rules of a bus; `arnOf` makes the ARN of a rule from its name. */
export function createRules({ arnOf }: { arnOf: (name: string) => string }): Rules {
  const rules = new Map<string, Rule & { readonly compiled: CompiledPattern; readonly targets: Map<string, Target> }>();

  function get(name: string) {
    const rule = rules.get(name);
    if (!rule) throw new ServiceError('ResourceNotFoundException', `Rule ${name} does not exist on this event bus.`);
    return rule;
  }

  return {
    get,
    put(facts) {
      const compiled = compile(facts.pattern);
      const { targets = new Map<string, Target>() } = rules.get(facts.name) ?? {};
      if (!rules.has(facts.name) && rules.size >= MOST_RULES) {
        throw new ServiceError('LimitExceededException', 'The requested resource exceeds the maximum number allowed.');
      }
      const rule = { ...facts, arn: arnOf(facts.name), compiled, targets };
      rules.set(facts.name, rule);
      return rule;
    },
    delete(name) {
      if ((rules.get(name)?.targets.size ?? 0) > 0) {
        throw new ServiceError('ValidationException', "Rule can't be deleted since it has targets.");
      }
      rules.delete(name);
    },
    list: () => [...rules.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    putTargets(name, targets) {
      const rule = get(name);
      const ids = new Set([...rule.targets.keys(), ...targets.map(({ Id }) => Id)]);
      if (ids.size > MOST_TARGETS) {
        throw new ServiceError('LimitExceededException', 'The requested resource exceeds the maximum number allowed.');
      }
      for (const target of targets) rule.targets.set(target.Id, target);
    },
    removeTargets(name, ids) {
      const { targets } = get(name);
      for (const id of ids) targets.delete(id);
    },
    match: (event) =>
      [...rules.values()].filter(({ state, compiled }) => state === 'ENABLED' && compiled.matches(event)),
  };
}

/**
 * Compiles a pattern's text.
 * @throws {ServiceError} `InvalidEventPatternException`, with what is wrong
 */
export function compile(pattern: string): CompiledPattern {
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new ServiceError('InvalidEventPatternException', error.message);
  }
}
