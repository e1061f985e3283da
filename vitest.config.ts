import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, 'test/{e2e,browser,deploy}/**'],
    // A loaded machine is no failure: what may not take long is counted in requests, not in seconds.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
