import { z } from '@hono/zod-openapi';

/** Body of a request for a new key. */
export const newKey = z
  .strictObject({ label: z.string().min(1).max(100).openapi({ example: 'integration 2' }) })
  .openapi('NewKey');

const key = {
  keyId: z.string().openapi({ description: 'The second of the three parts of the key' }),
  label: z.string(),
  createdAt: z.iso.datetime(),
};

/** The keys, without their secrets. */
export const keys = z.object({ total: z.int(), results: z.array(z.object(key).openapi('Key')) });

/** A new key, whole: the only time that it is shown. */
export const createdKey = z
  .object({ ...key, apiKey: z.string().openapi({ description: '`<account_id>.<key_id>.<key_secret>`' }) })
  .openapi('CreatedKey');

/** Path of a key. */
export const keyParams = z.object({ keyId: z.string().openapi({ param: { name: 'keyId', in: 'path' } }) });
