import { mkdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AdapterProcess, setProcessStage } from './process.ts';
import { INTERFACE, until } from './stage.ts';

const STREAM = `long-poll/${INTERFACE}`;
const message = (number: number) => ({ _id: `message-${number}`, type: 'vendor_update', number });
const says = (adapter: AdapterProcess, text: string) => adapter.output().includes(text);
const metric = (adapter: AdapterProcess, stream: string, name: string) =>
  adapter.lines().find((line) => line._aws !== undefined && line.Stream === stream && line[name] !== undefined)?.[name];
const ALIVE = 'relay-adapter-acme.alive';

test('publishes what arrives on a poll that hangs at SIGTERM, gives its lease back and exits 0', async () => {
  const stage = await setProcessStage();
  stage.platform.faults.longPollHoldMs = 60_000;
  const adapter = stage.start({ longPollTimeoutSeconds: 90 });
  await until(() => stage.platform.adapter.readers(INTERFACE) === 1);
  adapter.signal('SIGTERM');
  await until(() => says(adapter, 'Stopping'));
  stage.platform.adapter.send(INTERFACE, message(1));
  expect(await adapter.ended).toBe(0);
  expect(stage.arrived().map(({ id }) => id)).toEqual(['message-1']);
  expect((await stage.readMark(STREAM)).leaseEndMs?.N).toBe('0');
  expect(metric(adapter, STREAM, 'Published')).toBe(1);
  expect(metric(adapter, 'adapter', 'Alive')).toBe(1);
});

test('a second signal ends it though a poll hangs', async () => {
  const stage = await setProcessStage();
  stage.platform.faults.longPollHoldMs = 60_000;
  const adapter = stage.start({ longPollTimeoutSeconds: 90 });
  await until(() => stage.platform.adapter.readers(INTERFACE) === 1);
  adapter.signal('SIGTERM');
  await until(() => says(adapter, 'Stopping'));
  // Two at once are one: it takes as many as come until the moment has passed.
  const again = setInterval(() => adapter.signal('SIGTERM'), 100);
  expect(await adapter.ended).toBe(130);
  clearInterval(again);
});

test('exits with a crash log, in the log and in a file, where the key is refused', async () => {
  const stage = await setProcessStage();
  stage.platform.deleteKey();
  const adapter = stage.start();
  expect(await adapter.ended).toBe(1);
  expect(says(adapter, 'AuthenticationError')).toBe(true);
  expect(metric(adapter, 'adapter', 'AuthenticationRefused')).toBe(1);
  const [[name, text] = ['', ''], ...rest] = Object.entries(stage.files()).filter(([path]) =>
    path.startsWith('crash/'),
  );
  expect(rest).toEqual([]);
  expect(name).toMatch(/^crash\/crash-.+\.log$/);
  for (const part of ['AuthenticationError', 'shared/platform/token.ts', 'The adapter cannot go on', INTERFACE]) {
    expect(text).toContain(part);
  }
});

test('two crashes leave two crash logs', async () => {
  const stage = await setProcessStage();
  const adapters = [1, 2].map(() => stage.start({}, { RELAY_BUS: 'missing' }));
  for (const adapter of adapters) expect(await adapter.ended).toBe(1);
  expect(Object.keys(stage.files()).filter((path) => path.startsWith('crash/'))).toHaveLength(2);
  expect(says(adapters[0]!, 'RELAY_BUS')).toBe(true);
});

test('names every fault of its settings, crashes to the log where no file can be written, and exits 1', async () => {
  const stage = await setProcessStage();
  writeFileSync(join(stage.folder, 'crash'), 'a file where the folder should be');
  const adapter = stage.start({ interfaces: [{ name: 'a b' }], longPollTimeoutSeconds: 101 }, { RELAY_TABLE: '' });
  expect(await adapter.ended).toBe(1);
  for (const part of ['RELAY_TABLE', 'RELAY_ADAPTER.interfaces.0.name', 'RELAY_ADAPTER.longPollTimeoutSeconds']) {
    expect(adapter.output()).toContain(part);
  }
  expect(says(adapter, 'The crash log could not be written')).toBe(true);
});

