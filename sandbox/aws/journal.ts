import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file of lines that only grows. */
export interface Journal {
  /** Resolves when the line is on the disk; lines stand in the order of the calls. */
  append(line: string): Promise<void>;
  /** Waits for what was appended before. */
  close(): Promise<void>;
}

/** Opens a journal, and creates its folder where there is none. */
export async function openJournal(path: string): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'a+');
  const { size } = await file.stat();
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
  // A crash may have torn the last line; the next one must not hang on to it.
  let pending = size > 0 && buffer.toString() !== '\n' ? '\n' : '';
  let next: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();

  async function flush(): Promise<void> {
    await last.catch(() => undefined);
    const text = pending;
    pending = '';
    next = undefined;
    await file.appendFile(text);
    await file.datasync();
  }

  return {
    append: (line) => {
      pending += `${line}\n`;
      if (!next) {
        // All lines that come while the disk is busy share the next write.
        next = flush();
        last = next;
      }
      return next;
    },
    close: async () => {
      await last;
      await file.close();
    },
  };
}
