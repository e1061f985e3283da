import { parentPort } from 'node:worker_threads';
import type { Series } from './many.ts';
import { playSeries } from './series.ts';

// A rejection that nobody handles would end the process that the relay runs in: here, it ends this thread.
parentPort?.on('message', async (series: Series) => parentPort?.postMessage(await playSeries(series)));
