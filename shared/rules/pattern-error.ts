/** A pattern that EventBridge would not take as a rule's; the message names the place in it and what to do. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
  /** Where in the pattern, as `detail.status[0]`; empty where the pattern as a whole is at fault. */
  readonly path: string;

  constructor(path: string, reason: string) {
    super(`Event pattern is not valid. Reason: ${path === '' ? '' : `${path}: `}${reason}`);
    this.path = path;
  }
}
