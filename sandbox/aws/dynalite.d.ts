declare module 'dynalite' {
  import type { Server } from 'node:http';

  function dynalite(options?: {
    /** Where LevelDB keeps its files; left out, in memory. */
    path?: string;
    /** How long a table is CREATING, in ms; 500 by default. */
    createTableMs?: number;
  }): Server;

  export = dynalite;
}
