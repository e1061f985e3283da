import { afterAll, beforeAll, describe, expect, type TestContext, test, vi } from 'vitest';
import { answersOf, listAnswers } from '../../shared/platform/answers.ts';
import { PUBLIC_ROOT } from '../../shared/platform/api.ts';
import { readList } from '../../shared/platform/events.ts';
import { createNormaliser } from '../../shared/relay/normalise.ts';
import { isoSeconds } from '../../shared/relay/time.ts';
import { connectSubject, type Subject } from './subject.ts';

// A real platform may be far away and slow.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const DAY_SECONDS = 86_400;
const normaliser = createNormaliser({ tenant: 'contract', stream: 'audit' });
let subject: Subject;

beforeAll(async () => {
  subject = await connectSubject();
});
afterAll(() => subject?.close());

/** Reads one page of a list as the platform gives it. */
async function page(path: string, query: Record<string, string | number>) {
  const { api } = subject;
  const deadlineMs = Date.now() + 60_000;
  const answer = await api.call({ method: 'GET', path: `${PUBLIC_ROOT}${path}`, query, deadlineMs });
  return readList(path, answer.json());
}

/** Takes the first few of a list. */
async function take<T>(list: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of list) if (taken.push(item) === count) break;
  return taken;
}

/** Skips what a real platform has nothing to show of; the sandbox has everything, so that there it is a failure. */
function skip(context: TestContext, why: string): never {
  if (subject.isSandbox) throw new Error(`The sandbox should not lack it: ${why}`);
  return context.skip(why);
}

const nowSeconds = () => Math.floor(Date.now() / 1000);
const timeOf = (record: unknown) => normaliser.identify(record).timeMs;

/** Finds a supplier that there is, without knowing any. */
async function findPublicId(context: TestContext): Promise<string> {
  const connections = await take(subject.client.connections(), 1);
  const publicId = connections[0]?.publicId ?? process.env.PLATFORM_PUBLIC_ID;
  if (typeof publicId !== 'string') skip(context, 'no connection names a publicId: set PLATFORM_PUBLIC_ID');
  return publicId as string;
}

describe('tokens', () => {
  const ask = (body: object) =>
    subject.transport.send({
      method: 'POST',
      url: new URL('/api/oauth/token', process.env.PLATFORM_AUTH_URL ?? subject.url),
      body: { grant_type: 'client_credentials', ...body },
      deadlineMs: Date.now() + 60_000,
    });

  test('are given for at least one of the two ways of filling the credentials', async () => {
    const [account, id, ...secret] = subject.key.split('.');
    const split = { client_id: `${account}.${id}`, client_secret: secret.join('.') };
    const whole = { client_id: subject.key, client_secret: subject.key };
    const answers = (await Promise.allSettled([ask(split), ask(whole)])).filter(({ status }) => status === 'fulfilled');
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) {
      if (answer.status === 'fulfilled')
        expect(answer.value.json()).toMatchObject({ access_token: expect.any(String) });
    }
  });

  test('are refused to a key that is not known', async () => {
    const wrong = { client_id: 'nobody.nothing', client_secret: 'wrong' };
    await expect(ask(wrong)).rejects.toMatchObject({
      status: expect.toSatisfy((status) => [400, 401, 403].includes(status)),
    });
  });

  test('are needed', async () => {
    const url = new URL(`${PUBLIC_ROOT}/users`, subject.url);
    const asked = subject.transport.send({ method: 'GET', url, deadlineMs: Date.now() + 60_000 });
    await expect(asked).rejects.toMatchObject({ status: 401 });
  });
});

