import { DOCUMENTATION } from '../documentation/routes.ts';
import { PATHS } from '../paths.ts';
import type { Platform } from '../platform.ts';

/** What is told of a platform that answers. */
export interface Announcement {
  baseUrl: string;
  apiKey: string;
  /** Address of the interactive console. */
  console: string;
  /** Path of the certificate to trust, over HTTPS. */
  certificate?: string;
}

/** Says where a platform is and how to get in. */
export function announce({ url, apiKey }: Platform, certificate: string | undefined): Announcement {
  return { baseUrl: url, apiKey, console: url + DOCUMENTATION, ...(certificate && { certificate }) };
}

/** Writes an announcement for people, with a command that obtains a token. */
export function writeAnnouncement(
  announcement: Announcement,
  { eventsPerMinute }: { eventsPerMinute: number },
): string {
  const { baseUrl, apiKey, certificate } = announcement;
  const [account, keyId, secret] = apiKey.split('.');
  const credentials = { grant_type: 'client_credentials', client_id: `${account}.${keyId}`, client_secret: secret };
  const trusting = certificate ? ` --cacert ${certificate}` : '';
  return `Made-up supplier platform, ${eventsPerMinute} events a minute  Ctrl-C ends
base URL  ${baseUrl}
API key   ${apiKey}
console   ${announcement.console}
${certificate ? `trust     NODE_EXTRA_CA_CERTS=${certificate}\n` : ''}
A token:
curl -s${trusting} ${baseUrl}${PATHS.token} -H 'Content-Type: application/json' -d '${JSON.stringify(credentials)}'
`;
}
