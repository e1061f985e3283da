import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditRecord } from '../../../sandbox/platform/activity.ts';
import { KIT_QUESTIONS, PROFILE_QUESTIONS } from '../../../sandbox/platform/answers/questions.ts';
import { createPlatform, type Platform } from '../../../sandbox/platform/platform.ts';
import { type Client, connect } from './client.ts';

const START = Date.UTC(2026, 0, 15, 12);
let nowMs = START;
let platform: Platform;
let client: Client;
let ids: string[];
beforeAll(async () => {
  platform = await createPlatform({ clock: () => nowMs });
  client = await connect(platform);
  ids = platform.organisation.suppliers.map(({ publicId }) => publicId);
});
afterAll(() => platform.close());

type Answers = Record<string, unknown>;
const read = async (path: string) => JSON.parse((await client.get(path)).text).answers as Answers;
const patch = async (publicId: string, body: unknown) => {
  const { status, text } = await client.post(`/profile/${publicId}`, body, { method: 'PATCH' });
  return { status, body: JSON.parse(text) };
};
const records = () => [...platform.trail].map(({ record }) => record as AuditRecord);

test('reads every answer of a profile and of a kit', async () => {
  expect(Object.keys(await read(`/profile/${ids[0]}`))).toEqual(PROFILE_QUESTIONS.map(({ key }) => key));
  const kit = platform.organisation.kits[2]!;
  expect(JSON.parse((await client.get(`/kit/${kit._id}`)).text)).toMatchObject(kit);
  expect(Object.keys(await read(`/kit/${kit._id}`))).toEqual(KIT_QUESTIONS.map(({ key }) => key));
});

test.each(['/profile/nobody', '/kit/none'])('answers %s with 404', async (path) => {
  expect(JSON.parse((await client.get(path)).text)).toMatchObject({ statusCode: 404, error: 'Not Found' });
});

test('gives every answer its metadata on demand, within groups too', async () => {
  const answers = await read(`/profile/${ids[1]}?includeMetadata=true`);
  const keys = PROFILE_QUESTIONS.map(({ key }) => key);
  expect(Object.keys(answers)).toEqual(keys.flatMap((key) => [key, `${key}__meta`]));
  for (const { key, label, type, isCalculated = false } of PROFILE_QUESTIONS) {
    expect(answers[`${key}__meta`]).toMatchObject({
      lastUpdateOn: expect.stringMatching(/^\d{4}-.+Z$/),
      lastUpdatedBy: { _id: expect.any(String), email: expect.any(String), name: expect.any(String) },
      question: { label, type, isCalculated },
    });
  }
  const [site] = answers.sites as Answers[];
  expect(Object.keys(site ?? {})).toEqual([
    '_id',
    'siteName',
    'siteName__meta',
    'siteCountry',
    'siteCountry__meta',
    'siteOwned',
    'siteOwned__meta',
  ]);
});

test('shows scores of kits, and overrides with every field on some answers', async () => {
  const metas: Answers[] = [];
  for (const { _id } of platform.organisation.kits) {
    const answers = await read(`/kit/${_id}?includeMetadata=true`);
    metas.push(...KIT_QUESTIONS.map(({ key }) => answers[`${key}__meta`] as Answers));
  }
  for (const meta of metas) expect(meta).toMatchObject({ score: expect.stringMatching(/^\d+$/), maxScore: '10' });
  const overridden = metas.filter(({ overrideOn }) => overrideOn);
  expect(overridden.length).toBeGreaterThan(0);
  expect(overridden.length).toBeLessThan(metas.length / 3);
  const text = expect.any(String);
  expect(overridden[0]).toMatchObject({
    overrideScore: expect.any(Number),
    overrideRisk: expect.stringMatching(/^(low|medium|high)$/),
    overrideNotes: text,
    overrideBy: {
      name: text,
      email: text,
      _id: text,
      phoneNumber: text,
      phoneNumberInfo: {
        country: text,
        countryCallingCode: text,
        nationalNumber: text,
        number: text,
        __countryCallingCodeSource: text,
      },
    },
  });
});

test('replaces values by what people read, but for those that are excepted', async () => {
  const id = ids[2]!;
  const [site] = (await read(`/profile/${id}`)).sites as Answers[];
  await patch(id, {
    country: 'BR',
    invoiceCurrency: 'CHF',
    preferredLanguage: 'pt-BR',
    vatRegistered: true,
    riskLevel: 'high',
    sites: [{ _id: site?._id, siteCountry: 'JP', siteOwned: false }],
  });
  const translated = {
    country: 'Brazil',
    invoiceCurrency: 'Swiss Franc',
    preferredLanguage: 'Brazilian Portuguese',
    vatRegistered: 'Yes',
    riskLevel: 'High',
  };
  expect(await read(`/profile/${id}?translateValues=true`)).toMatchObject({
    ...translated,
    sites: [{ _id: site?._id, siteCountry: 'Japan', siteOwned: 'No' }],
  });
  expect(
    await read(`/profile/${id}?translateValues=true&noTranslateValues=country,vatRegistered,siteCountry`),
  ).toMatchObject({
    ...translated,
    country: 'BR',
    vatRegistered: true,
    sites: [{ siteCountry: 'JP', siteOwned: 'No' }],
  });
  expect((await read(`/profile/${id}?translateValues=true&noTranslateValues=sites`)).sites).toMatchObject([
    { siteCountry: 'JP', siteOwned: false },
  ]);
  expect(await read(`/profile/${id}?noTranslateValues=country`)).toMatchObject({ country: 'BR', riskLevel: 'high' });
});

