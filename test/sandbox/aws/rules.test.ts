import {
  CreateEventBusCommand,
  DeleteRuleCommand,
  DescribeEventBusCommand,
  DescribeRuleCommand,
  DisableRuleCommand,
  EnableRuleCommand,
  ListRulesCommand,
  ListTargetsByRuleCommand,
  PutRuleCommand,
  RemoveTargetsCommand,
  TestEventPatternCommand,
} from '@aws-sdk/client-eventbridge';
import { afterEach, expect, test } from 'vitest';
import { countMessages, startAws } from './stage.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start() {
  const stage = await startAws();
  closers.push(stage.close);
  return stage;
}

const PATTERN = { source: ['supplier-platform.audit'] };
const EVERYTHING = { source: [{ prefix: '' }] };
const onRelay = (Name: string) => ({ Name, EventBusName: 'relay' });

test('describes a rule as it was put', async () => {
  const { events } = await start();
  const EventPattern = ' {"source": ["a"]} ';
  const { RuleArn } = await events.send(
    new PutRuleCommand({ ...onRelay('first'), EventPattern, Description: 'what it is for', State: 'DISABLED' }),
  );
  expect(RuleArn).toBe('arn:aws:events:us-east-1:111122223333:rule/relay/first');
  expect(await events.send(new DescribeRuleCommand(onRelay('first')))).toMatchObject({
    Name: 'first',
    Arn: RuleArn,
    EventPattern,
    State: 'DISABLED',
    Description: 'what it is for',
    EventBusName: 'relay',
  });
});

test('keeps the rules of two buses apart', async () => {
  const { events, putRule } = await start();
  const { EventBusArn } = await events.send(new CreateEventBusCommand({ Name: 'other' }));
  expect(EventBusArn).toBe('arn:aws:events:us-east-1:111122223333:event-bus/other');
  await putRule('mine', PATTERN);
  await putRule('mine', PATTERN, { EventBusName: 'default' });
  await expect(events.send(new DescribeRuleCommand({ Name: 'mine', EventBusName: 'other' }))).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
  const { Arn } = await events.send(new DescribeRuleCommand({ Name: 'mine' }));
  expect(Arn).toBe('arn:aws:events:us-east-1:111122223333:rule/mine');
  expect(await events.send(new DescribeEventBusCommand({ Name: EventBusArn }))).toMatchObject({ Name: 'other' });
  await expect(events.send(new CreateEventBusCommand({ Name: 'other' }))).rejects.toMatchObject({
    name: 'ResourceAlreadyExistsException',
  });
});

test('lists rules by the start of their name, page by page', async () => {
  const { events, putRule } = await start();
  for (const name of ['b', 'ab', 'aa', 'ac']) await putRule(name, PATTERN);
  const list = new ListRulesCommand({ EventBusName: 'relay', NamePrefix: 'a', Limit: 2 });
  const first = await events.send(list);
  expect(first.Rules?.map(({ Name }) => Name)).toEqual(['aa', 'ab']);
  const second = await events.send(new ListRulesCommand({ ...list.input, NextToken: first.NextToken }));
  expect(second.Rules?.map(({ Name }) => Name)).toEqual(['ac']);
  expect(second.NextToken).toBeUndefined();
});

test('takes 300 rules a bus', async () => {
  const { aws, putRule } = await start();
  const { rules } = aws.bus.find('relay') ?? expect.fail();
  for (let n = 0; n < 299; n++) rules.put({ name: `r${n}`, pattern: JSON.stringify(PATTERN), state: 'ENABLED' });
  await putRule('last', PATTERN);
  await expect(putRule('one-more', PATTERN)).rejects.toMatchObject({ name: 'LimitExceededException' });
  await putRule('last', EVERYTHING);
});

test('refuses a pattern that EventBridge would not take, and says why', async () => {
  const { events, putRule } = await start();
  await expect(putRule('bad', { source: 'not-a-list' })).rejects.toMatchObject({
    name: 'InvalidEventPatternException',
    message: expect.stringContaining('Event pattern is not valid. Reason: '),
  });
  await expect(putRule('bad', { source: ['x'.repeat(2048)] })).rejects.toMatchObject({
    name: 'InvalidEventPatternException',
  });
  await expect(events.send(new PutRuleCommand(onRelay('bad')))).rejects.toMatchObject({ name: 'ValidationException' });
  await expect(putRule('bad name', PATTERN)).rejects.toMatchObject({ name: 'ValidationException' });
  await expect(putRule('bad', PATTERN, { EventBusName: 'none' })).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
  expect((await events.send(new ListRulesCommand({ EventBusName: 'relay' }))).Rules).toEqual([]);
});

test('takes five targets a rule', async () => {
  const { events, makeQueue, putRule, putTargets } = await start();
  const Arn = makeQueue('q');
  await putRule('r', PATTERN);
  await putTargets(
    'r',
    [1, 2, 3, 4, 5].map((n) => ({ Id: `t${n}`, Arn })),
  );
  await expect(putTargets('r', [{ Id: 't6', Arn }])).rejects.toMatchObject({ name: 'LimitExceededException' });
  await putTargets('r', [{ Id: 't5', Arn, InputPath: '$.detail' }]);
  const list = new ListTargetsByRuleCommand({ Rule: 'r', EventBusName: 'relay' });
  const { Targets = [] } = await events.send(list);
  expect(Targets.map(({ Id }) => Id)).toEqual(['t1', 't2', 't3', 't4', 't5']);
  expect(Targets[4]).toEqual({ Id: 't5', Arn, InputPath: '$.detail' });
});

