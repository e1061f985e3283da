import { AuthenticationError, ConfigurationError, ProtocolError, TransportError } from '../shared/errors.ts';
import type { Io } from './io.ts';
import { clean } from './text.ts';

/** What a command ends with. */
export const EXIT = { done: 0, failed: 1, wrongUsage: 2, notFound: 3, refusedKey: 4 } as const;

/** What was asked for does not exist. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
}

/** Tells a failure in a line that says what to do next, and gives the exit code. */
export function reportFailure(error: unknown, { io, debug }: { io: Io; debug: boolean }): number {
  const { lines, code } = explain(error);
  for (const line of lines) io.note(clean(line));
  if (debug && error instanceof Error) io.note((error.stack ?? '').split('\n').map(clean).join('\n'));
  return code;
}

function explain(error: unknown): { lines: readonly string[]; code: number } {
  if (error instanceof ConfigurationError) return { lines: error.faults, code: EXIT.wrongUsage };
  if (error instanceof NotFoundError) return { lines: [error.message], code: EXIT.notFound };
  if (error instanceof AuthenticationError) {
    return { lines: [`${error.message}: here, the secret is the file of --key-file.`], code: EXIT.refusedKey };
  }
  const message = error instanceof Error ? error.message : String(error);
  const hint = hintFor(error);
  const lines = [hint === '' ? message : `${message.replace(/\.$/, '')}. ${hint}`];
  return { lines, code: error instanceof TransportError && error.status === 404 ? EXIT.notFound : EXIT.failed };
}

function hintFor(error: unknown): string {
  if (error instanceof TransportError) {
    if (/certificate/.test(error.message)) return 'Name the file of the certificate to trust in NODE_EXTRA_CA_CERTS.';
    if (error.status === undefined) return 'Is --base-url right, and does the network lead there?';
    if (error.status === 403) return 'The API key has not the right to do this.';
    if (error.status === 404) return 'There is nothing of this id, or --base-url or --path-prefix is wrong.';
    return error.retryable ? 'Try again later.' : '';
  }
  if (error instanceof ProtocolError) return 'Is --base-url the address of the platform?';
  const name = error instanceof Error ? error.name : '';
  if (name === 'ResourceNotFoundException') return 'Is --table right, and are AWS_PROFILE and AWS_REGION?';
  if (/Credentials|Token|Region|AccessDenied|Unrecognized/.test(`${name} ${error}`)) {
    return 'Log in to AWS, and look at AWS_PROFILE and AWS_REGION.';
  }
  return '';
}
