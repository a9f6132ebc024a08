// Manifests that were loaded before are taken from where they are kept, as what they were, and never as anything else.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { KeptManifests, type ManifestFile } from '../../../src/language/manifest/kept-manifests.ts'
import { loadManifest, type LoadResult } from '../../../src/language/manifest/load.ts'

const above = mkdtempSync(join(tmpdir(), 'tenon-kept-'))
afterAll(() => rmSync(above, { recursive: true }))

const load = ({ path, text }: ManifestFile): LoadResult => loadManifest({ file: path, text })
const never = (): never => {
  throw new Error('it was loaded again')
}

function given(name = 'gong') {
  const folder = mkdtempSync(join(above, 'one-'))
  const path = join(folder, `${name}.yaml`)
  cpSync(`manifests/${name}.yaml`, path)
  const kept = (engine = 'one'): KeptManifests =>
    new KeptManifests({ folder: join(folder, 'kept'), engine: () => engine })
  const file = (): ManifestFile => ({ path, text: readFileSync(path) })
  const only = (): string => join(folder, 'kept', readdirSync(join(folder, 'kept'))[0] ?? '')
  return { path, kept, file, only }
}

test('what was kept is what was loaded, with its warnings, frozen all the way down', () => {
  const { kept, file, path } = given()
  const text = Buffer.from(
    file()
      .text.toString()
      .replace(/^ {2}docs: .*\n/m, ''),
  )
  const loaded = load({ path, text })
  expect(kept().find({ path, text }, never)).toBeNull()
  expect(kept().keep({ path, text }, loaded)).toBe(true)
  const found = kept().find({ path, text }, never)
  expect(found).toEqual(loaded)
  // Members in their order, as it is what a compiled manifest is written from.
  expect(JSON.stringify(found?.manifest)).toBe(JSON.stringify(loaded.manifest))
  expect([found?.manifest, found?.manifest?.entities[0]?.actions, found?.manifest?.auth]).toSatisfy(
    (parts: readonly unknown[]) => parts.every((part) => Object.isFrozen(part)),
  )
  expect(found?.manifest?.entities).toBe(found?.manifest?.entities)
})

test('another text, another name and another program find nothing', () => {
  const { kept, file, path } = given()
  kept().keep(file(), load(file()))
  const { text } = file()
  expect(kept().find({ path, text: Buffer.concat([text, Buffer.from('\n')]) }, never)).toBeNull()
  expect(kept().find({ path: `${path}.yaml`, text }, never)).toBeNull()
  expect(kept('two').find({ path, text }, never)).toBeNull()
})

test('a manifest with errors is not kept', () => {
  const { kept, path } = given()
  const broken = { path, text: Buffer.from('manifest: 1\n') }
  expect(kept().keep(broken, load(broken))).toBe(false)
})

test.for([
  ['its first line was changed', (bytes: Buffer) => bytes.fill('x', 70, 80)],
  ['it was cut off within its first line', (bytes: Buffer) => bytes.subarray(0, 100)],
  ['it is empty', () => Buffer.alloc(0)],
] as const)('a file is not taken over where %s', ([, damage]) => {
  const { kept, file, only } = given()
  kept().keep(file(), load(file()))
  writeFileSync(only(), damage(readFileSync(only())))
  expect(kept().find(file(), never)).toBeNull()
})

test.for([
  ['was changed', (path: string) => writeFileSync(path, readFileSync(path).fill('x', 70_000))],
  ['is gone', (path: string) => rmSync(path)],
] as const)('entities come from the manifest where what was kept of them %s', ([, damage]) => {
  const { kept, file, only } = given()
  const loaded = load(file())
  kept().keep(file(), loaded)
  const found = kept().find(file(), load)
  damage(only())
  expect(found?.manifest?.entities).toEqual(loaded.manifest?.entities)
})

test('where the manifest is another one by then, that is an error, and no mixture', () => {
  const { kept, file, only, path } = given()
  kept().keep(file(), load(file()))
  const found = kept().find(file(), load)
  rmSync(only())
  writeFileSync(path, `${file().text.toString()}\n# changed\n`)
  expect(() => found?.manifest?.entities).toThrow(
    expect.objectContaining({ code: 'manifest_invalid', details: { file: path } }),
  )
})

test('where nothing can be kept, nothing is', () => {
  const { file, path } = given()
  const kept = new KeptManifests({ folder: join(path, 'kept'), engine: () => 'one' })
  expect(kept.keep(file(), load(file()))).toBe(false)
})
