import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, 'test/{e2e,browser,deploy}/**'],
    // Most tests wait for processes and answers: with the default, one less, two cores would be one worker.
    maxWorkers: '100%',
    // A loaded machine is no failure: what may not take long is counted in requests, not in seconds.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