test.each([
  ['an ARN that is none', { Arn: 'q' }],
  ['two kinds of input', { Input: '{}', InputPath: '$.detail' }],
  ['an input that is no JSON', { Input: '{' }],
  ['a path that begins nowhere', { InputPath: 'detail' }],
  ['a template with a name it does not define', { InputTransformer: { InputTemplate: '{"a":<b>}' } }],
  ['another input for a bus', { Arn: 'arn:aws:events:us-east-1:111122223333:event-bus/b', InputPath: '$.detail' }],
  ['a dead-letter queue that is none', { DeadLetterConfig: { Arn: 'arn:aws:sns:us-east-1:111122223333:topic' } }],
  ['more retries than there are', { RetryPolicy: { MaximumRetryAttempts: 186 } }],
])('refuses a target with %s', async (_, target) => {
  const { events, makeQueue, putRule, putTargets } = await start();
  await putRule('r', PATTERN);
  await expect(putTargets('r', [{ Id: 't', Arn: makeQueue('q'), ...target }])).rejects.toMatchObject({
    name: 'ValidationException',
  });
  const { Targets } = await events.send(new ListTargetsByRuleCommand({ Rule: 'r', EventBusName: 'relay' }));
  expect(Targets).toEqual([]);
});

test('refuses targets of a rule that is not there', async () => {
  const { makeQueue, putTargets } = await start();
  await expect(putTargets('none', [{ Id: 't', Arn: makeQueue('q') }])).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
});

test('deletes a rule once it has no targets', async () => {
  const { events, makeQueue, putRule, putTargets } = await start();
  await putRule('r', PATTERN);
  await putTargets('r', [{ Id: 't', Arn: makeQueue('q') }]);
  const remove = () => events.send(new DeleteRuleCommand(onRelay('r')));
  await expect(remove()).rejects.toMatchObject({ name: 'ValidationException' });
  await events.send(new RemoveTargetsCommand({ Rule: 'r', EventBusName: 'relay', Ids: ['t'] }));
  await remove();
  await remove();
  await expect(events.send(new DescribeRuleCommand(onRelay('r')))).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
});

test('tests a pattern against an event', async () => {
  const { events } = await start();
  const event = {
    id: '1',
    account: '111122223333',
    source: 'supplier-platform.audit',
    time: '2026-11-21T07:45:19Z',
    region: 'us-east-1',
    resources: [],
    'detail-type': 'profile_updated',
    detail: { lateby: 12 },
  };
  const ask = (pattern: object, facts: object = event) =>
    events.send(new TestEventPatternCommand({ EventPattern: JSON.stringify(pattern), Event: JSON.stringify(facts) }));
  expect(await ask({ detail: { lateby: [{ numeric: ['>', 10] }] } })).toMatchObject({ Result: true });
  expect(await ask({ detail: { lateby: [{ numeric: ['>', 12] }] } })).toMatchObject({ Result: false });
  await expect(ask({})).rejects.toMatchObject({ name: 'InvalidEventPatternException' });
  await expect(ask(PATTERN, { id: '1' })).rejects.toMatchObject({ name: 'ValidationException' });
});

/** A rule of its own tells when all that was put before is through. */
async function withBarrier() {
  const stage = await start();
  await stage.putRule('barrier', { 'detail-type': ['barrier'] });
  await stage.putTargets('barrier', [{ Id: 'barrier', Arn: stage.makeQueue('barrier') }]);
  return stage;
}

test('sends nothing by a rule that is off, and all of it once it is on', async () => {
  const { aws, events, makeQueue, putRule, putTargets, put, receive } = await withBarrier();
  await putRule('r', { 'detail-type': [{ prefix: 'a' }] }, { State: 'DISABLED' });
  await putTargets('r', [{ Id: 't', Arn: makeQueue('q') }]);
  await put(['a1', 'barrier']);
  await receive('barrier');
  await events.send(new EnableRuleCommand(onRelay('r')));
  await put(['a2', 'barrier']);
  await receive('barrier');
  await events.send(new DisableRuleCommand(onRelay('r')));
  await put(['a3', 'barrier']);
  await receive('barrier');
  expect((await receive('q')).map(({ Body = '' }) => JSON.parse(Body)['detail-type'])).toEqual(['a2']);
  expect(countMessages(aws, 'q')).toBe(1);
});

test('sends nothing to a target that was removed, and by the pattern that was put last', async () => {
  const { aws, events, makeQueue, putRule, putTargets, put, receive } = await withBarrier();
  await putRule('r', { 'detail-type': ['a'] });
  await putTargets('r', [
    { Id: 'gone', Arn: makeQueue('gone') },
    { Id: 'stays', Arn: makeQueue('stays') },
  ]);
  await events.send(new RemoveTargetsCommand({ Rule: 'r', EventBusName: 'relay', Ids: ['gone'] }));
  await putRule('r', { 'detail-type': ['b'] });
  await put(['a', 'b', 'barrier']);
  await receive('barrier');
  expect((await receive('stays')).map(({ Body = '' }) => JSON.parse(Body)['detail-type'])).toEqual(['b']);
  expect(countMessages(aws, 'gone')).toBe(0);
  expect(countMessages(aws, 'stays')).toBe(1);
});
