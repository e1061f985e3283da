import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { writeAlertFile } from '../../sandbox/console/alert-file.ts';
import { createAlertPage } from '../../sandbox/console/alert-page.ts';
import { busEvent, recordOf } from '../alerts/bus-event.ts';
import { HOSTILE } from '../alerts/hostile.ts';
import { manyQueued, queued, setStage } from '../alerts/notifier-stage.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const missing = !existsSync(CHROMIUM);
if (missing) console.warn(`Skipped: there is no browser at ${CHROMIUM}; CHROMIUM names another.`);

let browser: Browser;
let folder: string;
beforeAll(async () => {
  if (missing) return;
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  folder = await mkdtemp(join(tmpdir(), 'alerts-'));
  console.info(`Screenshots are in ${folder}`);
});
afterAll(() => browser?.close());

const ALERTS = [
  {
    name: 'administrator-appointed',
    severity: 'critical' as const,
    fields: { Role: 'data.record.newRole', Whose: 'data.record.targetUser.name' },
    link: 'https://platform.example/users/{data.target.id}',
  },
  {
    name: 'bank-details-changed',
    channel: 'teams' as const,
    severity: 'warning' as const,
    fields: { Answers: 'data.record.changes.key' },
    link: 'https://platform.example/suppliers/{data.target.id}',
  },
];
const NAMES = ALERTS.map(({ name }) => name);

/** Opens the page of what these alerts sent; what is requested from elsewhere or refused by the policy is an error. */
async function openPage(send: (stage: Awaited<ReturnType<typeof setStage>>) => Promise<unknown>) {
  const stage = await setStage(ALERTS);
  await send(stage);
  const server = createServer(getRequestListener(createAlertPage(stage.webhooks).fetch));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const page = await browser.newPage({ viewport: { width: 800, height: 900 } });
  onTestFinished(async () => {
    await page.close();
    server.close();
    server.closeAllConnections();
  });
  const faults: string[] = [];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => request.url().startsWith(url) || faults.push(request.url()));
  await page.goto(url);
  const count = stage.webhooks.received.length;
  await page
    .locator('article')
    .nth(count - 1)
    .waitFor();
  return { page, faults, stage };
}

const textsOf = (page: Page, selector: string) =>
  page.$$eval(selector, (articles) => articles.map(({ innerText }) => innerText.replace(/\s+/g, ' ')));

test.skipIf(missing)('shows messages as Slack and Teams do', async () => {
  const changed = {
    _id: 'c1',
    eventType: 'profile_updated',
    createdAt: '2026-11-21T07:45:19.000Z',
    user: { _id: 'u1', email: 'ada@acme.example', name: 'Ada Lovelace' },
    profile: { publicId: 'S1', name: 'Example Supplies' },
    changes: [{ key: 'bankAccountIban' }, { key: 'taxId' }],
  };
  const appointed = {
    ...changed,
    _id: 'c2',
    eventType: 'user_role_changed',
    profile: undefined,
    targetUser: { _id: 'u2', name: 'Grace Hopper' },
    newRole: 'administrator',
  };
  const { page, faults } = await openPage(async ({ run }) => {
    await run([
      queued(busEvent({ record: appointed, lateMs: 300_000 }), NAMES[0]),
      queued(busEvent({ record: changed }), NAMES[1]),
    ]);
    await run(NAMES.flatMap((name) => manyQueued(14, name)));
  });
  await page.screenshot({ path: join(folder, 'messages.png'), fullPage: true });
  const [slack] = (await textsOf(page, 'article.slack')).slice(-1);
  for (const text of [
    '🚨 Administrator appointed',
    'user_role_changed by Ada Lovelace',
    'Ada Lovelace (ada@acme.example)',
    'user u2',
    '2026-11-21 07:45:19 UTC, seen 5 min later',
    'Role administrator',
    'Whose Grace Hopper',
    'critical · acme',
  ]) {
    expect(slack).toContain(text);
  }
  const [teams] = (await textsOf(page, 'article.teams')).slice(-1);
  for (const text of [
    '⚠️ Bank details changed',
    'profile_updated by Ada Lovelace on Example Supplies',
    'Answers bankAccountIban, taxId',
    'seen 12 s later',
    'profile S1',
    'Open',
  ]) {
    expect(teams).toContain(text);
  }
  expect(await page.$$eval('article.slack a', (links) => links.map(({ href }) => href))).toContain(
    'https://platform.example/users/u2',
  );
  const digests = await textsOf(page, 'article');
  for (const digest of digests.slice(0, 2)) expect(digest).toMatch(/×14.*and 9 more/);
  expect(faults).toEqual([]);
});

