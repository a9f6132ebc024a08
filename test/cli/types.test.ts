import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
  expect(await tenonHere(WRITE, { folder })).toMatchObject({ code: 0, out: '' })
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

const OTHER = ACME.replace('type: acme', 'type: other')

test('of manifests that are named the files are written beside the others, which index.ts keeps', async () => {
  const folder = folderOf({ 'manifests/acme.yaml': ACME, 'more/other.yaml': OTHER })
  await tenonHere(WRITE, { folder })
  const acmeTypes = join(folder, 'src/generated/acme.ts')
  const before = readFileSync(acmeTypes, 'utf8')
  const named = ['types', 'more/other.yaml', '--out', 'src/generated']
  expect(await tenonHere(named, { folder })).toMatchObject({
    code: 0,
    out: 'src/generated/other.ts\nsrc/generated/index.ts\n',
  })
  expect(readFileSync(acmeTypes, 'utf8')).toBe(before)
  const index = readFileSync(join(folder, 'src/generated/index.ts'), 'utf8')
  expect(index).toContain("'./acme.ts'")
  expect(index).toContain("'./other.ts'")
  expect(await tenonHere([...named, '--check'], { folder })).toMatchObject({ code: 0, out: '' })
})

test('the file of a manifest that is gone is stale, and is removed; what was not made here stays', async () => {
  const folder = folderOf({
    'manifests/acme.yaml': ACME,
    'manifests/other.yaml': OTHER,
    'src/generated/own.ts': 'export const own = true\n',
  })
  await tenonHere(WRITE, { folder })
  rmSync(join(folder, 'manifests/other.yaml'))
  const { code, out } = await tenonHere(CHECK, { folder })
  expect(code).toBe(1)
  expect(out).toContain('stale src/generated/index.ts\n')
  expect(out).toContain('stale src/generated/other.ts\n  its manifest is gone\n')
  expect(await tenonHere(WRITE, { folder })).toMatchObject({
    code: 0,
    out: 'src/generated/index.ts\nsrc/generated/other.ts removed, as its manifest is gone\n',
  })
  const left = ['acme.ts', 'index.ts', 'own.ts', 'other.ts'].filter((name) =>
    existsSync(join(folder, 'src/generated', name)),
  )
  expect(left).toEqual(['acme.ts', 'index.ts', 'own.ts'])
  expect(await tenonHere(CHECK, { folder })).toMatchObject({ code: 0, out: '' })
})

test('where a file cannot be written, those written before it are named', async () => {
  const folder = acme()
  // In the place of the temporary file.
  mkdirSync(join(folder, `src/generated/index.ts.${process.pid}.part`), { recursive: true })
  expect(await tenonHere([...WRITE], { folder })).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(
      /src\/generated\/index\.ts: .*; changed before: src\/generated\/acme\.ts\n/,
    ),
  })
})

test('a checkout that ends its lines otherwise is fresh, and is left as it is', async () => {
  const folder = acme()
  await tenonHere(WRITE, { folder })
  const files = ['manifests/acme.yaml', 'src/generated/acme.ts', 'src/generated/index.ts'].map(
    (name) => join(folder, name),
  )
  for (const file of files) writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', '\r\n'))
  expect(await tenonHere(CHECK, { folder })).toMatchObject({ code: 0, out: '' })
  expect(await tenonHere(WRITE, { folder })).toMatchObject({ code: 0, out: '' })
  for (const file of files) expect(readFileSync(file, 'utf8')).toContain('\r\n')
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

test.for([
  { names: ['gong'], hint: '; gong of the package is typed and checked already' },
  { names: ['gong', 'acne'], hint: ', and no acne; gong of the package is typed' },
])('a connector of the package is named as that: $names', async ({ names, hint }) => {
  const { code, err } = await tenonHere(['types', ...names, '--out', 'out'], { folder: acme() })
  expect(code).toBe(2)
  expect(err).toContain(`There is no gong${hint}`)
})
