import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ServerEnv } from '../disturb.ts';
import { API_ROOT } from '../paths.ts';
import { PAGE, START } from './page.ts';

/** Where the interactive console is, below the base address. */
export const DOCUMENTATION = `${API_ROOT}/documentation/`;

const FROM_SWAGGER_UI = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
  'favicon-32x32.png': 'image/png',
} as const;

/** Nothing from elsewhere and no inline script; the pictures in the console's style sheet are `data:` addresses. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Adds the OpenAPI document of all routes that were added before, and the console that shows it. */
export function addDocumentation(app: OpenAPIHono<ServerEnv>): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `access_token` that POST /api/oauth/token gives.',
  });
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Public API of a supplier-connection platform',
      version: 'v1',
      description:
        'A made-up platform to build against. Where its specification does not show a path, a parameter or a payload, ' +
        'it is chosen here and marked as “our choice”. Every error has the form `Problem`.',
    },
    tags: [
      { name: 'Authentication', description: 'An access token for an API key' },
      { name: 'Audit trail', description: 'What happened in the organisation' },
      { name: 'Organisation', description: 'Users, roles and open tasks' },
      { name: 'Answers', description: 'Profiles and kits' },
      { name: 'Adapter', description: 'Connections, acknowledgements, logs and integration requests' },
      { name: 'Sandbox', description: 'No part of the public API' },
    ],
  });

  app.get(DOCUMENTATION.slice(0, -1), (c) => c.redirect(DOCUMENTATION));
  app.get(DOCUMENTATION, (c) => {
    c.header('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    return c.html(PAGE);
  });
  app.get(`${DOCUMENTATION}openapi.json`, (c) => c.json(document));
  app.get(`${DOCUMENTATION}start.js`, (c) => c.body(START, 200, { 'Content-Type': 'text/javascript' }));
  for (const [name, type] of Object.entries(FROM_SWAGGER_UI)) {
    const path = fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));
    app.get(DOCUMENTATION + name, async (c) => c.body(await readFile(path), 200, { 'Content-Type': type }));
  }
}
