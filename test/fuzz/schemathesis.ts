import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { DOCUMENTATION } from '../../sandbox/platform/documentation/routes.ts';
import { obtainToken, servePlatform } from './sandbox.ts';

const HELP = `Usage: node test/fuzz/schemathesis.ts [--seed N] [--examples N]

Tries every operation of the sandbox's OpenAPI document with made-up requests, good and bad, and
checks that each answer is one that the document promises. Needs schemathesis 4
(pip install schemathesis); SCHEMATHESIS says where it is if it is not in PATH.
Exit code: 0 where every answer was as promised, 1 where one was not, 2 where it cannot be run.
`;

/** Left out: refusing every header that is no part of an operation, and missing ones in another order than ours. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'positive_data_acceptance',
  'missing_required_header',
  'unsupported_method',
  'ignored_auth',
];

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    examples: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(HELP);
else process.exitCode = await run({ seed: Number(values.seed), examples: values.examples });

async function run({ seed, examples }: { seed: number; examples: string }): Promise<number> {
  const platform = await servePlatform({ seed });
  try {
    const child = spawn(
      process.env.SCHEMATHESIS ?? 'schemathesis',
      [
        'run',
        `${platform.baseUrl}${DOCUMENTATION}openapi.json`,
        ...['--header', `Authorization: Bearer ${await obtainToken(platform)}`],
        ...['--checks', CHECKS.join(',')],
        ...['--max-examples', examples],
        ...['--seed', String(seed)],
        // The key that this very run goes on with is listed there, to be deleted.
        ...['--exclude-path', '/sandbox/keys/{keyId}'],
        ...['--workers', '1', '--no-color'],
      ],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
    const [code] = await once(child, 'exit');
    if (!platform.alive()) process.stderr.write('The platform has ended.\n');
    return code === 0 && platform.alive() ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    return 2;
  } finally {
    await platform.stop();
  }
}
