import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';
import { servePlatform } from './sandbox.ts';
import { learnSource } from './source.ts';

const HELP = `Usage: node test/fuzz/requests.ts [--requests N] [--seed N]

Sends made-up requests, most of them bad, to every address of the sandbox (5,000 of seed 1), and
checks that each is answered with 2xx, or with 4xx in the one error shape, and that it still runs.
Exit code: 0 where that is so, 1 where it is not.
`;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(HELP);
else await run({ requests: Number(values.requests), seed: Number(values.seed) });

async function run({ requests, seed }: { requests: number; seed: number }): Promise<void> {
  const platform = await servePlatform({ seed });
  const startMs = performance.now();
  const source = await learnSource({ ...platform, seed });
  const { statuses, faults } = await fuzz(platform.baseUrl, { ...source, requests });
  const seconds = Math.round((performance.now() - startMs) / 1000);
  if (!platform.alive()) faults.push('The platform has ended.');
  await platform.stop();
  process.stdout.write(`${requests} requests in ${seconds} s, answers by status: ${JSON.stringify(statuses)}\n`);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
