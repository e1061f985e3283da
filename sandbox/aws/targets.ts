import { z } from 'zod';
import { ServiceError } from './json-server.ts';
import { findUndefined, inputShape } from './target-input.ts';

const arn = z.string().min(1).max(1600);

/** A target as PutTargets is given it. */
export const targetSchema = z.object({
  Id: z.string().regex(/^[.\w-]{1,64}$/),
  Arn: arn,
  ...inputShape,
  /** Unchecked: nothing here asks who may do what. */
  RoleArn: z.string().optional(),
  RetryPolicy: z
    .object({
      MaximumRetryAttempts: z.number().int().min(0).max(185).default(185),
      MaximumEventAgeInSeconds: z.number().int().min(60).max(86_400).default(86_400),
    })
    .optional(),
  DeadLetterConfig: z.object({ Arn: arn.optional() }).optional(),
});

/** Where the events of a rule go. */
export type Target = z.infer<typeof targetSchema>;

/** Whether an ARN is that of an event bus. */
export const isBusArn = (arn: string): boolean => /^arn:aws:events:[\w-]+:\d{12}:event-bus\/./.test(arn);

/**
 * Checks what a schema cannot.
 * @throws {ServiceError} `ValidationException`
 */
export function checkTarget({ Id, Arn, Input, InputPath, InputTransformer, DeadLetterConfig }: Target): void {
  const refuse = (message: string) => new ServiceError('ValidationException', message);
  if (!/^arn:aws:[\w-]+:[\w-]*:\d{12}:.+/.test(Arn)) {
    throw refuse(`Parameter ${Arn} is not valid. Reason: Provided Arn is not in correct format.`);
  }
  const inputs = [Input, InputPath, InputTransformer].filter((input) => input !== undefined);
  if (inputs.length > 1) {
    throw refuse(`Only one of Input, InputPath, or InputTransformer must be provided for target ${Id}.`);
  }
  if (inputs.length > 0 && isBusArn(Arn)) {
    throw refuse(`An event bus gets events as they are: target ${Id} cannot have another input.`);
  }
  if (Input !== undefined && !isJson(Input)) throw refuse(`JSON syntax error in input for target ${Id}.`);
  const [unknown] = InputTransformer ? findUndefined(InputTransformer) : [];
  if (unknown !== undefined) {
    throw refuse(`InputTemplate for target ${Id} contains invalid placeholder ${unknown}.`);
  }
  const deadLetters = DeadLetterConfig?.Arn;
  if (deadLetters !== undefined && !/^arn:aws:sqs:[\w-]+:\d{12}:.+/.test(deadLetters)) {
    throw refuse(`The dead-letter queue of target ${Id} is not an SQS queue.`);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