test('changes answers, their metadata, the connection and the audit trail', async () => {
  const id = ids[3]!;
  const before = await read(`/profile/${id}?includeMetadata=true`);
  nowMs += 60_000;
  const { status, body } = await patch(id, { legalName: 'Renamed plc', riskLevel: before.riskLevel });
  expect([status, body.answers.legalName]).toEqual([200, 'Renamed plc']);
  const after = await read(`/profile/${id}?includeMetadata=true`);
  const { _id, email, name } = platform.organisation.users[0]!;
  expect(after.legalName__meta).toEqual({
    ...(before.legalName__meta as object),
    lastUpdateOn: new Date(nowMs).toISOString(),
    lastUpdatedBy: { _id, email, name },
  });
  expect({ ...after, legalName: 0, legalName__meta: 0 }).toEqual({ ...before, legalName: 0, legalName__meta: 0 });
  expect(records().at(-1)).toMatchObject({
    eventType: 'profile_updated',
    createdAt: new Date(nowMs).toISOString(),
    user: { _id, email, name },
    profile: { publicId: id, name: platform.organisation.suppliers[3]?.name },
    changes: [{ key: 'legalName', from: before.legalName, to: 'Renamed plc' }],
  });
  expect(platform.adapter.connections('erp').map(({ publicId }) => publicId)).toContain(id);
});

test('writes no event where nothing changes', async () => {
  const count = platform.trail.size;
  const { legalName, sites } = await read(`/profile/${ids[4]}`);
  expect((await patch(ids[4]!, { legalName, sites })).status).toBe(200);
  expect((await patch(ids[4]!, {})).status).toBe(200);
  expect(platform.trail.size).toBe(count);
});

test('replaces a group and keeps what a known instance does not name', async () => {
  const id = ids[5]!;
  const [first] = (await read(`/profile/${id}`)).sites as Answers[];
  const { body } = await patch(id, {
    sites: [
      { siteName: 'New', siteCountry: 'NL' },
      { _id: first?._id, siteName: 'Old' },
    ],
  });
  expect(body.answers.sites).toEqual([
    { _id: expect.stringMatching(/^[0-9a-f]{24}$/), siteName: 'New', siteCountry: 'NL' },
    { ...first, siteName: 'Old' },
  ]);
});

test('takes a file and shows its name and size', async () => {
  const fileContentsBase64 = Buffer.from('a certificate').toString('base64');
  const { body } = await patch(ids[6]!, { insuranceCertificate: { fileName: 'new.pdf', fileContentsBase64 } });
  expect(body.answers.insuranceCertificate).toEqual({ _id: expect.any(String), fileName: 'new.pdf', bytes: 13 });
});

test.each([
  ['an unknown answer', { shoeSize: 44 }, 'shoeSize'],
  ['a wrong type', { yearFounded: '1999' }, 'yearFounded'],
  ['an unknown country', { country: 'ZX' }, 'country'],
  ['a code that is none', { invoiceCurrency: '!' }, 'invoiceCurrency'],
  ['an unknown choice', { riskLevel: 'none' }, 'riskLevel'],
  ['a calculated answer', { completeness: 100 }, 'completeness'],
  ['an unknown field of a group', { sites: [{ siteName: 'x', colour: 'red' }] }, 'colour'],
  ['a file without contents', { insuranceCertificate: { fileName: 'x' } }, 'insuranceCertificate'],
  ['a list', [], 'expected object'],
])('refuses %s and changes nothing, the good part of the update neither', async (_, update, named) => {
  const before = await read(`/profile/${ids[7]}`);
  const { status, body } = await patch(ids[7]!, Array.isArray(update) ? update : { taxId: 'changed', ...update });
  expect([status, body.statusCode]).toEqual([400, 400]);
  expect(body.message).toContain(named);
  expect(await read(`/profile/${ids[7]}`)).toEqual(before);
});

test('refuses to update what is not there', async () => {
  const { status, body } = await patch(ids[8]!, { taxId: 'changed', sites: [{ _id: 'none' }] });
  expect([status, body.message]).toEqual([409, expect.stringContaining('sites')]);
  expect((await read(`/profile/${ids[8]}`)).taxId).not.toBe('changed');
  expect((await patch('nobody', { taxId: 'x' })).status).toBe(404);
});

test('keeps the answers as its life tells them', async () => {
  const living = await createPlatform({ clock: () => nowMs, history: { events: 2000, days: 3 } });
  const { get } = await connect(living);
  const last = new Map<string, unknown>();
  for (const { record } of living.trail) {
    const { eventType, profile, changes } = record as AuditRecord & { profile: { publicId: string } };
    if (eventType !== 'profile_updated') continue;
    for (const { key, from, to } of changes as { key: string; from: unknown; to: unknown }[]) {
      const name = `${profile.publicId} ${key}`;
      expect(from).not.toEqual(to);
      if (last.has(name)) expect(from).toEqual(last.get(name));
      last.set(name, to);
    }
  }
  for (const { publicId } of living.organisation.suppliers.slice(0, 20)) {
    const { answers } = JSON.parse((await get(`/profile/${publicId}`)).text);
    for (const [name, value] of last) {
      const [of, key] = name.split(' ');
      if (of === publicId) expect(answers[key!]).toEqual(value);
    }
  }
  expect(last.size).toBeGreaterThan(300);
  await living.close();
});
