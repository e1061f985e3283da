import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Faults, noFaults } from './faults.ts';
import { createJsonServer, type JsonServer, parseInput, ServiceError } from './json-server.ts';

/** A stand-in for Secrets Manager. */
export interface SecretsServer extends JsonServer {
  readonly faults: Faults;
  /** Writes a value, as a rotation does. */
  set(name: string, value: string): void;
}

const requestSchema = z.object({
  SecretId: z.string(),
  VersionId: z.string().optional(),
  VersionStage: z.string().optional(),
});

/**
 * Starts a secret store that the Secrets Manager client of the AWS SDK can read; it knows the stages AWSCURRENT and AWSPREVIOUS.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 */
export async function createSecrets(options: {
  /** Secret name to value. */
  readonly values: Readonly<Record<string, string>>;
  /** @default Date.now */
  readonly clock?: () => number;
  /** @default '111122223333' */
  readonly accountId?: string;
  /** @default 'us-east-1' */
  readonly region?: string;
}): Promise<SecretsServer> {
  const { values, clock = Date.now, accountId = '111122223333', region = 'us-east-1' } = options;
  const secrets = new Map<string, Version[]>();
  const faults = noFaults();

  function set(name: string, value: string): void {
    const version = { id: randomUUID(), value, createdSeconds: clock() / 1000 };
    secrets.set(name, [version, ...(secrets.get(name) ?? [])].slice(0, STAGES.length));
  }

  function getSecretValue(input: unknown): object {
    const { SecretId, VersionId, VersionStage } = parseInput(requestSchema, input);
    const name = SecretId.replace(/^arn:aws:secretsmanager:.*:secret:(.*)-\w{6}$/, '$1');
    const versions = secrets.get(name);
    if (!versions) throw notFound("Secrets Manager can't find the specified secret.");
    const wanted = VersionId ?? VersionStage ?? 'AWSCURRENT';
    const index = versions.findIndex((version, place) => wanted === version.id || wanted === STAGES[place]);
    const version = versions[index];
    if (!version) throw notFound(`Secrets Manager can't find the specified secret value for: ${wanted}`);
    return {
      // AWS ends the ARN of a secret with six random characters.
      ARN: `arn:aws:secretsmanager:${region}:${accountId}:secret:${name}-local1`,
      Name: name,
      VersionId: version.id,
      SecretString: version.value,
      VersionStages: [STAGES[index]],
      CreatedDate: version.createdSeconds,
    };
  }

  for (const [name, value] of Object.entries(values)) set(name, value);
  const server = await createJsonServer({ operations: { GetSecretValue: getSecretValue }, faults });
  return { ...server, faults, set };
}

interface Version {
  readonly id: string;
  readonly value: string;
  readonly createdSeconds: number;
}

/** Newest first. */
const STAGES = ['AWSCURRENT', 'AWSPREVIOUS'] as const;

function notFound(message: string): ServiceError {
  return new ServiceError('ResourceNotFoundException', message);
}
