/** Answers what it is called with. */
export const handler = (event: unknown): unknown => event;
