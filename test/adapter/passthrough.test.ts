import { expect, test } from 'vitest';
import { NotServedError } from '../../shared/errors.ts';
import { createLogger } from '../../shared/log.ts';
import { createPassthrough } from '../../shared/passthrough.ts';

function connect(send: (entries: readonly object[]) => Promise<void>) {
  const said: string[] = [];
  const time = { nowMs: 0 };
  const passthrough = createPassthrough({
    send,
    aside: () => createLogger({ level: 'debug', write: (line) => said.push(line) }),
    clock: () => time.nowMs,
  });
  return { passthrough, said, time };
}

test('sends entries in batches, in order, and each once', async () => {
  const sent: (readonly object[])[] = [];
  const { passthrough } = connect(async (entries) => void sent.push(entries));
  const entries = Array.from({ length: 250 }, (_, number) => ({ number }));
  for (const entry of entries) passthrough.take(entry);
  await Promise.all([passthrough.flush(), passthrough.flush()]);
  expect(sent.map((batch) => batch.length)).toEqual([100, 100, 50]);
  expect(sent.flat()).toEqual(entries);
});

test('cuts batches by size', async () => {
  const sent: (readonly object[])[] = [];
  const { passthrough } = connect(async (entries) => void sent.push(entries));
  for (let number = 0; number < 4; number++) passthrough.take({ text: 'x'.repeat(90_000) });
  await passthrough.flush();
  expect(sent.map((batch) => batch.length)).toEqual([2, 2]);
});

test('keeps no more than a thousand entries, and says how many it dropped', async () => {
  const sent: object[] = [];
  let failing = true;
  const { passthrough } = connect(async (entries) => {
    if (failing) throw new Error('no way');
    sent.push(...entries);
  });
  for (let number = 0; number < 1_500; number++) passthrough.take({ number });
  await passthrough.flush();
  failing = false;
  await passthrough.flush();
  expect(sent[0]).toMatchObject({ level: 'warn', dropped: 600 });
  expect(sent).toHaveLength(901);
  passthrough.take({ number: -1 });
  await passthrough.flush();
  expect(sent.at(-1)).toEqual({ number: -1 });
});

test('leaves a platform alone for an hour that takes no logs', async () => {
  let calls = 0;
  const { passthrough, said, time } = connect(async () => {
    calls += 1;
    throw new NotServedError('404');
  });
  for (let number = 0; number < 300; number++) {
    passthrough.take({ number });
    await passthrough.flush();
  }
  expect(calls).toBe(1);
  expect(said).toHaveLength(1);
  time.nowMs = 3_600_000;
  passthrough.take({ number: -1 });
  await passthrough.flush();
  expect(calls).toBe(2);
});
