import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test, vi } from 'vitest';
import { tenantSchema } from '../../infra/tenant.ts';
import { FAKE_CREDENTIALS } from '../../sandbox/aws/credentials.ts';
import { createFunction } from '../../sandbox/aws/function-host.ts';
import { connectQueue } from '../../sandbox/aws/queue-mapping.ts';
import { createWebhooks } from '../../sandbox/console/webhooks.ts';
import { createPlatform } from '../../sandbox/platform/platform.ts';
import { type Alert, alertSchema, patternOf, writeNotifierAlerts } from '../../shared/alerts/alert.ts';
import { createNormaliser } from '../../shared/relay/normalise.ts';
import { compilePattern } from '../../shared/rules/pattern.ts';
import { toBusEvent } from '../../shared/subscribing/to-bus-event.ts';
import { busEvent } from '../alerts/bus-event.ts';
import { FILES, isKnown, RELAY, readCommands, readJson, runNode, startAccount, unpack } from './recipe-book.ts';

const RELAY_ACCOUNT = { accountId: '111122223333', bus: 'supplier-relay-acme' };
const events = Array.from({ length: 300 }, (_, index) => busEvent({ replayed: index % 10 === 0 }));
const idsOf = (some: readonly { detail: { id: string } }[]) => some.map(({ detail }) => detail.id).toSorted();

test('the event is what the relay makes of its record', () => {
  const event = readJson('event.json');
  const normaliser = createNormaliser({ tenant: 'acme', stream: 'audit' });
  const made = normaliser.toEvent(normaliser.identify(event.detail.data.record), Date.parse(event.detail.observedat));
  expect(event).toEqual({ ...toBusEvent(made), id: event.id });
});

test('the pattern in TypeScript is one', async () => {
  const folder = await unpack();
  const helper = new URL('../../shared/subscribing/pattern.ts', import.meta.url).href;
  await writeFile(join(folder, 'pattern.ts'), (FILES.get('pattern.ts') ?? '').replace('supplier-event-relay', helper));
  const script = "import pattern from './pattern.ts'; console.log(JSON.stringify(pattern))";
  const { stdout } = await runNode(['--input-type=module', '--eval', script], { folder });
  const pattern = compilePattern(stdout);
  expect(events.filter((event) => pattern.matches(event)).length).toBeGreaterThan(20);
});

test('1. a queue gets what its rule asks for', async () => {
  const { run, publish, receive } = await startAccount(RELAY_ACCOUNT);
  await run(readCommands('1. A queue'));
  await publish(events);
  const wanted = events.filter(({ detail }) => /^(profile|kit)_/.test(detail.type) && !detail.replayed);
  expect(idsOf(await receive('suppliers', wanted.length))).toEqual(idsOf(wanted));
});

test('2. a function keeps each event about a supplier once', async () => {
  const { aws, run, publish } = await startAccount(RELAY_ACCOUNT);
  const folder = await unpack();
  const host = createFunction({
    module: join(folder, 'function.mjs'),
    env: { ...aws.env, TABLE: 'history' },
    timeoutMs: 60_000,
  });
  onTestFinished(() => host.close());
  aws.functions.add('supplier-history', host);
  aws.queues.create('suppliers-dead');
  await run(readCommands('2. A function'));
  const about = events.filter(({ detail }) => detail.data.target?.kind === 'profile').slice(0, 20);
  await publish([...about, ...events.filter(({ detail }) => !detail.data.target).slice(0, 5), ...about]);
  const dynamo = new DynamoDBClient({
    region: 'us-east-1',
    endpoint: aws.dynamo.url,
    credentials: FAKE_CREDENTIALS,
  });
  const ids = await vi.waitFor(
    async () => {
      const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: 'history' }));
      expect(Items).toHaveLength(about.length);
      return Items.map(({ sk }) => sk?.S?.split('/')[1]).toSorted();
    },
    { timeout: 60_000 },
  );
  expect(ids).toEqual(idsOf(about));
});

test('3. the bus of another account gets what the tenant file or its own rule asks for', async () => {
  const relay = await startAccount(RELAY_ACCOUNT);
  const other = await startAccount({ accountId: '444455556666', bus: 'default' });
  relay.aws.link(other.aws);
  await other.run(readCommands('3. The bus', '444455556666'));
  const everything = [{ Id: 'all', Arn: other.aws.queues.create('all').arn }];
  other.aws.bus.find('suppliers')?.rules.put({ name: 'all', pattern: '{"source":[{"prefix":""}]}', state: 'ENABLED' });
  other.aws.bus.find('suppliers')?.rules.putTargets('all', everything);

  const kits = events.filter(({ detail }) => detail.type.startsWith('kit_'));
  await relay.run(readCommands('3. The bus'));
  await relay.publish(events);
  expect(idsOf(await other.receive('all', kits.length))).toEqual(idsOf(kits));

  const { rules } = relay.aws.bus.find(RELAY_ACCOUNT.bus) ?? expect.fail();
  const { name, pattern, target } = readJson('tenant-bus.json').subscriptions[0];
  rules.removeTargets('our-kits', ['bus']);
  rules.put({ name, pattern: JSON.stringify(pattern), state: 'ENABLED' });
  rules.putTargets(name, [{ Id: 'Target', Arn: target }]);
  await relay.publish(events.slice(0, 30));
  expect(idsOf(await other.receive('all', 30))).toEqual(idsOf(events.slice(0, 30)));
});

