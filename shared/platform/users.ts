import * as z from 'zod/mini';
import { PUBLIC_ROOT } from './api.ts';
import { type Caller, createList, type List } from './pages.ts';

const user = z.looseObject({
  _id: z.string(),
  email: z.optional(z.nullable(z.string())),
  name: z.optional(z.nullable(z.string())),
  roles: z.optional(z.nullable(z.array(z.unknown()))),
});
const role = z.union([z.looseObject({}), z.string()]);

/** A person of the organisation; `_id` is what events are filtered by. */
export type User = z.infer<typeof user>;

/** What users may have the right to; its fields are not specified. */
export type Role = z.infer<typeof role>;

/** Lists users. */
export const listUsers = (caller: Caller): List<User> =>
  createList(caller, { path: `${PUBLIC_ROOT}/users`, row: user });

/** Lists the roles that users may have. */
export const listRoles = (caller: Caller): List<Role> =>
  createList(caller, { path: `${PUBLIC_ROOT}/users/roles`, row: role });
