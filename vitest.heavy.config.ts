import { defineConfig } from 'vitest/config';

/** Suites that need more than npm and Node, or more time than a small change is worth; a folder is named at each call. */
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    // Every file has processes of its own to run; side by side they would only wait for each other.
    fileParallelism: false,
    // Nothing that an earlier run found out decides about this one, not even its order.
    cache: false,
    testTimeout: 900_000,
    hookTimeout: 300_000,
  },
});
