import { DOCUMENTATION } from '../../sandbox/platform/documentation/routes.ts';
import { API_ROOT, PATHS } from '../../sandbox/platform/paths.ts';
import type { FuzzSource, Operation } from './make-request.ts';
import { obtainToken } from './sandbox.ts';

interface Document {
  paths: Record<string, Record<string, { parameters?: { in: string; name: string }[] }>>;
}

/** Learns from a platform what requests can be made up from: its operations, ids, a good token and an ended one. */
export async function learnSource(door: { baseUrl: string; apiKey: string; seed: number }): Promise<FuzzSource> {
  const { baseUrl, seed } = door;
  const good = await obtainToken(door);
  const read = async <Body>(path: string) =>
    (await (await fetch(baseUrl + path, { headers: { Authorization: `Bearer ${good}` } })).json()) as Body;
  const { paths } = await read<Document>(`${DOCUMENTATION}openapi.json`);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [] }]): Operation => {
      const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      return { method: method.toUpperCase(), path, query };
    }),
  );
  const { results } = await read<{ results: { publicId: string }[] }>(`${API_ROOT}/changes/connections?limit=5`);
  const tasks = await read<{ results: { kitId: string }[] }>(`${API_ROOT}/tasks?limit=5`);
  const foreign = ['aB3dE6gH9j', '66f1c0ffee66f1c0ffee66f1'];
  const ids = [...results.map(({ publicId }) => publicId), ...tasks.results.map(({ kitId }) => kitId), ...foreign];
  return { operations, ids, tokens: { good, ended: await obtainEnded(door) }, seed };
}

async function obtainEnded({ baseUrl }: { baseUrl: string }): Promise<string> {
  const created = await fetch(baseUrl + PATHS.keys, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ label: 'to be ended' }),
  });
  const { keyId, apiKey } = (await created.json()) as { keyId: string; apiKey: string };
  const token = await obtainToken({ baseUrl, apiKey });
  await fetch(`${baseUrl}${PATHS.keys}/${keyId}`, { method: 'DELETE' });
  return token;
}
