import { Match } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { FULL, type Json, MINIMAL, type Resource, resourcesOf, templateOf } from './synthesise.ts';

const full = templateOf(FULL);
const all = Object.entries(resourcesOf(full));
const propertiesOf = (type: string) => Object.values(resourcesOf(full, type)).map(({ Properties }) => Properties);

test('table and secrets stay when the stack goes', () => {
  for (const [id, resource] of all.filter(([, { Type }]) => /GlobalTable|SecretsManager/.test(Type))) {
    expect({ id, ...pick(resource) }).toEqual({ id, DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  }
  full.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
    BillingMode: 'PAY_PER_REQUEST',
    TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    Replicas: [
      Match.objectLike({
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
    ],
  });
});

test('no secret has a value in the template', () => {
  const secrets = propertiesOf('AWS::SecretsManager::Secret');
  expect(secrets).toHaveLength(2);
  for (const secret of secrets) expect(Object.keys(secret).sort()).toEqual(['Description', 'Tags']);
});

test('every queue is encrypted at rest and refuses what comes without TLS', () => {
  const queues = Object.keys(resourcesOf(full, 'AWS::SQS::Queue'));
  expect(queues).toHaveLength(3);
  for (const { SqsManagedSseEnabled } of propertiesOf('AWS::SQS::Queue')) expect(SqsManagedSseEnabled).toBe(true);
  const policies = propertiesOf('AWS::SQS::QueuePolicy');
  for (const queue of queues) {
    const policy = policies.find(({ Queues }) => JSON.stringify(Queues).includes(queue));
    expect(JSON.stringify(policy)).toContain('{"Bool":{"aws:SecureTransport":"false"}},"Effect":"Deny"');
  }
  full.hasResourceProperties('AWS::SNS::TopicPolicy', {
    PolicyDocument: Match.objectLike({ Statement: [Match.objectLike({ Sid: 'AllowPublishThroughSSLOnly' })] }),
  });
});

test('every target of every rule has a dead-letter queue', () => {
  const rules = propertiesOf('AWS::Events::Rule');
  expect(rules).toHaveLength(10);
  for (const { Targets } of rules) {
    for (const target of Targets as readonly Record<string, Json>[]) {
      expect(target.DeadLetterConfig).toEqual({ Arn: { 'Fn::GetAtt': ['RelayDeliveriesUndeliveredC8510933', 'Arn'] } });
    }
  }
});

test('the dead-letter queue takes messages of the rules of the stack, by name', () => {
  const ids = Object.keys(resourcesOf(full, 'AWS::Events::Rule'));
  const [policy] = propertiesOf('AWS::SQS::QueuePolicy').filter(({ Queues }) =>
    JSON.stringify(Queues).includes('RelayDeliveriesUndelivered'),
  );
  for (const id of ids) expect(JSON.stringify(policy)).toContain(`{"Fn::GetAtt":["${id}","Arn"]}`);
  expect(JSON.stringify(policy)).toContain('"ArnEquals":{"aws:SourceArn":[');
});

test('an alert reaches the queue as its name and the whole event', () => {
  full.hasResourceProperties('AWS::Events::Rule', {
    Description: 'Alert own',
    Targets: [
      Match.objectLike({
        InputTransformer: { InputTemplate: '{"alert":"own","event":<aws.events.event.json>}' },
      }),
    ],
  });
});

test('a poll that failed is not repeated: the next one makes up for it', () => {
  full.hasResourceProperties('AWS::Scheduler::Schedule', {
    ScheduleExpression: 'rate(5 minutes)',
    Target: Match.objectLike({ RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 } }),
  });
  full.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
    MaximumRetryAttempts: 0,
    MaximumEventAgeInSeconds: 60,
  });
});

test('roles may do what they do, on what they do it to', () => {
  const statements = propertiesOf('AWS::IAM::Policy').flatMap(
    ({ PolicyDocument }) => (PolicyDocument as { Statement: readonly Record<string, Json>[] }).Statement,
  );
  const actions = statements.flatMap(({ Action }) => [Action].flat() as string[]);
  expect(actions.filter((action) => action.includes('*'))).toEqual([]);
  const wide = statements.filter(({ Resource }) => [Resource].flat().includes('*'));
  // Signing in to a registry knows no resources.
  expect(wide.map(({ Action }) => Action)).toEqual(['ecr:GetAuthorizationToken']);
  for (const { Properties } of Object.values(resourcesOf(full, 'AWS::IAM::Role'))) {
    expect(Properties.ManagedPolicyArns).toBeUndefined();
  }
});

test('the poller may do to the table and the bus what it does, and no more', () => {
  const policy = JSON.stringify(full.toJSON().Resources.RelayPollerFunctionOwnRoleDefaultPolicy1F3A8F82);
  const actions = [...policy.matchAll(/"((?:dynamodb|events|secretsmanager):\w+)"/g)].map(([, action]) => action);
  expect(new Set(actions)).toEqual(
    new Set([
      'dynamodb:GetItem',
      'dynamodb:Query',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'dynamodb:BatchWriteItem',
      'events:PutEvents',
      'events:DescribeEventBus',
      'secretsmanager:GetSecretValue',
      'secretsmanager:DescribeSecret',
    ]),
  );
});

