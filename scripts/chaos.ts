// Runs the tests over processes larger than `npm test` does.
//
//   npm run test:chaos -- --scale 20             100 ends under load, 600 expiries, …; default 10
//   npm run test:chaos -- test/chaos/keys.test.ts
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

import { FAULT_FILES } from '../test/fixtures/other-runs.ts'

const { values, positionals } = parseArgs({
  options: { scale: { type: 'string', default: '10' } },
  allowPositionals: true,
})
const files = positionals.length === 0 ? ['test/chaos', ...FAULT_FILES] : positionals
const child = spawn('vitest', ['run', '--testTimeout', '1800000', ...files], {
  stdio: 'inherit',
  env: { ...process.env, TENON_TEST_SCALE: values.scale },
})
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