test.skipIf(missing)('hostile texts are shown and do nothing', async () => {
  const texts = Object.values(HOSTILE);
  const { page, faults, stage } = await openPage(async ({ run }) => {
    for (const text of texts) {
      const record = recordOf(text, { newRole: text, targetUser: { name: text }, changes: [{ key: text }] });
      await run(NAMES.map((name) => queued(busEvent({ record }), name)));
    }
  });
  await page.screenshot({ path: join(folder, 'hostile.png'), fullPage: true });
  expect(stage.webhooks.refusals).toEqual([]);
  expect(faults).toEqual([]);
  expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
  // The only links and formats are ours.
  const links = await page.$$eval('article a', (all) => all.map(({ href }) => new URL(href).host));
  expect(new Set(links)).toEqual(new Set(['platform.example']));
  expect(
    await page.$$eval('article :is(img, script, iframe, em, i, b, code, h1, ol, ul, table)', (all) => all.length),
  ).toBe(0);
  const shown = await textsOf(page, 'article');
  const inOrder = (channel: string) =>
    stage.webhooks.received
      .map((message, index) => ({ message, text: shown.at(-1 - index) }))
      .filter(({ message }) => message.channel === channel);
  const at = (name: string) => Object.keys(HOSTILE).indexOf(name);
  for (const channel of ['slack', 'teams']) {
    const messages = inOrder(channel);
    expect(messages[at('a mention of everybody')]?.text).toContain(
      '<!channel> <!here> @channel @everyone <at>Everyone</at>',
    );
    expect(messages[at('a link in Markdown')]?.text).toContain('[Sign in here](https://evil.example/login)');
    expect(messages[at('formats of Markdown')]?.text).toContain('# Heading **bold** __bold__');
    expect(messages[at('entities')]?.text).toContain('&lt;!channel&gt; &amp;lt;script');
    expect(messages[at('emoji')]?.text).toContain('👩‍👩‍👧‍👦 🏳️‍🌈 ✈️ 🇬🇧 naïve Ünïcödé 例え株式会社');
    expect(messages[at('right-to-left names')]?.text).toContain('شركة المثال للتجارة — חברת הדוגמה');
  }
});

test.skipIf(missing)(
  'a page that is written to a file shows its messages, and its policy lets nothing else in',
  async () => {
    const text = HOSTILE['markup of pages'] ?? '';
    const { stage } = await openPage(({ run }) =>
      run(NAMES.map((name) => queued(busEvent({ record: recordOf(text) }), name))),
    );
    const file = join(folder, 'preview.html');
    await writeFile(file, writeAlertFile(stage.webhooks.received));
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(pathToFileURL(file).href);
    const shown = await textsOf(page, 'article');
    expect(shown).toHaveLength(2);
    for (const article of shown) expect(article).toContain('<script>globalThis.hacked = 1</script><img');
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
    expect(faults).toEqual([]);
    // An element that got in all the same would do nothing.
    await page.evaluate('document.body.innerHTML += \'<img src=x onerror="globalThis.hacked = 1">\'');
    await expect.poll(() => faults.length).toBeGreaterThan(0);
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
  },
);
