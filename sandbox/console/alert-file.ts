import { createHash } from 'node:crypto';
import { ALERT_PAGE } from './alert-page.ts';
import type { ReceivedMessage } from './webhooks.ts';

/** Writes a page that needs nothing else and shows these messages as Slack and Teams would. */
export function writeAlertFile(messages: readonly Omit<ReceivedMessage, 'number'>[]): string {
  const { script, style, cards, cardStyle } = ALERT_PAGE;
  // Nothing in the data can end the element it stands in.
  const data = JSON.stringify(messages.map((message, index) => ({ ...message, number: index + 1 }))).replaceAll(
    '<',
    '\\u003c',
  );
  const policy = [
    "default-src 'none'",
    `script-src ${[cards, script].map(hash).join(' ')}`,
    `style-src ${[style, cardStyle].map(hash).join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<title>Alerts</title>',
    `<style>${style}</style><style>${cardStyle}</style>`,
    '<h1>Alerts</h1><p id="state"></p><main id="messages"></main>',
    `<script type="application/json" id="data">${data}</script>`,
    `<script>${cards}</script><script type="module">${script}</script>`,
    '</html>',
    '',
  ].join('\n');
}

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
