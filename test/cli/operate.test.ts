import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { type Aws, createAws } from '../../sandbox/aws/aws.ts';
import { createDynamoMarks } from '../../shared/aws/marks.ts';
import { createDynamoGaps, createDynamoParkingLot } from '../../shared/aws/parked.ts';
import { readLines, run } from './stage.ts';

const TABLE = 'relay';
/** Takes two items, compressed. */
const BIG = JSON.stringify({ text: 'žluťoučký', blob: randomBytes(500_000).toString('hex') });

/** Starts DynamoDB, and gives what writes as the relay does and the environment that leads to it. */
async function startTable() {
  const aws: Aws = await createAws({ table: TABLE, bus: 'relay', secrets: {} });
  const { AWS_ENDPOINT_URL_DYNAMODB: endpoint, AWS_REGION: region, ...keys } = aws.env;
  const client = new DynamoDBClient({
    endpoint: endpoint!,
    region: region!,
    credentials: { accessKeyId: keys.AWS_ACCESS_KEY_ID!, secretAccessKey: keys.AWS_SECRET_ACCESS_KEY! },
  });
  onTestFinished(async () => {
    client.destroy();
    await aws.close();
  });
  const source = { client, table: TABLE, stream: 'audit' };
  return {
    env: { ...aws.env, RELAY_TABLE: TABLE, XDG_CONFIG_HOME: '/dev/null' },
    marks: createDynamoMarks(source),
    lot: createDynamoParkingLot(source),
    gaps: createDynamoGaps(source),
  };
}

test('shows where a stream stands', async () => {
  const { env, marks } = await startTable();
  const nowMs = Date.now();
  const nowSeconds = Math.floor(nowMs / 1000);
  const startSeconds = nowSeconds - 1000;
  const fingerprint = 'https://platform.example/ account a';
  const mark = await marks.acquire({ owner: 'me', nowMs, endMs: nowMs + 600_000, startSeconds, fingerprint });
  await marks.save(mark!.epoch, { cursors: { 0: nowSeconds - 60, 300: nowSeconds - 400, 86400: startSeconds - 1 } });
  await marks.save(mark!.epoch, { lastError: 'TransportError: \u001b[31mno', lastSuccessMs: nowMs });
  const [status, forPeople] = await Promise.all([run(['status', '--json'], { env }), run(['status'], { env })]);
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  const [facts] = readLines(status.stdout);
  expect(status).toMatchObject({ code: 0, stderr: '' });
  expect(facts).toMatchObject({
    mark: iso(nowSeconds - 60),
    checkedThrough: null,
    start: iso(startSeconds),
    lastSuccess: iso(nowSeconds),
    runningUntil: new Date(nowMs + 600_000).toISOString(),
    source: fingerprint,
    epoch: 1,
  });
  expect(facts!.lagSeconds).toBeGreaterThanOrEqual(60);
  expect(forPeople.stdout).toContain('TransportError:  [31mno');
  expect(forPeople.stdout).toMatch(/^re-checked at the last age up to +none$/m);
});

test('says that a stream was never read, and that a table does not exist', async () => {
  const { env } = await startTable();
  const [unread, missing] = await Promise.all([
    run(['status', '--stream', 'changes/erp'], { env }),
    run(['status', '--table', 'another'], { env }),
  ]);
  expect(unread).toMatchObject({
    code: 3,
    stdout: '',
    stderr: 'The stream changes/erp was never read into this table.\n',
  });
  expect(missing).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^[^\n]*Is --table right[^\n]*\n$/),
  });
});

test('lists what is parked and reads it back byte for byte', async () => {
  const { env, lot } = await startTable();
  const sinceMs = Date.UTC(2026, 0, 2);
  await lot.park({ id: 'big', type: 'x', why: 'too big', sinceMs, record: BIG });
  await lot.park({ id: 'big#2', type: 'y', why: '\u0007why', sinceMs, record: '{"a":"\\u009b"}' });
  const [listed, shown, second] = await Promise.all([
    run(['parked', 'list', '--json'], { env }),
    run(['parked', 'show', 'big'], { env }),
    run(['parked', 'show', 'big#2'], { env }),
  ]);
  expect(readLines(listed.stdout)).toEqual([
    { id: 'big', type: 'x', since: '2026-01-02T00:00:00.000Z', why: 'too big' },
    { id: 'big#2', type: 'y', since: '2026-01-02T00:00:00.000Z', why: '\u0007why' },
  ]);
  expect(shown).toEqual({ code: 0, stdout: BIG, stderr: '' });
  expect(second.stdout).toBe('{"a":"\\u009b"}');
  expect(await run(['parked', 'show', 'bi'], { env })).toMatchObject({ code: 3, stdout: '' });
});

test('lists gaps and forgets those that are dealt with', async () => {
  const { env, gaps } = await startTable();
  const fromSeconds = Date.UTC(2026, 0, 2) / 1000;
  await gaps.note({ fromSeconds, toSeconds: fromSeconds, rows: 10_000, why: 'too full' });
  await gaps.note({ fromSeconds: fromSeconds + 5, toSeconds: fromSeconds + 6, rows: 1, why: 'too slow' });
  const listed = await run(['gaps', 'list', '--json'], { env });
  expect(readLines(listed.stdout)).toEqual([
    { from: '2026-01-02T00:00:00Z', to: '2026-01-02T00:00:00Z', rows: 10_000, why: 'too full' },
    { from: '2026-01-02T00:00:05Z', to: '2026-01-02T00:00:06Z', rows: 1, why: 'too slow' },
  ]);
  expect(await run(['gaps', 'clear', '2026-01-02T00:00:00Z'], { env })).toMatchObject({ code: 0, stdout: '' });
  expect(await run(['gaps', 'clear', '2026-01-02T00:00:00Z'], { env })).toMatchObject({ code: 3, stdout: '' });
  expect(readLines((await run(['gaps', 'list', '--json'], { env })).stdout)).toHaveLength(1);
});

test('prints the command of a replay, which a shell reads as it is meant', async () => {
  const type = `it's`;
  const args = [
    'replay',
    '--from',
    '2026-01-02',
    '--to',
    '2026-01-03T00:00:00Z',
    '--function',
    'acme-poller',
    '--type',
    type,
  ];
  const { code, stdout } = await run(args);
  const { execFileSync } = await import('node:child_process');
  const words = execFileSync('sh', ['-c', `aws() { for word; do printf '%s\\n' "$word"; done; }\n${stdout}`], {
    encoding: 'utf8',
  })
    .trimEnd()
    .split('\n');
  expect(code).toBe(0);
  expect(words.slice(0, 4)).toEqual(['lambda', 'invoke', '--function-name', 'acme-poller']);
  expect(JSON.parse(words[words.indexOf('--payload') + 1]!)).toEqual({
    replay: { from: '2026-01-02T00:00:00Z', to: '2026-01-03T00:00:00Z', types: [type] },
  });
});

test('tells its version, and every command in its help', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  const { code, stdout } = await run(['--help']);
  expect(code).toBe(0);
  for (const word of ['users', 'profile', 'status', 'Exit codes:', 'Examples:']) expect(stdout).toContain(word);
});
