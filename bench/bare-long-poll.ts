import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Agent, request } from 'undici';

/** The floor beside the adapter: polls and puts with the same libraries; keeps no state, checks nothing, never ends by itself. */
const { RELAY_BASE_URL = '', RELAY_BUS = '', RELAY_SECRET_ID = '', BENCH_INTERFACE = '' } = process.env;
const dispatcher = new Agent();
const bus = new EventBridgeClient({ maxAttempts: 1 });
const secret = await new SecretsManagerClient().send(new GetSecretValueCommand({ SecretId: RELAY_SECRET_ID }));
const [account, key, ...rest] = (secret.SecretString ?? '').split('.');

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  return request(`${RELAY_BASE_URL}${path}`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

const answer = await post('/api/oauth/token', {
  grant_type: 'client_credentials',
  client_id: `${account}.${key}`,
  client_secret: rest.join('.'),
});
const { access_token } = (await answer.body.json()) as { access_token: string };
const headers = { authorization: `Bearer ${access_token}` };

for (;;) {
  const { body } = await post(`/api/public/api/v1/adapter/long-poll/${BENCH_INTERFACE}`, {}, headers);
  const text = await body.text();
  if (text === '') continue;
  const entry = {
    EventBusName: RELAY_BUS,
    Source: 'bare',
    DetailType: 'message',
    Time: new Date(),
    Resources: ['tenant/bench'],
    Detail: JSON.stringify(JSON.parse(text)),
  };
  await bus.send(new PutEventsCommand({ Entries: [entry] }));
}
