// What is built, opened as a user opens it: `npm run test:package`. It installs and builds for minutes, so that it is no
// part of `npm test`.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/opened/**/*.test.ts'],
    // Installing from an empty folder takes as long as the network does.
    testTimeout: 300_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    fileParallelism: false,
  },
})
