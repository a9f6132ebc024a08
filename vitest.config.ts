import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Time limits of sockets are tested with milliseconds; a machine that is busy for one must not fail a whole run.
    retry: process.env['CI'] === undefined ? 0 : 1,
    reporters: ['default'],
  },
})
