import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOCUMENTATION } from '../../../sandbox/platform/documentation/routes.ts';
import { createPlatform, type Platform } from '../../../sandbox/platform/platform.ts';
import { connect } from './client.ts';

interface Operation {
  summary: string;
  description?: string;
  security?: object[];
  responses: Record<string, { description: string; content?: Record<string, { schema: { $ref?: string } }> }>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
}

let platform: Platform;
let document: Document;
beforeAll(async () => {
  platform = await createPlatform({ history: { events: 300, days: 2 } });
  document = (await (await fetch(`${platform.url}${DOCUMENTATION}openapi.json`)).json()) as Document;
});
afterAll(() => platform.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, ...operation })),
  );

test('describes every operation of the specification in OpenAPI 3.1', () => {
  expect(document.openapi).toBe('3.1.0');
  const root = '/api/public/api/v1';
  expect(operations().map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'post /api/oauth/token',
      `get ${root}/users/events/types`,
      `get ${root}/users/events`,
      `get ${root}/users`,
      `get ${root}/users/roles`,
      `get ${root}/tasks`,
      `get ${root}/changes/connections`,
      `patch ${root}/profile/{publicId}`,
      `post ${root}/changes/acknowledgement`,
      `post ${root}/adapter/passthrough/{interface}`,
      `post ${root}/adapter/long-poll/{interface}`,
      `get ${root}/kit/{kitId}`,
      `get ${root}/profile/{publicId}`,
    ]),
  );
});

test('gives every error the one shape, and every operation of the public API its security', () => {
  for (const { name, path, security, responses } of operations()) {
    for (const [status, { content }] of Object.entries(responses)) {
      if (status < '400') continue;
      expect([name, status, content?.['application/json']?.schema.$ref]).toEqual([
        name,
        status,
        '#/components/schemas/Problem',
      ]);
    }
    const isPublic = path.startsWith('/api/public');
    expect([name, security]).toEqual([name, isPublic ? [{ bearer: [] }] : undefined]);
    if (isPublic) expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '401']));
  }
});

test.each([
  ['/users/events?limit=1000', '/users/events'],
  ['/users/events/types', '/users/events/types'],
  ['/users?limit=1000', '/users'],
  ['/users/roles', '/users/roles'],
  ['/tasks?limit=1000', '/tasks'],
  ['/changes/connections?limit=1000', '/changes/connections'],
  ['/changes/connections?interface=erp&limit=1000', '/changes/connections'],
  ['/profile/<publicId>?includeMetadata=true', '/profile/{publicId}'],
  ['/kit/<kitId>?translateValues=true', '/kit/{kitId}'],
])('answers GET %s as it describes', async (asked, path) => {
  const { suppliers, kits } = platform.organisation;
  const address = asked.replace('<publicId>', suppliers[0]!.publicId).replace('<kitId>', kits[0]!._id);
  const { status, text } = await (await connect(platform)).get(address);
  expect(status).toBe(200);
  const pointer = `/api/public/api/v1${path}`.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'api');
  const validate = ajv.compile({ $ref: `api#/paths/${pointer}/get/responses/200/content/application~1json/schema` });
  validate(JSON.parse(text));
  expect(validate.errors).toBeNull();
});

test('marks what the specification does not show as our choice', () => {
  const marked = JSON.stringify(document).match(/our choice|Our choice/g) ?? [];
  expect(marked.length).toBeGreaterThan(15);
});

test('serves the console without a token, from itself alone and under a strict policy', async () => {
  const get = (path: string) => fetch(platform.url + path, { redirect: 'manual' });
  expect((await get(DOCUMENTATION.slice(0, -1))).headers.get('Location')).toBe(DOCUMENTATION);
  const page = await get(DOCUMENTATION);
  expect(page.headers.get('Content-Security-Policy')).toMatch(/default-src 'none'; script-src 'self';/);
  const html = await page.text();
  expect(html).not.toMatch(/https?:\/\//);
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file);
  expect(files).toHaveLength(4);
  for (const file of files) expect((await get(DOCUMENTATION + file)).status).toBe(200);
  expect((await get(`${DOCUMENTATION}../../../../package.json`)).status).toBe(404);
});
