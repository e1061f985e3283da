import { readFile } from 'node:fs/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'esbuild';

/** The part of undici that the platform's transport uses; its index brings mocks, caches, sockets and all of fetch. */
const UNDICI = `
import Agent from 'undici/lib/dispatcher/agent.js';
import errors from 'undici/lib/core/errors.js';
import send from 'undici/lib/api/api-request.js';
export { Agent, errors };
export const request = (url, { dispatcher, ...options }) =>
  send.call(dispatcher, { ...options, origin: url.origin, path: url.pathname + url.search });
`;

/** In a Lambda the credentials always stand in the environment; the chain that looks elsewhere is 130 KB. */
const CREDENTIALS = `
import { fromEnv } from '@aws-sdk/credential-provider-env';
export const defaultProvider = () => fromEnv();
`;

/**
 * What undici uses only when it is asked for, and we never ask: the build of its parser for processors without vector
 * instructions, HTTP/2, and bodies that are neither a text nor bytes.
 */
const NEVER_USED = /undici\/lib\/(llhttp\/llhttp-wasm|dispatcher\/client-h2|web\/.*)\.js$/;
const PARSER = /undici\/lib\/llhttp\/llhttp_simd-wasm\.js$/;

/** Leaves out of a bundle what a Lambda function never uses: two thirds of it, and a third of the time of its import. */
export function leanPlugin(): Plugin {
  return {
    name: 'lean',
    setup(build) {
      // The name by which undici knows the bundle inside of Node; its second, experimental parser is not part of that.
      build.initialOptions.define = { ...build.initialOptions.define, esbuildDetection: 'true' };
      const replace = (name: string, contents: string) => {
        const filter = new RegExp(`^${name}$`);
        build.onResolve({ filter }, ({ resolveDir }) => ({ path: name, namespace: 'lean', pluginData: resolveDir }));
        build.onLoad({ filter, namespace: 'lean' }, ({ pluginData }) => ({ contents, resolveDir: pluginData }));
      };
      replace('undici', UNDICI);
      replace('@aws-sdk/credential-provider-node', CREDENTIALS);
      build.onLoad({ filter: NEVER_USED }, ({ path }) => ({
        contents: `module.exports = () => { throw new Error('Left out of the bundle: ${path.replace(/^.*undici/, 'undici')}') }`,
      }));
      build.onLoad({ filter: PARSER }, async ({ path }) => ({ contents: await compressParser(path) }));
    },
  };
}

/** The parser is WebAssembly in base64, 72 KB; compressed it is a third of that, unpacked in a millisecond when needed. */
async function compressParser(path: string): Promise<string> {
  const [, base64] = /wasmBase64 = '([^']+)'/.exec(await readFile(path, 'utf8')) ?? [];
  if (base64 === undefined) throw new Error(`${path} does not hold the parser as it used to`);
  const packed = brotliCompressSync(Buffer.from(base64, 'base64'), {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  });
  return `module.exports = require('node:zlib').brotliDecompressSync(Buffer.from('${packed.toString('base64')}', 'base64'))`;
}
