/** How often what happened arrived. */
export interface Deliveries {
  /** Ids that never arrived. */
  readonly lost: readonly string[];
  /** Ids that arrived more than once. */
  readonly repeated: readonly string[];
  /** Ids that arrived though nothing of that id happened. */
  readonly strange: readonly string[];
}

/** What everybody wants: everything once. */
export const EACH_ONCE: Deliveries = { lost: [], repeated: [], strange: [] };

interface Named {
  readonly id: string;
}

/** Compares what arrived with the truth, by id. */
export function countDeliveries(truth: Iterable<Named>, arrivals: Iterable<Named>): Deliveries {
  const times = new Map([...truth].map(({ id }) => [id, 0]));
  const strange: string[] = [];
  for (const { id } of arrivals) {
    const before = times.get(id);
    if (before === undefined) strange.push(id);
    else times.set(id, before + 1);
  }
  const having = (fits: (count: number) => boolean) => [...times].flatMap(([id, count]) => (fits(count) ? [id] : []));
  return { lost: having((count) => count === 0), repeated: having((count) => count > 1), strange };
}
