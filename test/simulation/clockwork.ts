/** Virtual time: nothing happens but what was scheduled, in order, one thing after another. */
export interface Clockwork {
  /** True time in ms since the Unix epoch. */
  readonly nowMs: number;
  /** Schedules an action; those of one moment happen in the order in which they were scheduled. */
  at(timeMs: number, action: () => void): void;
  /** Says that code of the relay has something to go on with before anything else happens. */
  wake(): void;
  /** Things that have happened. */
  readonly steps: number;
  /** Lets things happen until `done` or until nothing is left to happen. */
  run(done: () => boolean): Promise<void>;
}

interface Scheduled {
  readonly timeMs: number;
  readonly serial: number;
  readonly action: () => void;
}

/** Makes a clockwork that stands at `startMs`. */
export function createClockwork(startMs: number): Clockwork {
  const heap: Scheduled[] = [];
  let nowMs = startMs;
  let serial = 0;
  let steps = 0;
  let awake = false;

  return {
    get nowMs() {
      return nowMs;
    },

    get steps() {
      return steps;
    },

    at(timeMs, action) {
      push(heap, { timeMs: Math.max(nowMs, timeMs), serial: serial++, action });
    },

    wake() {
      awake = true;
    },

    async run(done) {
      while (!done()) {
        const next = pop(heap);
        if (next === undefined) return;
        nowMs = next.timeMs;
        steps += 1;
        next.action();
        // All promises settle before the next turn of the event loop, however long their chains are.
        if (awake) await new Promise((resolve) => setImmediate(resolve));
        awake = false;
      }
    },
  };
}

const before = (one: Scheduled, other: Scheduled): boolean =>
  one.timeMs < other.timeMs || (one.timeMs === other.timeMs && one.serial < other.serial);

function push(heap: Scheduled[], item: Scheduled): void {
  let at = heap.length;
  for (let parent = (at - 1) >> 1; at > 0 && before(item, heap[parent] as Scheduled); parent = (at - 1) >> 1) {
    heap[at] = heap[parent] as Scheduled;
    at = parent;
  }
  heap[at] = item;
}

function pop(heap: Scheduled[]): Scheduled | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return top;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && before(heap[child + 1] as Scheduled, heap[child] as Scheduled)) child += 1;
    if (!before(heap[child] as Scheduled, last)) break;
    heap[at] = heap[child] as Scheduled;
    at = child;
  }
  heap[at] = last;
  return top;
}