test('writes a crash log for an exception that nobody caught, and publishes what it was handed all the same', async () => {
  const stage = await setProcessStage();
  const stray = "process.once('SIGUSR2', () => { throw new Error('a stray error'); })";
  const adapter = stage.start({}, { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(stray)}` });
  stage.platform.faults.longPollHoldMs = 60_000;
  await until(() => stage.platform.adapter.readers(INTERFACE) === 1);
  adapter.signal('SIGUSR2');
  await until(() => says(adapter, 'The adapter cannot go on'));
  stage.platform.adapter.send(INTERFACE, message(1));
  expect(await adapter.ended).toBe(1);
  expect(stage.arrived().map(({ id }) => id)).toEqual(['message-1']);
  expect((await stage.readMark(STREAM)).leaseEndMs?.N).toBe('0');
  const [text] = Object.entries(stage.files()).flatMap(([path, file]) => (path.startsWith('crash/') ? file : []));
  expect(text).toContain('a stray error');
});

test('reports a crash to the platform', async () => {
  const stage = await setProcessStage();
  const adapter = stage.start({ passthrough: { level: 'error' } }, { RELAY_BUS: 'missing' });
  expect(await adapter.ended).toBe(1);
  expect(stage.platform.adapter.logs(INTERFACE)).toEqual(
    expect.arrayContaining([expect.objectContaining({ level: 'error', message: 'The adapter cannot go on' })]),
  );
});

test('writes several logs at once, each from its own level up, as JSON and as words', async () => {
  const stage = await setProcessStage();
  const adapter = stage.start({
    logging: [
      { level: 'debug', outputPath: 'logs/all.log', jsonLogging: true },
      { level: 'warn', outputPath: 'logs/warn.log', jsonLogging: false },
      { level: 'info', outputPath: 'stdout', jsonLogging: false },
      { level: 'info', outputPath: 'warn.log/none.log', jsonLogging: true },
    ],
  });
  mkdirSync(join(stage.folder, 'warn.log'), { recursive: true });
  stage.platform.faults.failNext = [{ route: 'longPoll', status: 503 }];
  await until(() => says(adapter, 'does not answer as it should'));
  renameSync(join(stage.folder, 'logs/all.log'), join(stage.folder, 'logs/all.log.1'));
  adapter.signal('SIGTERM');
  expect(await adapter.ended).toBe(0);
  const files = stage.files();
  expect(files['logs/all.log.1']).toContain('"level":"warn"');
  expect(files['logs/all.log.1']).toContain('"message":"Started"');
  expect(files['logs/all.log']).toContain('"message":"Stopped"');
  expect(files['logs/warn.log']).toMatch(
    /^\S+Z warn {2}The platform does not answer as it should.* stream=long-poll\/eventbridge /m,
  );
  expect(files['logs/warn.log']).not.toContain(' info ');
  expect(adapter.output()).toMatch(/^\S+Z info {2}Started tenant=acme interfaces=\["eventbridge"\]$/m);
});

test('says once that a log file cannot be written, and goes on', async () => {
  const stage = await setProcessStage();
  writeFileSync(join(stage.folder, 'logs'), 'a file where the folder should be');
  const adapter = stage.start({ logging: [{ level: 'debug', outputPath: 'logs/all.log', jsonLogging: true }] });
  stage.platform.adapter.send(INTERFACE, message(1));
  await until(() => stage.arrived().length === 1);
  adapter.signal('SIGTERM');
  expect(await adapter.ended).toBe(0);
  expect(adapter.output().match(/cannot be written/g)).toHaveLength(1);
});

test('sends the log to the platform, and does without where the platform takes none', async () => {
  const stage = await setProcessStage();
  stage.platform.faults.failAlways = { longPoll: 504 };
  const adapter = stage.start({ passthrough: { level: 'warn' } });
  await until(() => stage.platform.adapter.logs(INTERFACE).length >= 2);
  expect(stage.platform.adapter.logs(INTERFACE)[0]).toMatchObject({
    level: 'warn',
    tenant: 'acme',
    stream: STREAM,
    error: expect.stringContaining('504'),
  });
  stage.platform.faults.failAlways = { passthrough: 404, longPoll: 503 };
  await until(() => says(adapter, 'The platform takes no logs'));
  stage.platform.faults.failAlways = { passthrough: 404 };
  stage.platform.adapter.send(INTERFACE, message(1));
  await until(() => stage.arrived().length === 1);
});

test.for([404, 405])('switches a source off that answers %i, loudly, and goes on with the others', async (status) => {
  const stage = await setProcessStage();
  stage.platform.faults.failAlways = { longPoll: status };
  const adapter = stage.start({
    interfaces: [
      { name: INTERFACE, changes: { everySeconds: 10 } },
      { name: 'erp', longPoll: false, changes: {} },
    ],
  });
  await until(() => stage.arrived('relay').length === 1);
  expect(stage.arrived('relay')[0]).toMatchObject({
    type: 'source.switched-off',
    data: { record: { stream: STREAM } },
  });
  expect(adapter.lines()).toContainEqual(expect.objectContaining({ level: 'error', stream: STREAM }));
  const asked = stage.platform.requests.longPoll;
  const changed = stage.platform.adapter.changeConnection(stage.platform.organisation.suppliers[0]?.publicId);
  await until(() => stage.arrived('changes').length >= 1);
  expect(stage.arrived('changes')[0]?.data.target?.id).toBe(changed.publicId);
  expect(stage.platform.requests.longPoll).toBe(asked);
  adapter.signal('SIGTERM');
  expect(await adapter.ended).toBe(0);
  expect(metric(adapter, STREAM, 'SwitchedOff')).toBe(1);
});

test('its health is asked for by a command, and lasts only as long as it shows that it moves', async () => {
  const stage = await setProcessStage();
  const before = stage.start({}, {}, ['--health']);
  expect(await before.ended).toBe(1);
  const adapter = stage.start();
  await until(() => says(adapter, 'Started'));
  expect(await stage.start({}, {}, ['--health']).ended).toBe(0);
  adapter.signal('SIGKILL');
  await adapter.ended;
  const path = join(stage.folder, ALIVE);
  const old = new Date(statSync(path).mtimeMs - 60_000);
  utimesSync(path, old, old);
  expect(await stage.start({}, {}, ['--health']).ended).toBe(1);
});

test('shows no key, no token and no webhook address anywhere', async () => {
  const stage = await setProcessStage();
  const { apiKey } = stage.platform;
  const webhook = 'https://hooks.slack.com/services/T0000/B0000/abcdefghijkl';
  const secrets = [apiKey, ...apiKey.split('.'), 'eyJ', 'hooks.slack.com', stage.env.AWS_SECRET_ACCESS_KEY ?? ''];
  const settings = {
    logging: [
      { level: 'debug', outputPath: 'stdout', jsonLogging: true },
      { level: 'debug', outputPath: 'all.log', jsonLogging: false },
    ],
    passthrough: { level: 'debug' },
  };
  // A platform that says back what it was told, and more that is secret.
  const words = `key ${apiKey}, webhook ${webhook}, Authorization: Bearer eyJhbGci.eyJzdWIi.c2ln`;
  stage.platform.faults.failNext = [
    { route: 'longPoll', status: 503, message: words },
    { route: 'connections', status: 404, message: words },
  ];
  const adapter = stage.start({ ...settings, interfaces: [{ name: INTERFACE, changes: {} }] });
  await until(() => stage.arrived('relay').length === 1);
  await until(() => stage.platform.adapter.logs(INTERFACE).length >= 3);
  stage.platform.deleteKey();
  expect(await adapter.ended).toBe(1);
  const everything = [
    adapter.output(),
    ...Object.values(stage.files()),
    JSON.stringify(stage.platform.adapter.logs(INTERFACE)),
    JSON.stringify(stage.arrived()),
  ].join('\n');
  expect(everything).toContain('[hidden]');
  expect(Object.keys(stage.files()).filter((path) => path.startsWith('crash/'))).toHaveLength(1);
  for (const secret of secrets) expect(everything).not.toContain(secret);
});
