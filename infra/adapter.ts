import { Aws, Duration, Fn, RemovalPolicy } from 'aws-cdk-lib';
import {
  type ISecurityGroup,
  type ISubnet,
  type IVpc,
  Peer,
  Port,
  SecurityGroup,
  Subnet,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { Repository } from 'aws-cdk-lib/aws-ecr';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import {
  AvailabilityZoneRebalancing,
  Cluster,
  ContainerImage,
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  type ICluster,
  LogDriver,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { AdapterSettings } from '../shared/adapter-config.ts';
import { writeEnvironment } from './environment.ts';
import type { RelayParts } from './parts.ts';
import { grantRelaying } from './poller.ts';
import type { Tenant } from './tenant.ts';

/** Where the image works: the only folder that is written to, and its volume keeps the owner that the image gave it. */
const FOLDER = '/var/adapter';
const BUNDLE = '/opt/adapter/adapter.mjs';
const ECR_IMAGE = /^(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.amazonaws\.com\/([^:@]+)[:@](.+)$/;

/** The process that watches the adapter interface, kept running by Fargate. */
export class Adapter extends Construct {
  readonly service: FargateService;

  constructor(scope: Construct, id: string, parts: RelayParts & { readonly adapter: AdapterSettings }) {
    super(scope, id);
    const { tenant, table, bus, apiKey, bundles, adapter } = parts;
    const { vpc, subnets, publicIp } = createNetwork(this, tenant.network);
    const task = new FargateTaskDefinition(this, 'Task', {
      cpu: 256,
      memoryLimitMiB: 512,
      runtimePlatform: { cpuArchitecture: CpuArchitecture.ARM64, operatingSystemFamily: OperatingSystemFamily.LINUX },
      volumes: [{ name: 'folder' }],
    });
    grantRelaying(task.taskRole, parts);
    table.grant(task.taskRole, 'dynamodb:BatchGetItem', 'dynamodb:DeleteItem');
    const container = task.addContainer('Adapter', {
      image: findImage(this, { built: tenant.adapterImage, folder: `${bundles}/adapter` }),
      environment: {
        ...writeEnvironment(tenant, { table: table.tableName, bus: bus.eventBusName, secret: apiKey.secretArn }),
        RELAY_ADAPTER: JSON.stringify(adapter),
      },
      logging: LogDriver.awsLogs({
        streamPrefix: 'adapter',
        logGroup: new LogGroup(this, 'Logs', {
          retention: tenant.retentionDays,
          removalPolicy: RemovalPolicy.DESTROY,
        }),
      }),
      user: 'node',
      readonlyRootFilesystem: true,
      // Longer than a poll may hang: what the platform already handed out is still published.
      stopTimeout: Duration.seconds(120),
      // Fargate does not look at the check in the image.
      healthCheck: {
        command: ['CMD', 'node', BUNDLE, '--health'],
        interval: Duration.seconds(30),
        timeout: Duration.seconds(10),
        startPeriod: Duration.seconds(60),
        retries: 3,
      },
    });
    container.addMountPoints({ sourceVolume: 'folder', containerPath: FOLDER, readOnly: false });
    this.service = new FargateService(this, 'Service', {
      cluster: new Cluster(this, 'Cluster', { vpc }) as ICluster,
      taskDefinition: task,
      desiredCount: 1,
      // One reader an interface: the old task ends before the new one begins.
      minHealthyPercent: 0,
      maxHealthyPercent: 100,
      availabilityZoneRebalancing: AvailabilityZoneRebalancing.DISABLED,
      circuitBreaker: { rollback: true },
      assignPublicIp: publicIp,
      vpcSubnets: { subnets },
      securityGroups: [createWayOut(this, vpc, tenant)],
    });
    // A task that starts before the way out is there cannot pull its image.
    this.service.node.addDependency(vpc.internetConnectivityEstablished);
  }
}

/** Takes an image that is built already, with the right to pull it where it is in a registry of AWS, or lets Docker build it. */
function findImage(scope: Construct, { built, folder }: { built: string | undefined; folder: string }): ContainerImage {
  if (built === undefined) return ContainerImage.fromAsset(folder, { platform: Platform.LINUX_ARM64 });
  const [, account, region, name, tagOrDigest] = ECR_IMAGE.exec(built) ?? [];
  if (account === undefined || name === undefined) return ContainerImage.fromRegistry(built);
  const repositoryArn = `arn:${Aws.PARTITION}:ecr:${region}:${account}:repository/${name}`;
  const repository = Repository.fromRepositoryAttributes(scope, 'Images', { repositoryArn, repositoryName: name });
  return ContainerImage.fromEcrRepository(repository, tagOrDigest);
}

/** Takes the network of the tenant file, or makes one of public subnets: an address costs a tenth of a NAT gateway. */
function createNetwork(
  scope: Construct,
  given: Tenant['network'],
): { vpc: IVpc; subnets: ISubnet[]; publicIp: boolean } {
  if (!given) {
    const vpc = new Vpc(scope, 'Network', {
      maxAzs: 2,
      natGateways: 0,
      subnetConfiguration: [{ name: 'Public', subnetType: SubnetType.PUBLIC }],
      // The adapter has a group of its own; emptying the default one would take another function.
      restrictDefaultSecurityGroup: false,
    });
    return { vpc: vpc as IVpc, subnets: vpc.publicSubnets, publicIp: true };
  }
  const { vpcId } = given;
  // It wants a zone, and asks nothing of it: the subnets know theirs.
  const vpc = Vpc.fromVpcAttributes(scope, 'Network', { vpcId, availabilityZones: [Fn.select(0, Fn.getAzs())] });
  const subnets = given.subnetIds.map((subnetId) => Subnet.fromSubnetId(scope, subnetId, subnetId));
  return { vpc, subnets, publicIp: given.publicIp };
}

/** Lets nothing in, and out only what the platform and AWS are asked on. */
function createWayOut(scope: Construct, vpc: IVpc, { baseUrl, authUrl = baseUrl }: Tenant): ISecurityGroup {
  const group = new SecurityGroup(scope, 'WayOut', {
    vpc,
    allowAllOutbound: false,
    description: 'To the platform and to AWS; nothing comes in',
  });
  const ports = new Set([443, ...[baseUrl, authUrl].map((url) => Number(new URL(url).port || 443))]);
  for (const port of ports) group.addEgressRule(Peer.anyIpv4(), Port.tcp(port));
  return group;
}
