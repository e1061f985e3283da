import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createRequestMaker, type FuzzRequest, type FuzzSource } from './make-request.ts';

/** What came of many requests. */
export interface FuzzResult {
  /** How often each status was answered. */
  statuses: Record<string, number>;
  /** Answers that should not have been, in words; the first ten. */
  faults: string[];
}

const SIDE_BY_SIDE = 8;
const MOST_FAULTS = 10;

/** Sends so many made-up requests and judges every answer: 2xx, or 4xx in the one error shape, and nothing told of the inside. */
export async function fuzz(baseUrl: string, source: FuzzSource & { requests: number }): Promise<FuzzResult> {
  const make = createRequestMaker(source);
  const agent = new Agent({ keepAlive: true, maxSockets: SIDE_BY_SIDE, scheduling: 'fifo' });
  const statuses: Record<string, number> = {};
  const faults: string[] = [];
  let left = source.requests;
  const worker = async () => {
    while (left-- > 0 && faults.length < MOST_FAULTS) {
      const asked = make();
      const fault = await send(baseUrl, { ...asked, agent }).then(
        (answer) => {
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
          return judge(asked, answer);
        },
        (error: Error) => `did not answer: ${error.message}`,
      );
      if (fault) faults.push(`${asked.method} ${asked.path.slice(0, 200)}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  agent.destroy();
  return { statuses, faults };
}

interface FuzzAnswer {
  status: number;
  body: string;
}

function send(baseUrl: string, { path, body, ...options }: FuzzRequest & { agent: Agent }): Promise<FuzzAnswer> {
  const sent = Promise.withResolvers<FuzzAnswer>();
  const { hostname, port } = new URL(baseUrl);
  const asked = request({ hostname, port, path, ...options }, (response) => {
    text(response).then((body) => sent.resolve({ status: response.statusCode ?? 0, body }), sent.reject);
  });
  asked.on('error', sent.reject);
  asked.end(body);
  return sent.promise;
}

function judge({ method }: FuzzRequest, { status, body }: FuzzAnswer): string | undefined {
  if (/\n {4}at |node_modules|node:internal|\.ts:\d/.test(body)) return `tells of its inside: ${body.slice(0, 300)}`;
  if (status >= 200 && status < 300) return undefined;
  if (status < 400 || status >= 500) return `answered ${status}: ${body.slice(0, 300)}`;
  if (method === 'HEAD') return undefined;
  return isProblem(body, status) ? undefined : `answered ${status} in another shape: ${body.slice(0, 300)}`;
}

function isProblem(body: string, status: number): boolean {
  try {
    const { statusCode, message, error, ...rest } = JSON.parse(body);
    const words = typeof message === 'string' && message !== '' && typeof error === 'string' && error !== '';
    return statusCode === status && words && Object.keys(rest).length === 0;
  } catch {
    return false;
  }
}
