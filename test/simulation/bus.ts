import { type Bus, type BusEntry, BusFault, type EntryFault } from '../../shared/relay/ports.ts';
import type { Dice } from './dice.ts';
import type { Faults } from './faults.ts';
import type { Process } from './process.ts';
import type { Row } from './rows.ts';
import type { Watch } from './watch.ts';
import { readDetail } from './watch-deliveries.ts';

/** Makes the event bus as a process reaches it. */
export function createModelBus(parts: { process: Process; dice: Dice; faults: Faults; watch: Watch }): Bus {
  const { process, dice, faults, watch } = parts;

  function take(entry: BusEntry): EntryFault | undefined {
    const fault = refusal(entry);
    if (fault !== undefined && !fault.accepted) return fault;
    watch.accepted(process, entry);
    return fault;
  }

  function refusal(entry: BusEntry): (EntryFault & { accepted?: boolean }) | undefined {
    if (poisonIn(entry) === 'entry') {
      faults.count('poisoned entry');
      return { code: 'MalformedDetail', message: 'poison' };
    }
    if (faults.happens('bus throttles entries')) return { code: 'ThrottlingException', message: 'slower' };
    if (faults.happens('bus internal failure of entries')) return { code: 'InternalFailure', message: 'inside' };
    if (faults.happens('bus internal failure after accepting')) {
      return { code: 'InternalFailure', message: 'inside', accepted: true };
    }
    if (faults.happens('bus refuses entry for ever')) return { code: 'AccessDeniedException', message: 'no' };
    return undefined;
  }

  return {
    async put(entries) {
      watch.putAsked(process, entries);
      const tookMs = faults.happens('bus slow') ? dice.spread(500, 9_000) : dice.spread(5, 60);
      const answered = process.send<(EntryFault | undefined)[]>({
        tookMs,
        effect() {
          if (faults.happens('bus request failed')) throw new BusFault('retry', 'ServiceUnavailable');
          if (faults.happens('bus stops')) throw new BusFault('stop', 'AccessDeniedException');
          if (entries.some((entry) => poisonIn(entry) === 'request')) {
            faults.count('poisoned request');
            throw new BusFault('refused', 'ValidationException');
          }
          return entries.map(take);
        },
        answer(faultsOf) {
          if (faults.happens('bus answer lost')) throw new BusFault('retry', 'TimeoutError');
          return faults.happens('bus answer too short') ? faultsOf.slice(1) : faultsOf;
        },
      });
      try {
        const answer = await answered;
        const aligned = answer.length === entries.length;
        watch.putHeard(
          process,
          entries.map((entry, index) => ({ entry, accepted: aligned && answer[index] === undefined })),
        );
        return answer;
      } catch (error) {
        watch.putHeard(
          process,
          entries.map((entry) => ({ entry, accepted: false })),
        );
        throw error;
      }
    },
  };
}

function poisonIn(entry: BusEntry): Row['poison'] {
  return (readDetail(entry).data.record as { poison?: Row['poison'] } | undefined)?.poison;
}
