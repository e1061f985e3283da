import { RemovalPolicy } from 'aws-cdk-lib';
import { type CfnSecret, type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

/**
 * Makes a secret without a value, or takes over an existing one: a value in a template would be no secret, and a made-up
 * one would look like a key that the platform refuses.
 */
export function createEmptySecret(
  scope: Construct,
  options: { id: string; description: string; existingArn: string | undefined },
): ISecret {
  const { id, description, existingArn } = options;
  if (existingArn !== undefined) return Secret.fromSecretCompleteArn(scope, id, existingArn);
  const secret = new Secret(scope, id, { description, removalPolicy: RemovalPolicy.RETAIN });
  (secret.node.defaultChild as CfnSecret).addPropertyDeletionOverride('GenerateSecretString');
  return secret as ISecret;
}
