import { RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  type FunctionOptions,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Tenant } from './tenant.ts';

/** A function of ours, with a log group and a role of its own. */
export class NodeFunction extends LambdaFunction {
  constructor(
    scope: Construct,
    id: string,
    props: FunctionOptions & {
      readonly tenant: Tenant;
      readonly bundles: string;
      /** Names the bundle's folder and file. */
      readonly bundle: string;
    },
  ) {
    const { tenant, bundles, bundle, ...options } = props;
    const own = new Construct(scope, `${id}Own`);
    const logGroup = new LogGroup(own, 'Logs', {
      retention: tenant.retentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // Lambda's managed policy would allow writing to every log of the account.
    const role = new Role(own, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    super(scope, id, {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(`${bundles}/${bundle}`),
      handler: `${bundle}.handler`,
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      role,
      ...options,
    });
  }
}
