// Runs the tests on a real Citus: those of test/citus, and the suites over processes, kills, refresh storms, rotation, backup
// and restore on it in place of plain PostgreSQL.
//
//   npm run test:citus                              all
//   npm run test:citus -- test/citus/store.test.ts  one file
//
// The Citus is the one that TENON_TEST_CITUS names (the connection string of a coordinator), or one that is installed,
// which is started for the time of the tests (scripts/citus.sh). Without one nothing runs, and that is said; with
// TENON_REQUIRE_CITUS=1 that is a failure.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Each of them asks for a PostgreSQL, and gets a Citus. */
const SUITES = [
  'test/chaos/several-processes.test.ts',
  'test/chaos/after-kill.test.ts',
  'test/chaos/keys.test.ts',
  'test/chaos/worker.test.ts',
  'test/chaos/rates.test.ts',
  'test/chaos/copy.test.ts',
  'test/copy/sync/kill.test.ts',
  'test/hosting/backup.test.ts',
  'test/service/agent-access.test.ts',
  'test/service/credentials/processes.test.ts',
]
const SCRIPT = join(import.meta.dirname, 'citus.sh')

const files = process.argv.slice(2)
const given = process.env['TENON_TEST_CITUS']
if (given !== undefined) process.exitCode = runOn(given)
else if (!isInstalled()) {
  const isRequired = process.env['TENON_REQUIRE_CITUS'] === '1'
  console.log(
    `tests on Citus ${isRequired ? 'cannot run' : 'are skipped'}: TENON_TEST_CITUS names no coordinator, and none is installed`,
  )
  if (isRequired) process.exitCode = 1
} else {
  const folder = join(tmpdir(), `tenon-citus-${process.pid}`)
  const url = execFileSync(SCRIPT, ['start', folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim()
  try {
    process.exitCode = runOn(url)
  } finally {
    execFileSync(SCRIPT, ['stop', folder], { stdio: 'inherit' })
  }
}

function runOn(url: string): number {
  const citus = { TENON_TEST_CITUS: url, TENON_TEST_SCALE: process.env['TENON_TEST_SCALE'] ?? '1' }
  if (files.length > 0) return vitest(files, citus)
  const own = vitest(['test/citus'], citus)
  // With their long tests.
  const env = { ...citus, TENON_TEST_POSTGRES: 'citus', TENON_TEST_SCALE: '2' }
  return vitest(SUITES, env) || own
}

/** 0: they passed. */
function vitest(paths: readonly string[], env: Readonly<Record<string, string>>): number {
  const command = ['run', '--project', 'sources', ...paths]
  const { status } = spawnSync('vitest', command, {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  return status ?? 1
}

function isInstalled(): boolean {
  try {
    const folder = execFileSync(process.env['PG_CONFIG'] ?? 'pg_config', ['--pkglibdir'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return existsSync(join(folder.trim(), 'citus.so'))
  } catch {
    return false
  }
}
