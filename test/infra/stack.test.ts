import { Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import { acknowledgeFindings } from '../../infra/acknowledged-findings.ts';
import type { RelayStack } from '../../infra/relay-stack.ts';
import { FULL, IMPORTED, type Json, MINIMAL, resourcesOf, synthesise, templateOf } from './synthesise.ts';

const tenants = { minimal: MINIMAL, full: FULL, imported: IMPORTED };

test.each(Object.entries(tenants))('the stack of a %s tenant is what it was', (_, tenant) => {
  const template = structuredClone(templateOf(tenant).toJSON());
  for (const { Type, Properties } of Object.values<{ Type: string; Properties: { Content?: string } }>(
    template.Resources,
  )) {
    // The schema has a test of its own.
    if (Type === 'AWS::EventSchemas::Schema') Properties.Content = 'docs/event-schema.json';
  }
  expect(template).toMatchSnapshot();
});

test('what holds state keeps its logical id for ever: another one would be another table', () => {
  const stateful = /DynamoDB|SecretsManager|EventBus$|Archive|SQS::Queue$/;
  const ids = Object.entries(resourcesOf(templateOf(FULL))).filter(([, { Type }]) => stateful.test(Type));
  expect(Object.fromEntries(ids.map(([id, { Type }]) => [id, Type]))).toEqual({
    RelayBus185BE8DD: 'AWS::Events::EventBus',
    RelayBusArchiveDC37A517: 'AWS::Events::Archive',
    RelayTable34E39608: 'AWS::DynamoDB::GlobalTable',
    RelayApiKeyF23B0391: 'AWS::SecretsManager::Secret',
    RelayDeliveriesUndeliveredC8510933: 'AWS::SQS::Queue',
    RelayDeliveriesAlertsWebhooks32618468: 'AWS::SecretsManager::Secret',
    RelayDeliveriesAlertsFailedB76DDB13: 'AWS::SQS::Queue',
    RelayDeliveriesAlertsQueueF45B87CE: 'AWS::SQS::Queue',
  });
});

test('nothing of two tenants in one account has the same name', () => {
  const { stacks } = synthesise({ ...FULL, id: 'one' }, { ...FULL, id: 'two' });
  expect(stacks.map(({ stackName }) => stackName)).toEqual(['supplier-relay-one', 'supplier-relay-two']);
  const [one, two] = stacks.map((stack) => namesIn(Template.fromStack(stack)));
  expect(one).toEqual(['supplier-relay-one', 'supplier-relay-one', 'supplier-relay-one']);
  expect(two).toEqual(['supplier-relay-two', 'supplier-relay-two', 'supplier-relay-two']);
});

test('a tenant that takes over a table and secrets makes none', () => {
  const template = templateOf(IMPORTED);
  expect(resourcesOf(template, 'AWS::DynamoDB::GlobalTable')).toEqual({});
  expect(resourcesOf(template, 'AWS::SecretsManager::Secret')).toEqual({});
  template.hasResourceProperties('AWS::Lambda::Function', {
    Environment: { Variables: { RELAY_TABLE: 'an-older-table', RELAY_SECRET_ID: IMPORTED.existing?.secretArn } },
  });
});

test('an image in a registry of AWS may be pulled', () => {
  const template = templateOf(IMPORTED);
  template.hasResourceProperties('AWS::IAM::Policy', {
    PolicyDocument: Match.objectLike({
      Statement: Match.arrayWith([
        Match.objectLike({
          Action: ['ecr:BatchCheckLayerAvailability', 'ecr:GetDownloadUrlForLayer', 'ecr:BatchGetImage'],
        }),
      ]),
    }),
  });
  expect(JSON.stringify(template.toJSON())).toContain('/adapter@sha256:0123');
});

test('a tenant without interfaces, alerts and commands pays for none of them', () => {
  const types = new Set(Object.values(resourcesOf(templateOf(MINIMAL))).map(({ Type }) => Type));
  for (const type of ['AWS::ECS::Service', 'AWS::EC2::VPC', 'AWS::Events::Archive', 'AWS::Events::Rule']) {
    expect(types).not.toContain(type);
  }
});

test.each(Object.entries(tenants))('the AWS Solutions checks find nothing unexplained in a %s tenant', (_, tenant) => {
  const { app, stacks } = synthesise(tenant);
  acknowledgeFindings(stacks[0] as RelayStack);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  expect(() => app.synth()).not.toThrow();
});

test('the AWS Solutions checks do look: without explanations they fail', () => {
  const { app } = synthesise(FULL);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  expect(() => app.synth()).toThrow('AwsSolutions-SMG4');
});

/** The physical names that a template chooses; all others are CloudFormation's, and those never collide. */
function namesIn(template: Template): Json[] {
  return Object.values(resourcesOf(template)).flatMap(({ Type, Properties }) => {
    if (Type === 'AWS::Lambda::Permission') return [];
    const { Name, DashboardName, RegistryName, TableName, FunctionName, QueueName, LogGroupName, RoleName } =
      Properties;
    const names = [Name, DashboardName, TableName, FunctionName, QueueName, LogGroupName, RoleName];
    if (Type === 'AWS::EventSchemas::Registry') names.push(RegistryName);
    return names.filter((name): name is string => typeof name === 'string');
  });
}
