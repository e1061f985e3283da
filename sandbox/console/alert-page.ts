import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Hono } from 'hono';
import type { ReceivedMessage } from './webhooks.ts';

/** Everything is served from here and nothing else is allowed: a message that smuggled markup in could do nothing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const require = createRequire(import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');

/** What the page is made of. */
export const ALERT_PAGE = {
  html: read('alert-page.html'),
  style: read('alert-page.css'),
  script: read('alert-page.js'),
  cards: readFileSync(require.resolve('adaptivecards/dist/adaptivecards.min.js'), 'utf8'),
  cardStyle: readFileSync(require.resolve('adaptivecards/dist/adaptivecards.css'), 'utf8'),
} as const;

/** Makes the page that shows messages to Slack and Teams as they would look; it can be mounted under any path that ends with a slash. */
export function createAlertPage({ received }: { readonly received: readonly ReceivedMessage[] }): Hono {
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': ['text/html; charset=utf-8', ALERT_PAGE.html],
    '/page.css': ['text/css', ALERT_PAGE.style],
    '/page.js': ['text/javascript', ALERT_PAGE.script],
    '/adaptivecards.js': ['text/javascript', ALERT_PAGE.cards],
    '/adaptivecards.css': ['text/css', ALERT_PAGE.cardStyle],
  };
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.header('Content-Security-Policy', POLICY);
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'no-referrer');
  });
  for (const [path, [type, text]] of Object.entries(files)) {
    app.get(path, (c) => c.body(text, 200, { 'Content-Type': type }));
  }
  app.get('/messages', (c) => {
    const after = Number(c.req.query('after') ?? 0);
    return c.json(received.filter(({ number }) => number > after));
  });
  return app;
}
