import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOCUMENTATION } from '../../sandbox/platform/documentation/routes.ts';
import { createPlatform, type Platform } from '../../sandbox/platform/platform.ts';
import { credentials, postToken } from '../sandbox/platform/client.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const missing = !existsSync(CHROMIUM);
if (missing) console.warn(`Skipped: there is no browser at ${CHROMIUM}; CHROMIUM names another.`);

let browser: Browser;
let platform: Platform;
let page: Page;
let folder: string;
const complaints: string[] = [];
const asked: string[] = [];
beforeAll(async () => {
  if (missing) return;
  platform = await createPlatform({ history: { events: 50, days: 1 } });
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  folder = await mkdtemp(join(tmpdir(), 'console-'));
  console.info(`Screenshots are in ${folder}`);
  page = await browser.newPage({ viewport: { width: 1200, height: 1000 } });
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(platform.url + DOCUMENTATION);
});
afterAll(async () => {
  await browser?.close();
  await platform?.close();
});

const open = async (method: string, path: string) => {
  const operation = page.locator(`.opblock-${method}`, { has: page.locator(`[data-path="${path}"]`) });
  await operation.locator('.opblock-summary').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  return operation;
};
const execute = async (operation: Awaited<ReturnType<typeof open>>) => {
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table .response').first();
  await answer.waitFor();
  return { status: await answer.locator('.response-col_status').innerText(), text: await answer.innerText() };
};

test.skipIf(missing)('shows every operation of the public API', async () => {
  await page.locator('.opblock').first().waitFor();
  const paths = await page
    .locator('.opblock-summary-path')
    .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-path')));
  const root = '/api/public/api/v1';
  expect(new Set(paths)).toEqual(
    new Set([
      '/api/oauth/token',
      `${root}/users/events/types`,
      `${root}/users/events`,
      `${root}/users`,
      `${root}/users/roles`,
      `${root}/tasks`,
      `${root}/profile/{publicId}`,
      `${root}/kit/{kitId}`,
      `${root}/changes/connections`,
      `${root}/changes/acknowledgement`,
      `${root}/adapter/passthrough/{interface}`,
      `${root}/adapter/long-poll/{interface}`,
      '/sandbox/keys',
      '/sandbox/keys/{keyId}',
    ]),
  );
  await page.screenshot({ path: join(folder, 'console.png') });
});

test.skipIf(missing)('reads the live audit trail once a token is given to it, and not before', async () => {
  const events = await open('get', '/api/public/api/v1/users/events');
  expect((await execute(events)).status).toMatch(/^401/);

  const { text } = await postToken(platform, credentials(platform.apiKey, 'split'));
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.locator('.auth-container input').fill(JSON.parse(text).access_token);
  await page.locator('.auth-btn-wrapper').getByRole('button', { name: 'Apply credentials' }).click();
  await page.locator('.auth-btn-wrapper').getByRole('button', { name: 'Close' }).click();

  const [row] = platform.add(1);
  const { status, text: shown } = await execute(events);
  await page.screenshot({ path: join(folder, 'events.png'), fullPage: true });
  expect(status).toMatch(/^200/);
  expect(shown).toContain(row?.id);
});

test.skipIf(missing)('asks for nothing from elsewhere and breaks no rule of its policy', () => {
  expect(asked.length).toBeGreaterThan(5);
  for (const url of asked) expect(url).toMatch(new RegExp(`^(${platform.url}/|data:)`));
  expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
});
