import * as z from 'zod/mini';
import { PUBLIC_ROOT } from './api.ts';
import { type Caller, createList, type List } from './pages.ts';

const text = z.optional(z.nullable(z.string()));
const task = z.looseObject({ _id: text, type: text, status: text, kitId: text, kitType: text });

/** An open task on a supplier connection; without `kitId` and `kitType` where it belongs to no kit. */
export type Task = z.infer<typeof task>;

/** Which tasks to list; what is left out does not matter. */
export interface TaskFilter {
  readonly kitId?: string | undefined;
  readonly kitType?: string | undefined;
}

/** Lists open tasks. */
export const listTasks = (caller: Caller, { kitId, kitType }: TaskFilter = {}): List<Task> =>
  createList(caller, { path: `${PUBLIC_ROOT}/tasks`, query: { kitId, kitType }, row: task });