describe.each(['/users', '/users/roles', '/tasks', '/users/events'])('the list %s', (path) => {
  test('takes a limit up to 1000 and gives no more than asked for', async () => {
    expect((await page(path, { limit: 1, page: 0 })).rows.length).toBeLessThanOrEqual(1);
    expect((await page(path, { limit: 1000, page: 0 })).rows.length).toBeLessThanOrEqual(1000);
  });

  test('counts pages from 0, and says how many results all of them hold', async () => {
    // What goes on meanwhile moves the pages of a trail: it is asked for what is over.
    const past = path === '/users/events' ? { before: isoSeconds(nowSeconds() - 2 * DAY_SECONDS) } : {};
    const [first, second, both] = await Promise.all([
      page(path, { ...past, limit: 2, page: 0 }),
      page(path, { ...past, limit: 2, page: 1 }),
      page(path, { ...past, limit: 4, page: 0 }),
    ]);
    expect([...first.rows, ...second.rows]).toEqual(both.rows);
    expect(both.total).toBeGreaterThanOrEqual(both.rows.length);
  });

  test('is empty past its end', async (context) => {
    const { total } = await page(path, { limit: 1000, page: 0 });
    if (total === undefined) return skip(context, 'it says no total');
    expect((await page(path, { limit: 1000, page: Math.ceil(total / 1000) + 5 })).rows).toEqual([]);
  });
});

test('users have an _id, and as many are read as there are', async () => {
  const users = await Array.fromAsync(subject.client.users());
  const { total } = await page('/users', { limit: 1, page: 0 });
  expect(users.length).toBeGreaterThan(0);
  expect(new Set(users.map(({ _id }) => _id)).size).toBe(users.length);
  if (total !== undefined) expect(users).toHaveLength(total);
});

test('roles are listed', async () => {
  expect((await Array.fromAsync(subject.client.roles())).length).toBeGreaterThan(0);
});

test('tasks are filtered by the kit and the type of kit that they carry', async (context) => {
  const tasks = await Array.fromAsync(subject.client.tasks());
  const { kitId, kitType } = tasks.find((task) => task.kitId && task.kitType) ?? {};
  if (!kitId || !kitType) return skip(context, 'no open task belongs to a kit');
  const [ofKit, ofType] = await Promise.all([
    Array.fromAsync(subject.client.tasks({ kitId })),
    Array.fromAsync(subject.client.tasks({ kitType })),
  ]);
  expect(new Set(ofKit.map((task) => task.kitId))).toEqual(new Set([kitId]));
  expect(new Set(ofType.map((task) => task.kitType))).toEqual(new Set([kitType]));
  expect(ofKit.length).toBeLessThanOrEqual(tasks.length);
});

describe('events', () => {
  test('have types that the list of types names', async () => {
    const [types, events] = await Promise.all([subject.client.eventTypes(), take(subject.client.events(), 200)]);
    expect(types).toContain('profile_updated');
    for (const event of events) expect(types).toContain(normaliser.typeOf(event));
  });

  test('lie between the bounds that are asked for', async () => {
    const [afterSeconds, beforeSeconds] = [nowSeconds() - 4 * DAY_SECONDS, nowSeconds() - 2 * DAY_SECONDS];
    const times = (await take(subject.client.events({ afterSeconds, beforeSeconds }), 2000)).map(timeOf);
    for (const timeMs of times) {
      expect(timeMs).toBeGreaterThanOrEqual(afterSeconds * 1000);
      expect(timeMs).toBeLessThanOrEqual(beforeSeconds * 1000 + 999);
    }
  });

  test('are filtered by type and by user', async (context) => {
    const [sample] = await take(subject.client.events(), 1);
    if (sample === undefined) return skip(context, 'there are no events');
    const eventType = normaliser.typeOf(sample);
    for (const event of await take(subject.client.events({ eventType }), 50)) {
      expect(normaliser.typeOf(event)).toBe(eventType);
    }
    const actor = normaliser.toEvent(normaliser.identify(sample), Date.now()).data.actor?.id;
    if (actor === undefined) return skip(context, 'the event names no user');
    const owned = await take(subject.client.events({ forUserId: actor }), 50);
    expect(owned.length).toBeGreaterThan(0);
    for (const event of owned) expect(JSON.stringify(event)).toContain(actor);
  });

  test('have an id and a time', async () => {
    for (const event of await take(subject.client.events(), 200)) {
      expect(normaliser.identify(event)).toMatchObject({ hashed: false, timeMs: expect.any(Number) });
    }
  });
});

