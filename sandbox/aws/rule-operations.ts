import { z } from 'zod';
import type { EventBus } from './event-bus.ts';
import { type Operation, parseInput, ServiceError } from './json-server.ts';
import { compile, type Rule } from './rules.ts';
import { checkTarget, targetSchema } from './targets.ts';

const ruleName = z.string().regex(/^[.\w-]{1,64}$/);
const onBus = { EventBusName: z.string().default('default') };
const onRule = { ...onBus, Rule: ruleName };
const page = { Limit: z.number().int().min(1).max(100).default(100), NextToken: z.string().default('0') };

const SCHEMAS = {
  put: z.object({
    ...onBus,
    Name: ruleName,
    EventPattern: z.string().optional(),
    ScheduleExpression: z.string().optional(),
    State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
    Description: z.string().max(512).optional(),
  }),
  named: z.object({ ...onBus, Name: ruleName }),
  list: z.object({ ...onBus, ...page, NamePrefix: z.string().default('') }),
  putTargets: z.object({ ...onRule, Targets: z.array(targetSchema).min(1).max(100) }),
  removeTargets: z.object({ ...onRule, Ids: z.array(z.string()).min(1).max(100) }),
  listTargets: z.object({ ...onRule, ...page }),
  test: z.object({ EventPattern: z.string(), Event: z.string() }),
};

/** What an event must have to be held against a pattern. */
const testedSchema = z.looseObject({
  id: z.string(),
  account: z.string(),
  source: z.string(),
  time: z.string(),
  region: z.string(),
  resources: z.array(z.string()),
  'detail-type': z.string(),
});

/**
 * Makes the operations on rules and targets; `getBus` finds a bus by name or ARN, and throws where there is none.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/
 */
export function createRuleOperations(getBus: (nameOrArn: string) => EventBus): Record<string, Operation> {
  function setState(input: unknown, state: Rule['state']): object {
    const { EventBusName, Name } = parseInput(SCHEMAS.named, input);
    const { rules } = getBus(EventBusName);
    rules.put({ ...rules.get(Name), state });
    return {};
  }

  return {
    PutRule(input) {
      const request = parseInput(SCHEMAS.put, input);
      const { rules } = getBus(request.EventBusName);
      if (request.EventPattern === undefined) throw withoutPattern(request.ScheduleExpression);
      const { Name: name, EventPattern: pattern, State: state, Description: description } = request;
      return { RuleArn: rules.put({ name, pattern, state, description }).arn };
    },
    DeleteRule(input) {
      const { EventBusName, Name } = parseInput(SCHEMAS.named, input);
      getBus(EventBusName).rules.delete(Name);
      return {};
    },
    DescribeRule(input) {
      const { EventBusName, Name } = parseInput(SCHEMAS.named, input);
      const bus = getBus(EventBusName);
      return writeRule(bus.rules.get(Name), bus);
    },
    ListRules(input) {
      const { EventBusName, NamePrefix, ...rest } = parseInput(SCHEMAS.list, input);
      const bus = getBus(EventBusName);
      const rules = bus.rules.list().filter(({ name }) => name.startsWith(NamePrefix));
      const { shown, next } = cutPage(rules, rest);
      return { Rules: shown.map((rule) => writeRule(rule, bus)), ...next };
    },
    EnableRule: (input) => setState(input, 'ENABLED'),
    DisableRule: (input) => setState(input, 'DISABLED'),
    PutTargets(input) {
      const { EventBusName, Rule, Targets } = parseInput(SCHEMAS.putTargets, input);
      const { rules } = getBus(EventBusName);
      Targets.forEach(checkTarget);
      rules.putTargets(Rule, Targets);
      return { FailedEntryCount: 0, FailedEntries: [] };
    },
    RemoveTargets(input) {
      const { EventBusName, Rule, Ids } = parseInput(SCHEMAS.removeTargets, input);
      getBus(EventBusName).rules.removeTargets(Rule, Ids);
      return { FailedEntryCount: 0, FailedEntries: [] };
    },
    ListTargetsByRule(input) {
      const { EventBusName, Rule, ...rest } = parseInput(SCHEMAS.listTargets, input);
      const { targets } = getBus(EventBusName).rules.get(Rule);
      const { shown, next } = cutPage([...targets.values()], rest);
      return { Targets: shown, ...next };
    },
    TestEventPattern(input) {
      const { EventPattern, Event } = parseInput(SCHEMAS.test, input);
      return { Result: compile(EventPattern).matches(readEvent(Event)) };
    },
  };
}

function writeRule({ name, arn, pattern, state, description }: Rule, bus: EventBus): object {
  return {
    Name: name,
    Arn: arn,
    EventPattern: pattern,
    State: state,
    EventBusName: bus.name,
    ...(description !== undefined && { Description: description }),
  };
}

function cutPage<T>(all: readonly T[], { Limit, NextToken }: { Limit: number; NextToken: string }) {
  const end = Number(NextToken) + Limit;
  return { shown: all.slice(Number(NextToken), end), next: end < all.length ? { NextToken: String(end) } : {} };
}

function readEvent(text: string): object {
  try {
    return testedSchema.parse(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new ServiceError('ValidationException', `Parameter Event is not valid. Reason: ${reason}`);
  }
}

function withoutPattern(schedule: string | undefined): ServiceError {
  return new ServiceError(
    'ValidationException',
    schedule === undefined
      ? 'Parameter(s) EventPattern or ScheduleExpression must be specified.'
      : 'There are no schedules here: a rule needs an EventPattern.',
  );
}
