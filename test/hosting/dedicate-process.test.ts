// What V8 is told must be something that it knows.
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('the flag of a process that serves is one that V8 knows', () => {
  const module = new URL('../../src/hosting/dedicate-process.ts', import.meta.url).href
  const program = `import { dedicateProcess } from ${JSON.stringify(module)}; dedicateProcess()`
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', program],
    { encoding: 'utf8' },
  )
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
})