describe('answers', () => {
  test('of a profile come with metadata when asked, and only then', async (context) => {
    const publicId = await findPublicId(context);
    const [plain, full] = await Promise.all([
      subject.client.profile(publicId).then(answersOf).then(listAnswers),
      subject.client.profile(publicId, { includeMetadata: true }).then(answersOf).then(listAnswers),
    ]);
    expect(plain.length).toBeGreaterThan(0);
    expect(plain.some(({ metadata }) => metadata)).toBe(false);
    expect(full.map(({ key }) => key)).toEqual(plain.map(({ key }) => key));
    expect(full.filter(({ metadata }) => metadata?.question).length).toBeGreaterThan(0);
  });

  test('of a profile are translated when asked, save those that are named', async (context) => {
    const publicId = await findPublicId(context);
    const read = async (options: object) => answersOf(await subject.client.profile(publicId, options));
    const [plain, translated] = await Promise.all([read({}), read({ translateValues: true })]);
    const changed = Object.keys(plain).filter((key) => JSON.stringify(plain[key]) !== JSON.stringify(translated[key]));
    if (changed.length === 0) return skip(context, 'no answer of this profile has a display value');
    const kept = await read({ translateValues: true, noTranslateValues: changed.slice(0, 1) });
    expect(kept[changed[0]!]).toEqual(plain[changed[0]!]);
    for (const key of changed.slice(1)) expect(kept[key]).toEqual(translated[key]);
  });

  test('of a kit are read', async (context) => {
    const { kitId } = (await take(subject.client.tasks(), 100)).find((task) => task.kitId) ?? {};
    if (!kitId) return skip(context, 'no open task belongs to a kit');
    expect(listAnswers(answersOf(await subject.client.kit(kitId, { includeMetadata: true }))).length).toBeGreaterThan(
      0,
    );
  });

  test('of a supplier that is not known are a 404', async () => {
    await expect(subject.client.profile('no-such-supplier')).rejects.toMatchObject({ status: 404 });
  });

  test('are changed one by one, and the others stay', async (context) => {
    if (!subject.mayWrite) return skip(context, 'PLATFORM_ALLOW_WRITES is not set');
    const publicId = await findPublicId(context);
    const before = answersOf(await subject.client.profile(publicId));
    const [key] = Object.entries(before).find(([, value]) => typeof value === 'string') ?? [];
    if (key === undefined) return skip(context, 'this profile has no answer that is a text');
    await subject.client.updateProfile(publicId, { [key]: before[key] });
    expect(answersOf(await subject.client.profile(publicId))).toEqual(before);
  });
});

describe('the adapter', () => {
  test('lists connections', async () => {
    expect((await take(subject.client.connections(), 5)).length).toBeGreaterThan(0);
  });

  test('hands log entries over', async (context) => {
    if (!subject.mayWrite) return skip(context, 'PLATFORM_ALLOW_WRITES is not set');
    await subject.client.passthrough(subject.interfaceName, [{ level: 'info', message: 'A contract is checked' }]);
  });

  test('waits for integration requests, and takes having none for no fault', async (context) => {
    if (!subject.mayWrite) return skip(context, 'PLATFORM_ALLOW_WRITES is not set');
    expect(await subject.client.longPoll(subject.interfaceName)).toBeInstanceOf(Array);
  });

  test('acknowledges a connection', async (context) => {
    if (!subject.mayWrite) return skip(context, 'PLATFORM_ALLOW_WRITES is not set');
    const publicId = await findPublicId(context);
    await subject.client.acknowledge(subject.interfaceName, { publicId, role: 'buyer', errors: [] });
  });
});
