import type { Io } from '../../cli/io.ts';

/** Somebody at a terminal who answers every question so, and what he sees; he types the input. */
export function createPerson(
  answer: boolean,
  env: Readonly<Record<string, string>>,
  { isInteractive = true, input = '' } = {},
) {
  const seen = { stdout: '', notes: [] as string[], questions: [] as string[] };
  const io: Io = {
    write: async (text) => {
      seen.stdout += text;
    },
    note: (line) => void seen.notes.push(line),
    progress: () => undefined,
    isInteractive,
    confirm: async (question) => {
      seen.questions.push(question);
      return answer;
    },
    readInput: async () => input,
    isTerminal: false,
    stdout: process.stdout,
    env,
    clock: Date.now,
    sleep: async () => undefined,
  };
  return { io, seen };
}
