import { PatternError } from './pattern-error.ts';
import type { Test } from './scalar.ts';

const HOW = 'write one comparison such as [">", 0], or a range such as [">=", 0, "<", 10]';

/**
 * Tests for numbers as `["=", 5]`, `[">", 0]` or `[">", 0, "<=", 10]` asks for them.
 * @throws {PatternError} for another form, an operand that is no finite number, or a range with nothing between its ends
 */
export function testNumeric(expression: unknown, path: string): Test {
  if (!Array.isArray(expression)) throw new PatternError(path, `Value of numeric must be an array: ${HOW}`);
  const [operator, operand, ...rest] = expression as readonly unknown[];
  if (typeof operator !== 'string') throw new PatternError(path, `Invalid member in numeric match: ${HOW}`);
  if (!['=', '<', '<=', '>', '>='].includes(operator))
    throw new PatternError(path, `Unrecognized numeric range operator: "${operator}": ${HOW}`);
  const limit = readLimit(operand, { operator, path });
  if (rest.length === 0) return compare(operator, limit);

  const [upperOperator, upperOperand, ...more] = rest;
  if (more.length > 0 || !operator.startsWith('>'))
    throw new PatternError(path, `Too many elements in numeric expression: ${HOW}`);
  if (upperOperator !== '<' && upperOperator !== '<=')
    throw new PatternError(path, `Bad numeric range operator: ${JSON.stringify(upperOperator)}: ${HOW}`);
  const top = readLimit(upperOperand, { operator: upperOperator, path });
  if (limit >= top) throw new PatternError(path, `Bottom must be less than top: ${limit} is not less than ${top}`);
  const above = compare(operator, limit);
  const below = compare(upperOperator, top);
  return (value) => above(value) && below(value);
}

function readLimit(operand: unknown, { operator, path }: { operator: string; path: string }): number {
  if (typeof operand !== 'number') throw new PatternError(path, `Value of ${operator} must be numeric: ${HOW}`);
  if (!Number.isFinite(operand)) throw new PatternError(path, `Value of ${operator} is beyond the numbers of JSON`);
  return operand;
}

function compare(operator: string, limit: number): Test {
  switch (operator) {
    case '=':
      return (value) => value === limit;
    case '<':
      return (value) => typeof value === 'number' && value < limit;
    case '<=':
      return (value) => typeof value === 'number' && value <= limit;
    case '>':
      return (value) => typeof value === 'number' && value > limit;
    default:
      return (value) => typeof value === 'number' && value >= limit;
  }
}
