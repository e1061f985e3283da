import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    // Every file has processes of its own to run; side by side they would only wait for each other.
    fileParallelism: false,
    // Nothing that an earlier run found out decides about this one, not even its order.
    cache: false,
    testTimeout: 900_000,
    hookTimeout: 60_000,
  },
});
