import { expect, test } from 'vitest';
import { runCommand } from '../../cli/program.ts';
import { createPerson } from './person.ts';
import { startPlatform } from './stage.ts';

test.each([
  [true, 1, 'Changed 1 answer'],
  [false, 0, 'Nothing was changed.'],
])('asks before it changes a profile, and keeps to the answer %s', async (answer, patches, says) => {
  const { platform, env } = await startPlatform();
  const { publicId } = platform.organisation.suppliers[0]!;
  const { io, seen } = createPerson(answer, env);
  expect(await runCommand(['profile', 'update', publicId, '--set', 'taxId=LV-1'], io)).toBe(0);
  expect(seen.questions).toEqual([`Change 1 answer of ${publicId}?`]);
  expect(seen.stdout).toContain('LV-1');
  expect(seen.notes.join('\n')).toContain(says);
  expect(platform.requests.last.filter(({ method }) => method === 'PATCH')).toHaveLength(patches);
});

test('asks nothing where there is nothing to change', async () => {
  const { platform, env } = await startPlatform();
  const { publicId } = platform.organisation.suppliers[0]!;
  const person = createPerson(true, env);
  await runCommand(['profile', 'update', publicId, '--set', 'taxId=LV-1'], person.io);
  await runCommand(['profile', 'update', publicId, '--set', 'taxId=LV-1'], person.io);
  expect(person.seen.questions).toHaveLength(1);
});
