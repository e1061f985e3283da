import { expect, test } from 'vitest';
import { expectAllOnce } from './expect-relayed.ts';
import { type RelayFixture, SECRET, startRelay } from './relay-fixture.ts';

/** Lets some events happen and polls. */
async function live(relay: RelayFixture): Promise<void> {
  relay.advance(60);
  relay.add(5, 55);
  await relay.poll();
}

test('goes on when its token is revoked', async () => {
  const relay = await startRelay();
  await live(relay);
  relay.platform.requests.reset();
  relay.platform.revokeTokens();
  await live(relay);
  expectAllOnce(relay);
  expect(relay.platform.requests.token).toBe(1);
});

test('goes on when its token is revoked between two pages', async () => {
  const relay = await startRelay();
  relay.platform.faults.limitMax = 20;
  relay.platform.faults.beforeEvents = ({ page }) => {
    if (page % 2 === 1) relay.platform.revokeTokens();
  };
  relay.add(130);
  await relay.poll();
  expectAllOnce(relay);
});

test('takes a rotated key from the secret, and forgets which form the old one took', async () => {
  const relay = await startRelay();
  relay.platform.faults.credentials = 'split';
  await live(relay);
  relay.platform.faults.credentials = 'whole';
  relay.aws.secrets.set(SECRET, JSON.stringify({ apiKey: relay.platform.rotateKey() }));
  await live(relay);
  expectAllOnce(relay);
});

test('fails until the new key is in the secret, then goes on where it was', async () => {
  const relay = await startRelay();
  await live(relay);
  const cursors = await relay.cursors();
  const key = relay.platform.rotateKey();
  await expect(live(relay)).rejects.toMatchObject({ name: 'AuthenticationError' });
  expect(await relay.cursors()).toEqual(cursors);
  relay.aws.secrets.set(SECRET, key);
  await live(relay);
  expectAllOnce(relay);
});

test('stops after a few requests when the key is deleted, poll after poll', async () => {
  const relay = await startRelay();
  await live(relay);
  const cursors = await relay.cursors();
  relay.platform.deleteKey();
  relay.platform.requests.reset();
  for (let polls = 1; polls <= 5; polls++) {
    const failed = await live(relay).catch((error: unknown) => error);
    expect(failed).toMatchObject({ name: 'AuthenticationError', retryable: false });
    for (const part of relay.platform.apiKey.split('.').slice(1)) expect(String(failed)).not.toContain(part);
    // Both forms of the credentials, and the request that the old token was refused with.
    expect(relay.platform.requests.token).toBeLessThanOrEqual(2 * polls);
    expect(relay.platform.requests.events).toBeLessThanOrEqual(1);
  }
  expect(relay.waits).toEqual([]);
  expect(await relay.cursors()).toEqual(cursors);
});

test('stops when every token that is given is refused', async () => {
  const relay = await startRelay();
  Object.assign(relay.platform.faults, { failShare: 1, failWith: [{ route: 'events', status: 401 }] });
  await expect(relay.poll()).rejects.toMatchObject({ name: 'AuthenticationError' });
  expect(relay.platform.requests).toMatchObject({ token: 2, events: 2 });
});

test.each([
  ['not a key', 'three parts'],
  ['', 'is empty'],
  ['{"key":"a.b.c"}', 'expected the bare key or'],
])('names what is wrong with a secret of %j without showing it', async (value, words) => {
  const relay = await startRelay();
  relay.aws.secrets.set(SECRET, value);
  await expect(relay.poll()).rejects.toMatchObject({
    name: 'ConfigurationError',
    message: expect.stringContaining(words),
  });
  expect(relay.platform.requests.token).toBe(0);
});

test('takes a key whose secret part has dots', async () => {
  const relay = await startRelay();
  relay.aws.secrets.set(SECRET, 'account.key.with.dots');
  await expect(relay.poll()).rejects.toMatchObject({ name: 'AuthenticationError' });
  relay.aws.secrets.set(SECRET, ` ${relay.platform.apiKey}\n`);
  await live(relay);
  expectAllOnce(relay);
});

test.each([1800, 3600, 86_400])('polls for a day and a half with tokens that live %i seconds', async (seconds) => {
  const relay = await startRelay();
  relay.platform.faults.tokenLifetimeSeconds = seconds;
  for (let step = 0; step < 36; step++) {
    relay.advance(3540);
    await live(relay);
  }
  expectAllOnce(relay);
  // Renewed in time, so that no request was refused: every poll is one head and the rungs that are due.
  expect(relay.platform.requests.token).toBeLessThanOrEqual(Math.ceil((36 * 3600) / seconds) + 36);
});
