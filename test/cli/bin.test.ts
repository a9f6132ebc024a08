import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { root, run } from '../package/fresh-process.ts'

const bin = join(root, 'bin/tenon.js')

test('an old Node is told what is needed, with exit code 1', async () => {
  const pretend = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.1' } })`
  const { code, out, err } = await run(
    root,
    process.execPath,
    '--import',
    pretend,
    bin,
    '--version',
  )
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(
    /^tenon from its sources needs Node >= 24\.0\.0, this is v20\.19\.1: install a newer one \(24 or 26\)\. .+\n$/,
  )
})

test('the command loads nothing before it knows the version of Node', () => {
  expect(readFileSync(bin, 'utf8')).not.toMatch(/^\s*(import\s|export\s)|\brequire\(/m)
})
