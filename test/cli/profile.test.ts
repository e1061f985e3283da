import { expect, test } from 'vitest';
import type { Platform } from '../../sandbox/platform/platform.ts';
import { readLines, run, startPlatform, writePrivate } from './stage.ts';

const supplierOf = ({ organisation }: Platform) => organisation.suppliers[3]!;

/** Reads the answers of a profile as the platform has them now. */
async function answersOf(publicId: string, env: Record<string, string>): Promise<Record<string, unknown>> {
  const { stdout } = await run(['profile', 'get', publicId, '--json'], { env });
  return readLines(stdout)[0]!.answers as Record<string, unknown>;
}

test('shows a profile: an answer a line, with metadata and display values when asked', async () => {
  const { platform, env } = await startPlatform();
  const { publicId, country } = supplierOf(platform);
  const [plain, full] = await Promise.all([
    run(['profile', 'get', publicId], { env }),
    run(['profile', 'get', publicId, '--metadata', '--translate'], { env }),
  ]);
  expect(plain).toMatchObject({ code: 0, stderr: '' });
  expect(plain.stdout).toMatch(/^ANSWER +VALUE\n/);
  expect(plain.stdout).not.toContain('__meta');
  expect(full.stdout).toMatch(/^ANSWER +VALUE +CHANGED +BY +SCORE +RISK\n/);
  expect(full.stdout).not.toMatch(/^\w+__meta/m);
  expect(plain.stdout).toMatch(new RegExp(`^country +${country}$`, 'm'));
  expect(full.stdout).toContain(new Intl.DisplayNames('en', { type: 'region' }).of(country));
});

test('leaves answers untranslated that are named', async () => {
  const { platform, env } = await startPlatform();
  const { publicId, country } = supplierOf(platform);
  const args = ['profile', 'get', publicId, '--translate', '--untranslated', 'country'];
  expect((await run(args, { env })).stdout).toMatch(new RegExp(`^country +${country}$`, 'm'));
});

test('shows a kit', async () => {
  const { platform, env } = await startPlatform();
  const { code, stdout } = await run(['kit', platform.organisation.kits[0]!._id], { env });
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n').length).toBeGreaterThan(2);
});

test('shows what an update changes, changes that, and leaves the rest', async () => {
  const { platform, env, folder } = await startPlatform();
  const { publicId } = supplierOf(platform);
  const before = await answersOf(publicId, env);
  const file = await writePrivate(
    folder,
    'answers.json',
    JSON.stringify({ legalName: before.legalName, taxId: 'LV-1' }),
  );
  const args = ['profile', 'update', publicId, file, '--set', 'registeredAddress=Brīvības 1, Rīga', '--yes'];
  const { code, stdout, stderr } = await run(args, { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: `Changed 2 answers of ${publicId}.\n` });
  expect(stdout).toMatch(/^ANSWER +NOW +THEN\n/);
  expect(stdout).toMatch(/^taxId .* LV-1$/m);
  expect(stdout).not.toContain('legalName');
  expect(await answersOf(publicId, env)).toEqual({ ...before, taxId: 'LV-1', registeredAddress: 'Brīvības 1, Rīga' });
});

test('changes nothing on a dry run, nor where every answer is so already', async () => {
  const { platform, env } = await startPlatform();
  const { publicId } = supplierOf(platform);
  const before = await answersOf(publicId, env);
  const dry = await run(['profile', 'update', publicId, '-', '--dry-run', '--json'], {
    env,
    input: '{"taxId":"LV-1"}',
  });
  const same = await run(['profile', 'update', publicId, '-', '--yes'], {
    env,
    input: JSON.stringify({ taxId: before.taxId }),
  });
  expect(readLines(dry.stdout)).toEqual([{ key: 'taxId', from: before.taxId, to: 'LV-1' }]);
  expect(same).toMatchObject({ code: 0, stdout: '', stderr: 'Every answer is so already: nothing to change.\n' });
  expect(platform.requests.last.filter(({ method }) => method === 'PATCH')).toEqual([]);
});

test('says what the platform refuses', async () => {
  const { platform, env } = await startPlatform();
  const { publicId } = supplierOf(platform);
  const [wrong, missing] = await Promise.all([
    run(['profile', 'update', publicId, '--set', 'noSuchAnswer=1', '--yes'], { env }),
    run(['profile', 'update', 'unheard-of', '--set', 'taxId=1', '--yes'], { env }),
  ]);
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/400: PATCH .*noSuchAnswer/) });
  expect(missing).toMatchObject({ code: 3, stdout: '' });
});

test('lets no id lead to another address', async () => {
  const { platform, env } = await startPlatform();
  const { code } = await run(['profile', 'get', '../users?limit=1#'], { env });
  const dots = await run(['profile', 'get', '..'], { env });
  expect(code).toBe(3);
  expect(dots.code).toBe(2);
  expect(platform.requests.users).toBe(0);
});
