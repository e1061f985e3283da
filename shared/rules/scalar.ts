/** What a field of an event holds once objects and arrays are opened. */
export type Scalar = string | number | boolean | null;

/** Whether a value is one that a matcher asks for. */
export type Test = (value: Scalar) => boolean;

/** Whether a value is an object of JSON, which an array is not. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
