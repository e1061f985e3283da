/** Gives what a line of a log complains of; undefined where it does not. */
export function findComplaint(line: string): string | undefined {
  try {
    const { level, message, error } = JSON.parse(line) as Record<string, unknown>;
    if (level !== 'warn' && level !== 'error') return undefined;
    return error === undefined ? String(message) : `${message}: ${error}`;
  } catch {
    return undefined;
  }
}