test.each(['slack-alert.json', 'teams-alert.json'])('4. and 5. %s becomes a message', async (file) => {
  const alert: Alert = alertSchema.parse(readJson(file));
  const { aws, publish } = await startAccount(RELAY_ACCOUNT);
  const webhooks = await createWebhooks();
  onTestFinished(() => webhooks.close());
  const addresses = readJson('webhooks.json');
  expect(Object.keys(addresses)).toContain(alert.name);
  aws.secrets.set('webhooks', JSON.stringify({ ...addresses, [alert.name]: webhooks.open(alert.channel, alert.name) }));
  const queue = aws.queues.create('alerts');
  const { rules } = aws.bus.find(RELAY_ACCOUNT.bus) ?? expect.fail();
  const InputTemplate = `{"alert":"${alert.name}","event":<aws.events.event.json>}`;
  rules.put({ name: alert.name, pattern: JSON.stringify(patternOf(alert)), state: 'ENABLED' });
  rules.putTargets(alert.name, [{ Id: 'a', Arn: queue.arn, InputTransformer: { InputPathsMap: {}, InputTemplate } }]);
  const notifier = createFunction({
    module: new URL('../../functions/notifier.ts', import.meta.url),
    env: {
      ...aws.env,
      RELAY_TENANT: 'acme',
      RELAY_ALERTS: writeNotifierAlerts([alert]),
      RELAY_WEBHOOKS_SECRET_ID: 'webhooks',
    },
    timeoutMs: 60_000,
  });
  const mapping = connectQueue({
    queue,
    function: notifier,
    batchSize: 1000,
    windowSeconds: 1,
    reportBatchItemFailures: true,
  });
  onTestFinished(async () => {
    await mapping.close();
    await notifier.close();
  });
  const record = {
    _id: 'r1',
    eventType: alert.channel === 'slack' ? 'profile_updated' : 'user_role_changed',
    user: { _id: 'u1', name: 'Ada Lovelace' },
    profile: { publicId: 'S1', name: 'Example "Supplies" & <Sons>' },
    changes: [{ key: 'bankSwiftCode' }],
    newRole: 'company_it_administrator',
    targetUser: { name: 'Grace Hopper' },
  };
  await publish([busEvent({ record }), busEvent({ record: { ...record, _id: 'r2', eventType: 'user_logged_in' } })]);
  await vi.waitFor(() => expect(webhooks.received).toHaveLength(1), { timeout: 60_000 });
  const said = JSON.stringify(webhooks.received[0]?.payload);
  expect(said).toContain('by Ada Lovelace on Example \\"Supplies\\" & <Sons>');
  expect(said).toContain(alert.channel === 'slack' ? 'bankSwiftCode' : 'Grace Hopper');
});

test('what is put into a tenant file may stand there', () => {
  for (const name of ['tenant-queue.json', 'tenant-bus.json', 'tenant-subscribers.json']) {
    const tenant = { id: 'acme', baseUrl: 'https://platform.example', start: 'now', ...readJson(name) };
    expect(tenantSchema.safeParse(tenant).error).toBeUndefined();
  }
});

test('the stacks synthesise, with the patterns of the commands', async () => {
  const folder = await unpack();
  const script = `
    import { App } from 'aws-cdk-lib';
    import { SuppliersStack } from './queue-stack.ts';
    import { HistoryStack } from './function-stack.ts';
    const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
    new SuppliersStack(app, 'Suppliers');
    new HistoryStack(app, 'History');
    console.log(JSON.stringify(app.synth().stacks.map(({ template }) => template)));`;
  await writeFile(join(folder, 'synth.ts'), script);
  const { stdout, stderr } = await runNode(['synth.ts'], { folder });
  const lines = stdout.trim().split('\n');
  const templates: { Resources: Record<string, { Type: string; Properties: Record<string, unknown> }> }[] = stdout
    ? JSON.parse(lines.at(-1) ?? '')
    : expect.fail(stderr);
  const patterns = templates
    .flatMap(({ Resources }) => Object.values(Resources))
    .filter(({ Type }) => Type === 'AWS::Events::Rule')
    .map(({ Properties }) => Properties.EventPattern);
  expect(patterns).toEqual(expect.arrayContaining([readJson('pattern.json'), readJson('supplier-events.json')]));
});

test('every command of ours does what it says', async () => {
  const folder = await unpack();
  const platform = await createPlatform({ history: { events: 500, days: 3 } });
  const webhooks = await createWebhooks();
  onTestFinished(async () => {
    await platform.close();
    await webhooks.close();
  });
  await writeFile(join(folder, 'key'), platform.apiKey, { mode: 0o600 });
  const commands = readCommands().filter((line) => line.startsWith('relay '));
  expect(commands.length).toBeGreaterThan(4);
  for (const command of commands) {
    const channel = command.includes('teams') ? 'teams' : 'slack';
    await writeFile(join(folder, 'webhook.txt'), webhooks.open(channel, `${channel}-${command.length}`));
    const env = { RELAY_BASE_URL: platform.url, RELAY_KEY_FILE: 'key' };
    const { code, stderr } = await runNode([RELAY, ...command.split(' ').slice(1)], { folder, env });
    expect({ command, code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/fired \d+ times|shows|taken|accepted/),
    });
  }
  expect(webhooks.received.map(({ channel }) => channel).toSorted()).toEqual(['slack', 'teams']);
  expect(JSON.stringify(webhooks.received)).toContain('Test: ');
  expect(await readFile(join(folder, 'preview.html'), 'utf8')).toContain('Bank details');
});

test('every other command is one that is run here, or left out for a reason', () => {
  const lines = readCommands().filter((line) => !line.startsWith('relay '));
  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines) expect(line.split(' ').slice(1, 3).join(' ')).toSatisfy(isKnown);
});
