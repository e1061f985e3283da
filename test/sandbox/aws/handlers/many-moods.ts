import { setTimeout as sleep } from 'node:timers/promises';

let calls = 0;

interface Context {
  readonly awsRequestId: string;
  readonly functionName: string;
  readonly memoryLimitInMB: string;
  getRemainingTimeInMillis(): number;
}

/** Does what the event's `mood` says. */
export async function handler(event: { mood: string }, context: Context): Promise<unknown> {
  calls++;
  switch (event.mood) {
    case 'count':
      return { calls, pid: process.pid };
    case 'environment':
      return process.env;
    case 'context':
      return { ...context, remainingMs: context.getRemainingTimeInMillis() };
    case 'slow':
      await sleep(30);
      return calls;
    case 'fail':
      throw new RangeError('too far');
    case 'hang':
      console.log('hanging');
      await sleep(3_600_000);
      return undefined;
    case 'talk':
      console.log('one\ntwo \u2028 still two');
      console.error('three');
      process.stdout.write('four without an end');
      return undefined;
    case 'flood':
      for (let line = 0; line < 2000; line++) console.log(`line ${line}`);
      return undefined;
    case 'die':
      for (let line = 0; line < 2000; line++) console.log(`line ${line}`);
      process.stdout.write('last words');
      process.exit(7);
  }
}
