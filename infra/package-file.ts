import { fileURLToPath } from 'node:url';

/** Gives the path of a file of this package, whether it is checked out or installed. */
export const packageFile = (path: string): string =>
  fileURLToPath(new URL(path, import.meta.resolve('supplier-event-relay/package.json')));
