import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { FAULT_FILES, PROGRAM_FILES } from './test/fixtures/other-runs.ts'
import { IS_FULL } from './test/fixtures/sizes.ts'

// Hundreds of processes of the command line are started: what they compile is kept between them.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'tenon-compile-cache')

// Every temporary folder of a run is made in one folder, which is removed at the end.
const temporary = mkdtempSync(join(tmpdir(), 'tenon-tests-'))
// PostgreSQL is run by another account when the tests are run by root.
chmodSync(temporary, 0o755)
process.env['TMPDIR'] = temporary
process.on('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }))

/** `npm run test:chaos` does more in larger numbers, `npm run test:full` everything. */
const scale =
  process.env['TENON_TEST_FULL'] === '1' ? 10 : Number(process.env['TENON_TEST_SCALE'] ?? '1')

/** What a host installs: its types, each entry on its own, programs that run with it. `npm run test:built`, and the full run. */
const BUILT = {
  extends: true as const,
  test: {
    name: 'package',
    include: ['test/package/**/*.test.ts'],
    // One build for all of them, and none for who runs other tests.
    globalSetup: ['test/package/build.ts'],
  },
}

/** By size, as Vitest has it, but contracts first: short files, whose tests go over every manifest, store and copy. */
class ContractsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isContract = ({ moduleId }: TestSpecification): boolean =>
      /\/contracts\/|contract\.test/.test(moduleId)
    const [contracts = [], others = []] = [true, false].map((is) =>
      files.filter((file) => isContract(file) === is),
    )
    return [...(await super.sort(contracts)), ...(await super.sort(others))]
  }
}

/** What the build brings for Node 22, where the tests run on it. */
const LACKS = 'AsyncDisposableStack' in globalThis ? [] : ['test/fixtures/older-node.ts']

/** Faults, and whole processes that are killed under load: `npm run test:chaos` sets the scale, continuous integration 1. */
const RUNS_CHAOS = process.env['TENON_TEST_SCALE'] !== undefined

/** What is named runs, also what `npm test` leaves to runs of its own. */
const IS_NAMED = process.argv.some((argument) => argument.startsWith('test/'))

/**
 * In a real browser: `npm run test:browser`, and the full run. Half of their processor time is the browser's, so `npm test`
 * leaves them out, but for those that it is told by name.
 */
const IN_BROWSER = [
  'test/console/**/*.test.{ts,tsx}',
  'test/connect/connect.test.ts',
  'test/client/fetch/browser.test.ts',
]
const RUNS_BROWSER = IS_FULL || IS_NAMED || process.argv.includes('browser')

/** Whole programs: `npm run test:programs`, and the full run. */
const RUNS_PROGRAMS = process.argv.includes('programs')

const BROWSER = {
  extends: true as const,
  test: {
    name: 'browser',
    include: IN_BROWSER,
    // One build and one browser for all of them.
    globalSetup: ['test/console/set-up.ts'],
    isolate: false,
  },
}

export default defineConfig({
  test: {
    // Modules of CommonJS are imported as Node does it.
    deps: { interopDefault: false },
    // A test that hangs ends some time; one that is slow because the machine has other work to do does not fail for it.
    testTimeout: 300_000 * scale,
    hookTimeout: 300_000,
    // What is waited for is there within moments, or the test fails; a machine with load 10 needs a hundred times that.
    expect: { poll: { timeout: 60_000 } },
    // Some of the time tests wait for servers, timers and processes, so a machine of two cores has time for three files:
    // 315 s, and with four 334.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: ContractsFirst },
    reporters: ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: RUNS_PROGRAMS ? 'programs' : 'sources',
          // Half the processor time: the modules of one file serve the next one. No test may lean on what another left.
          isolate: false,
          include: RUNS_PROGRAMS ? [...PROGRAM_FILES] : ['test/**/*.test.ts'],
          // What is in test/opened installs and builds for minutes: `npm run test:package`.
          exclude: [
            'test/package/**',
            ...IN_BROWSER,
            'test/opened/**',
            ...(RUNS_CHAOS ? [] : ['test/chaos/**']),
            ...(RUNS_CHAOS || IS_NAMED ? [] : FAULT_FILES),
            ...(RUNS_PROGRAMS || IS_FULL || IS_NAMED ? [] : PROGRAM_FILES),
          ],
          // Starts nothing by itself.
          globalSetup: ['test/fixtures/postgres-server.ts'],
          setupFiles: LACKS,
        },
      },
      ...(IS_FULL || process.env['TENON_TEST_BUILT'] === '1' ? [BUILT] : []),
      ...(RUNS_BROWSER ? [BROWSER] : []),
    ],
  },
})
