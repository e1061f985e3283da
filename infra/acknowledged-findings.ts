import { type Stack, Validations } from 'aws-cdk-lib';

/** Findings of the checks that are meant to be so, and why. */
const FINDINGS: readonly { readonly id: string; readonly reason: string }[] = [
  {
    id: 'AwsSolutions::AwsSolutions-SMG4',
    reason: 'API keys and webhook addresses are issued by the platform, Slack and Teams; AWS cannot make new ones.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-VPC7',
    reason: 'One task without any way in is all that runs in the network; its own log says what it asked for.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-ECS2',
    reason: 'The environment holds names and settings; the process reads the API key from its secret itself.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-ECS4',
    reason:
      'The adapter writes metrics of its own, and an alarm watches that it does; Insights would cost more than the task.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
    reason: 'ecr:GetAuthorizationToken, which pulls the image of the adapter, knows no resources.',
  },
  {
    id: 'AwsSolutions::AwsSolutions-IAM5[Resource::<RelayPollerFunction7ED1DCC9.Arn>:*]',
    reason: 'The schedule may invoke the versions of the poller, too: one function all the same.',
  },
];

/** Acknowledges what the checks find and what is meant to be so. */
export function acknowledgeFindings(stack: Stack): void {
  Validations.of(stack).acknowledge(...FINDINGS);
}