test('subscriber accounts may change the rules that they made, and send nothing', () => {
  const policies = propertiesOf('AWS::Events::EventBusPolicy');
  const rules = policies.filter(({ StatementId }) => String(StatementId).startsWith('Rules'));
  expect(rules.map(({ StatementId }) => StatementId)).toEqual(['Rules222222222222', 'Rules333333333333']);
  for (const { StatementId, Statement } of rules) {
    expect(Statement).toMatchObject({
      Condition: { StringEqualsIfExists: { 'events:creatorAccount': String(StatementId).slice('Rules'.length) } },
    });
    expect(JSON.stringify(Statement)).not.toContain('PutEvents');
  }
});

test('only named accounts may send commands, and nothing else', () => {
  const [commands, ...others] = propertiesOf('AWS::Events::EventBusPolicy').filter(({ StatementId }) =>
    String(StatementId).startsWith('Commands'),
  );
  expect(others).toEqual([]);
  expect(commands?.Statement).toMatchObject({
    Action: ['events:PutEvents'],
    Condition: { StringEquals: { 'events:source': 'supplier-platform.command' } },
  });
  full.hasResourceProperties('AWS::Events::Rule', {
    EventPattern: { source: ['supplier-platform.command'], account: ['444444444444'] },
  });
});

test('the adapter runs once, without a way in, and has the time it needs to stop', () => {
  full.hasResourceProperties('AWS::ECS::Service', {
    DesiredCount: 1,
    AvailabilityZoneRebalancing: 'DISABLED',
    DeploymentConfiguration: {
      MinimumHealthyPercent: 0,
      MaximumPercent: 100,
      DeploymentCircuitBreaker: { Enable: true, Rollback: true },
    },
  });
  full.hasResourceProperties('AWS::ECS::TaskDefinition', {
    RuntimePlatform: { CpuArchitecture: 'ARM64' },
    ContainerDefinitions: [Match.objectLike({ User: 'node', ReadonlyRootFilesystem: true, StopTimeout: 120 })],
  });
  const [group] = propertiesOf('AWS::EC2::SecurityGroup');
  expect(group?.SecurityGroupIngress).toBeUndefined();
  const ways = (group?.SecurityGroupEgress ?? []) as readonly Record<string, Json>[];
  expect(ways.map(({ FromPort }) => FromPort)).toEqual([443, 8443]);
  expect(resourcesOf(full, 'AWS::EC2::NatGateway')).toEqual({});
});

test('the archive keeps what cannot be read again, and nothing else', () => {
  full.hasResourceProperties('AWS::Events::Archive', {
    EventPattern: { source: ['supplier-platform.long-poll', 'supplier-platform.changes'] },
    RetentionDays: 90,
  });
});

test('every log is kept as long as the tenant says', () => {
  const logs = propertiesOf('AWS::Logs::LogGroup');
  expect(logs).toHaveLength(4);
  for (const { RetentionInDays } of logs) expect(RetentionInDays).toBe(90);
});

test('every alarm says what it means, and tells somebody', () => {
  const alarms = propertiesOf('AWS::CloudWatch::Alarm');
  for (const { AlarmDescription, AlarmActions } of alarms) {
    expect(AlarmDescription).toMatch(/^[A-Z].{30,}\.$/);
    expect(AlarmActions).toHaveLength(1);
  }
});

test('what should raise an alarm does', () => {
  const watched = propertiesOf('AWS::CloudWatch::Alarm').map(
    ({ MetricName, Dimensions, Threshold, TreatMissingData }) => {
      const stream = (Dimensions as readonly { Name: string; Value: Json }[]).find(({ Name }) => Name === 'Stream');
      return [MetricName, stream?.Value ?? '', Threshold, TreatMissingData].join(' ');
    },
  );
  expect(watched).toEqual([
    'BacklogSeconds audit 900 breaching',
    'Errors  1 notBreaching',
    'Gaps audit 1 notBreaching',
    'Parked audit 1 notBreaching',
    'Parked long-poll/eventbridge 1 notBreaching',
    'Parked changes/erp 1 notBreaching',
    'SwitchedOff long-poll/eventbridge 1 notBreaching',
    'SwitchedOff changes/erp 1 notBreaching',
    'AuthenticationRefused audit 1 notBreaching',
    'AuthenticationRefused adapter 1 notBreaching',
    'Alive adapter 1 breaching',
    'ApproximateNumberOfMessagesVisible  1 notBreaching',
    'ApproximateNumberOfMessagesVisible  1 notBreaching',
  ]);
});

test('the functions are told what the tenant file says, and leave the rest to their defaults', () => {
  const environmentOf = (tenant: typeof FULL, id: string) => {
    const { Environment } = resourcesOf(templateOf(tenant))[id]?.Properties ?? {};
    return (Environment as { Variables: Record<string, Json> } | undefined)?.Variables ?? {};
  };
  expect(Object.keys(environmentOf(MINIMAL, 'RelayPollerFunction7ED1DCC9')).sort()).toEqual([
    'RELAY_BASE_URL',
    'RELAY_BUS',
    'RELAY_LOG_LEVEL',
    'RELAY_SECRET_ID',
    'RELAY_START',
    'RELAY_TABLE',
    'RELAY_TENANT',
  ]);
  expect(environmentOf(FULL, 'RelayPollerFunction7ED1DCC9')).toMatchObject({
    RELAY_AUTH_URL: 'https://login.example:8443',
    RELAY_OVERLAP_SECONDS: '60',
    RELAY_RECHECK_SECONDS: '300,86400',
    RELAY_FIELDS: '{"id":"eventId","actor":"who.name"}',
    RELAY_EVENT_TYPES: 'profile_updated,user_created',
  });
});

const pick = ({ DeletionPolicy, UpdateReplacePolicy }: Resource) => ({ DeletionPolicy, UpdateReplacePolicy });
