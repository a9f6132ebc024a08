// Commands that work on a store that is there do not make one: a misspelt folder is told, and stays as it was.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tenonHere } from './run-here.ts'
import { folderOf } from './run-tenon.ts'

const ID = '0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10'

test.for<readonly [string, readonly string[]]>([
  ['apps list', ['apps', 'list']],
  ['apps rotate-secret', ['apps', 'rotate-secret', 'default']],
  ['audit list', ['audit', 'list']],
  ['audit verify', ['audit', 'verify']],
  ['backup', ['backup', 'monday.backup']],
  ['keys list', ['keys', 'list']],
  ['keys rotate', ['keys', 'rotate']],
  ['migrate --check', ['migrate', '--check']],
  ['sync confirm', ['sync', 'confirm', ID, 'issues']],
])('tenon %s names a folder without a store and leaves it alone', async ([, args]) => {
  const folder = folderOf({})
  const data = join(folder, 'misspelt')
  const { code, out, err } = await tenonHere([...args, '--data', data], { folder })
  expect({ code, out, made: existsSync(data) }).toEqual({ code: 1, out: '', made: false })
  expect(err).toContain(data)
})

test('tenon store copy makes neither of two stores when the first is not there', async () => {
  const folder = folderOf({})
  const { code, err } = await tenonHere(['store', 'copy', '--from', 'misspelt', '--to', 'other'], {
    folder,
  })
  expect(code).toBe(1)
  expect(err).toContain('misspelt')
  for (const name of ['misspelt', 'other']) expect(existsSync(join(folder, name))).toBe(false)
})

test('tenon apps create and tenon migrate make the store, before the first start', async () => {
  for (const args of [['apps', 'create', '--json'], ['migrate']]) {
    const folder = folderOf({})
    const { code } = await tenonHere([...args, '--data', join(folder, 'data')], { folder })
    expect({ code, made: existsSync(join(folder, 'data/state.sqlite')) }).toEqual({
      code: 0,
      made: true,
    })
  }
})
