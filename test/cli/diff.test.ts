import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tenonHere } from './run-here.ts'
import { folderOf, tenon } from './run-tenon.ts'

const ACME = readFileSync('test/types/manifests/acme.yaml', 'utf8')
const NARROWER = ACME.replace('maximum: 100', 'maximum: 50')

test('comments are no change', async () => {
  const folder = folderOf({ 'old/acme.yaml': ACME, 'new/acme.yaml': `${ACME}\n# the end\n` })
  expect(await tenon(['diff', 'old/acme.yaml', 'new/acme.yaml'], { folder })).toEqual({
    code: 0,
    out: 'no change (1.0.0)\n',
    err: '',
  })
})

test('a breaking change without a major step is exit code 1, with one it is 0', async () => {
  const folder = folderOf({
    'old/acme.yaml': ACME,
    'new/acme.yaml': NARROWER,
    'major/acme.yaml': NARROWER.replace('version: 1.0.0', 'version: 2.0.0'),
  })
  const refused = await tenonHere(['diff', 'old/acme.yaml', 'new/acme.yaml', '--json'], { folder })
  expect(refused.code).toBe(1)
  expect(JSON.parse(refused.out)).toEqual({
    from: '1.0.0',
    to: '1.0.0',
    needed: 'major',
    made: 'none',
    ok: false,
    changes: [
      { class: 'breaking', path: 'customers.list params.limit', change: 'maximum is now 50' },
    ],
  })
  expect(await tenonHere(['diff', 'old/acme.yaml', 'major/acme.yaml'], { folder })).toMatchObject({
    code: 0,
  })
})

test('a side may be a revision of git', async () => {
  const folder = folderOf({ 'manifests/acme.yaml': ACME })
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
    })
  }
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'one')
  writeFileSync(join(folder, 'manifests/acme.yaml'), NARROWER)
  const { code, out } = await tenonHere(
    ['diff', 'HEAD:manifests/acme.yaml', 'manifests/acme.yaml'],
    {
      folder,
    },
  )
  expect(code).toBe(1)
  expect(out).toContain('breaking  customers.list params.limit: maximum is now 50\n')
})

test('what is not there is wrong use', async () => {
  const folder = folderOf({ 'acme.yaml': ACME })
  expect(await tenonHere(['diff', 'acme.yaml', 'other.yaml'], { folder })).toMatchObject({
    code: 2,
  })
  expect(await tenonHere(['diff', 'nowhere:acme.yaml', 'acme.yaml'], { folder })).toMatchObject({
    code: 2,
  })
})
