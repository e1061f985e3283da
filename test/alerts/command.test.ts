import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { slackPayload, teamsPayload } from '../../sandbox/console/webhook-payloads.ts';
import { createWebhooks } from '../../sandbox/console/webhooks.ts';
import { makeFolder, run, writePrivate } from '../cli/stage.ts';

async function startWebhooks() {
  const webhooks = await createWebhooks();
  onTestFinished(() => webhooks.close());
  return webhooks;
}

test.each([
  ['slack', 'relay-trouble', slackPayload],
  ['teams', 'out-of-hours', teamsPayload],
])('previews what would be said in %s of %s', async (channel, name, schema) => {
  const { code, stdout } = await run(['alerts', 'preview', name, '--channel', channel]);
  expect(code).toBe(0);
  expect(schema.safeParse(JSON.parse(stdout)).error).toBeUndefined();
  expect(stdout).toContain(`alert ${name}`);
});

test('previews an alert of a file as a digest, and as a page', async () => {
  const folder = await makeFolder();
  const alert = { name: 'users', channel: 'teams', pattern: { 'detail-type': [{ prefix: 'user_' }] } };
  const file = await writePrivate(folder, 'alert.json', JSON.stringify(alert));
  const page = join(folder, 'page.html');
  const digest = await run(['alerts', 'preview', file, '--count', '12']);
  expect(digest.stdout).toContain('Users ×12');
  expect(await run(['alerts', 'preview', file, '--html', page])).toMatchObject({ code: 0, stdout: '' });
  expect(await readFile(page, 'utf8')).toMatch(/Content-Security-Policy[\s\S]*"name":"users"/);
});

test('sends a test, to an address from a file or the environment', async () => {
  const webhooks = await startWebhooks();
  const file = await writePrivate(await makeFolder(), 'webhook', `${webhooks.open('slack', 'one')}\n`);
  const env = { RELAY_WEBHOOK: webhooks.open('teams', 'two') };
  const slack = await run(['alerts', 'send', '--test', 'login-failed', '--webhook-file', file]);
  const teams = await run(['alerts', 'send', '--test', 'login-failed', '--channel', 'teams'], { env });
  expect(slack).toEqual({ code: 0, stdout: '', stderr: 'Slack has taken the message.\n' });
  expect(teams).toEqual({ code: 0, stdout: '', stderr: 'Teams has accepted the message.\n' });
  expect(webhooks.received).toHaveLength(2);
  for (const { payload } of webhooks.received) expect(JSON.stringify(payload)).toContain('Test: Login failed');
});

test('says why nothing was sent, and nothing of the address', async () => {
  const webhooks = await startWebhooks();
  const address = webhooks.open('slack', 'gone');
  webhooks.fail('gone', { status: 404, body: 'no_service' });
  const args = ['alerts', 'send', '--test', 'login-failed'];
  const refused = await run(args, { env: { RELAY_WEBHOOK: address } });
  expect(refused).toMatchObject({ code: 1, stderr: 'Nothing was sent: the webhook answered 404 no_service\n' });
  await webhooks.close();
  const down = await run(args, { env: { RELAY_WEBHOOK: address } });
  expect(down).toMatchObject({
    code: 1,
    stderr: 'Nothing was sent: the webhook could not be reached: ECONNREFUSED\n',
  });
  const unsafe = await run(args, { env: { RELAY_WEBHOOK: 'http://hooks.example/secret-part' } });
  expect(unsafe.code).toBe(2);
  expect(unsafe.stderr).not.toContain('secret-part');
});

test.each([
  ['{"name":"X","channel":"mail","pattern":{}}', /name expected a name[\s\S]*channel expected slack or teams/],
  ['{"name":"x","channel":"slack","pattern":"nonsense"}', /pattern expected a pattern or one of bank-details-changed/],
  ['{"name":"x","channel":"slack","pattern":{"source":"x"}}', /Event pattern is not valid/],
  ['{"name":"x","channel":"slack","pattern":{"source":["x"]}}', /no event of a made-up week fires its pattern/],
  ['{"name":"x","channel":"slack","pattern":"login-failed","typo":1}', /typo/],
  ['nonsense', /is not JSON/],
])('says what is wrong with an alert: %s', async (text, message) => {
  const file = await writePrivate(await makeFolder(), 'alert.json', text);
  const { code, stdout, stderr } = await run(['alerts', 'preview', file]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('    at ');
});

test.each([
  [['preview', 'nonsense'], 'there is no ready pattern and no file nonsense'],
  [['preview'], "missing required argument 'alert'"],
  [['preview', 'login-failed', '--count', '0'], 'Expected a number from 1 to 1000'],
  [['preview', 'login-failed', '--channel', 'mail'], 'Allowed choices are slack, teams'],
  [['send', 'login-failed'], "required option '--test' not specified"],
  [['send', '--test', 'login-failed'], 'The webhook is missing'],
  [['send', '--test', 'login-failed', '--webhook-file', '/nonexistent'], 'no file can be read there'],
  [['preview', 'login-failed', '--html', '/nonexistent/page.html'], '--html is wrong'],
])('says what is wrong with the command line: %j', async (args, message) => {
  const { code, stdout, stderr } = await run(['alerts', ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
});
