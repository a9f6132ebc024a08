import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tenonHere } from './run-here.ts'
import { folderOf, tenon } from './run-tenon.ts'

const ACME = readFileSync('test/types/manifests/acme.yaml', 'utf8')

function acme(text: string = ACME): string {
  return folderOf({ 'manifests/acme.yaml': text })
}

const WRITE = ['types', '--out', 'src/generated']
const CHECK = [...WRITE, '--check']

test('the file of each manifest and index.ts are written, and nothing when nothing changed', async () => {
  const folder = acme()
  const first = await tenon(WRITE, { folder })
  expect(first).toMatchObject({ code: 0, out: 'src/generated/acme.ts\nsrc/generated/index.ts\n' })
  const file = join(folder, 'src/generated/acme.ts')
  expect(readFileSync(file, 'utf8')).toBe(readFileSync('test/types/generated/acme.ts', 'utf8'))
  const { mtimeMs } = statSync(file)
  expect(await tenon(WRITE, { folder })).toMatchObject({ code: 0, out: '' })
  expect(statSync(file).mtimeMs).toBe(mtimeMs)
})

test('comments, layout and the order of keys change nothing', async () => {
  const folder = acme()
  await tenonHere(WRITE, { folder })
  const shuffled = ACME.replace(
    'params: { properties: { limit: { type: integer, minimum: 1, maximum: 100 }, after: { type: string } } }',
    'params: # paging\n          properties: { after: { type: string }, limit: { maximum: 100, minimum: 1, type: integer } }',
  )
  expect(shuffled).not.toBe(ACME)
  writeFileSync(join(folder, 'manifests/acme.yaml'), shuffled)
  expect(await tenonHere(CHECK, { folder })).toMatchObject({ code: 0, out: '' })
})

test('a stale file is named with the place where it differs, exit code 1, and nothing is written', async () => {
  const folder = acme()
  await tenonHere(WRITE, { folder })
  const file = join(folder, 'src/generated/acme.ts')
  const before = readFileSync(file, 'utf8')
  writeFileSync(join(folder, 'manifests/acme.yaml'), ACME.replace('maximum: 100', 'maximum: 200'))
  const { code, out } = await tenonHere(CHECK, { folder })
  expect(code).toBe(1)
  expect(out).toContain('stale src/generated/acme.ts\n')
  expect(out).toContain('-   /** At least 1, at most 100. */')
  expect(out).toContain('+   /** At least 1, at most 200. */')
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('a check compares every byte, also of a file that names the right manifest', async () => {
  const folder = acme()
  await tenonHere(WRITE, { folder })
  const file = join(folder, 'src/generated/acme.ts')
  writeFileSync(file, readFileSync(file, 'utf8').replace('limit?: number', 'limit?: string'))
  const { code, out } = await tenonHere([...CHECK, '--json'], { folder })
  expect(code).toBe(1)
  expect(JSON.parse(out)).toEqual({
    files: [
      {
        path: 'src/generated/acme.ts',
        state: 'stale',
        manifest: 'acme',
        hash: expect.stringMatching(/^sha256-[0-9a-f]{64}$/),
      },
      { path: 'src/generated/index.ts', state: 'fresh', manifest: null, hash: null },
    ],
    took_ms: expect.any(Number),
  })
})

test('a faulty manifest is shown like by lint, exit code 1, and no file is touched', async () => {
  const folder = acme(ACME.replace('$.items', '$.items['))
  const { code, out, err } = await tenonHere(WRITE, { folder })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain('manifests/acme.yaml:')
})

test('one file goes to stdout; of several the name is asked for', async () => {
  const folder = acme()
  const { code, out } = await tenonHere(['types', 'manifests/acme.yaml', '--stdout'], { folder })
  expect(code).toBe(0)
  expect(out).toBe(readFileSync('test/types/generated/acme.ts', 'utf8'))
  expect(await tenonHere(['types'], { folder })).toMatchObject({ code: 2, out: '' })
})
