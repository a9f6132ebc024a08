import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { isConnectorError } from '../../../src/errors.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { compileManifest } from '../../../src/language/manifest/compiled.ts'
import {
  loadManifest,
  loadManifestFile,
  requireManifest,
} from '../../../src/language/manifest/load.ts'
import type { Manifest } from '../../../src/language/manifest/manifest.ts'
import { textOf, VALID_FILES, valueOf } from './manifest-files.ts'

const EXAMPLE = 'test/language/manifest/fixtures/example.yaml'

function load(file: string): Manifest {
  return requireManifest(loadManifest({ file, text: textOf(file) }))
}

test.for(VALID_FILES)('%s loads without a finding', async (file) => {
  const { manifest, problems } = await loadManifestFile(file)
  expect(problems).toEqual([])
  expect(manifest?.format).toBe(1)
})

test('a file that is read again gives the same manifest, and another one once it has changed', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'tenon-')), 'acme.yaml')
  const text = textOf(EXAMPLE).replace('type: example', 'type: acme')
  await writeFile(path, text)
  const first = requireManifest(await loadManifestFile(path))
  expect(requireManifest(await loadManifestFile(path))).toBe(first)

  await writeFile(path, text.replace('title: Example', 'title: Another'))
  expect(requireManifest(await loadManifestFile(path))).toMatchObject({ title: 'Another' })

  await writeFile(path, 'manifest: 2')
  expect((await loadManifestFile(path)).manifest).toBeNull()

  await writeFile(path, text)
  expect(requireManifest(await loadManifestFile(path))).toEqual(first)
})

describe('a manifest that was loaded', () => {
  test('is frozen all the way down', () => {
    const open: string[] = []
    const visit = (value: unknown, at: string): void => {
      if (typeof value !== 'object' || value === null) return
      if (!Object.isFrozen(value)) open.push(at)
      for (const [key, inner] of Object.entries(value)) visit(inner, `${at}.${key}`)
    }
    visit(load('test/language/manifest/fixtures/every-key.yaml'), '')
    expect(open).toEqual([])
  })

  test('is plain JSON: it survives being written and read', () => {
    for (const file of VALID_FILES) {
      const manifest = load(file)
      expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest)
    }
  })

  test('has a hash of its meaning: layout, comments, key order of rules and the form of the file change nothing', () => {
    const hash = load(EXAMPLE).hash
    expect(hash).toMatch(/^sha256-[0-9a-f]{64}$/)
    const value = valueOf(EXAMPLE)
    const hashOf = (text: string): string =>
      requireManifest(loadManifest({ file: EXAMPLE, text })).hash
    expect(hashOf(JSON.stringify(value))).toBe(hash)
    expect(hashOf(`# other\n\n${stringify(value)}`)).toBe(hash)
    const { entities, ...others } = value
    expect(hashOf(JSON.stringify({ entities, ...others }))).toBe(hash)
    expect(requireManifest(loadManifest({ file: EXAMPLE, object: value })).hash).toBe(hash)
    expect(hashOf(textOf(EXAMPLE).replace('lookback: PT5M', 'lookback: 5m'))).toBe(hash)
    expect(hashOf(textOf(EXAMPLE).replace('lookback: PT5M', 'lookback: 6m'))).not.toBe(hash)
  })
})

describe('the compiled form', () => {
  test.for(VALID_FILES)('of %s is the same manifest', async (file) => {
    const manifest = load(file)
    const text = compileManifest(manifest)
    expect(requireManifest(loadManifest({ file: 'x.json', text }))).toEqual(manifest)
    const object: unknown = JSON.parse(text)
    expect(requireManifest(loadManifest({ file: 'x.json', object }))).toEqual(manifest)
    const path = join(await mkdtemp(join(tmpdir(), 'tenon-')), 'x.json')
    await writeFile(path, text)
    expect((await loadManifestFile(path)).manifest).toEqual(manifest)
  })

  test('is compiled again to the same text', () => {
    const text = compileManifest(load(EXAMPLE))
    expect(compileManifest(requireManifest(loadManifest({ file: 'x', text })))).toBe(text)
  })

  test.for<{ name: string; change: JsonObject; rule: string }>([
    { name: 'of another engine', change: { format: 2 }, rule: 'compiled/format' },
    { name: 'with a part in another form', change: { entities: {} }, rule: 'compiled/format' },
    { name: 'that was changed', change: { title: 'Other' }, rule: 'compiled/changed' },
    {
      name: 'with a hash that was changed',
      change: { hash: `sha256-${'0'.repeat(64)}` },
      rule: 'compiled/changed',
    },
  ])('$name is refused', ({ change, rule }) => {
    const object = { ...(JSON.parse(compileManifest(load(EXAMPLE))) as JsonObject), ...change }
    const { manifest, problems } = loadManifest({ file: 'x.json', object })
    expect(manifest).toBeNull()
    expect(problems.map((problem) => problem.rule)).toEqual([rule])
  })
})

describe('what cannot be loaded', () => {
  test('a file that is not there, or is none', async () => {
    for (const path of ['test/manifest/fixtures/nothing.yaml', 'test/language/manifest/fixtures']) {
      const { manifest, problems } = await loadManifestFile(path)
      expect(manifest).toBeNull()
      expect(problems).toMatchObject([{ file: path, line: 1, column: 1, rule: 'file/unreadable' }])
    }
  })

  test('an object that is no JSON', () => {
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    for (const object of [circle, undefined, () => 1, 10n, { manifest: 1n }]) {
      expect(loadManifest({ file: 'x', object }).problems).toMatchObject([{ rule: 'yaml/root' }])
    }
  })

  test('a file with mistakes ends with the phase that finds them, which tells all of them', () => {
    const rules = (text: string): readonly string[] =>
      loadManifest({ file: EXAMPLE, text }).problems.map(({ rule }) => rule)
    const text = textOf(EXAMPLE)
    expect(rules(`${text}\na: &x 1\nb: 0x1\nchek: 1`)).toEqual(['yaml/anchor', 'yaml/number'])
    expect(rules(`${text}\nchek: 1\nlimts: 2`)).toEqual([
      'schema/unknown-key',
      'schema/unknown-key',
    ])
    const broken = text
      .replace('{ since: "{{ params.changed_since }}" }', '{ since: "{{ param.x }}" }')
      .replace('records: $.items', 'records: $items')
    expect(rules(broken)).toEqual(['expression/syntax', 'path/syntax'])
  })

  test('every problem reaches the one who asks for the manifest', () => {
    const result = loadManifest({ file: 'bad.yaml', text: 'manifest: 1\nconector: {}\n' })
    const thrown = (): unknown => {
      try {
        return requireManifest(result)
      } catch (error) {
        return error
      }
    }
    const error = thrown()
    expect(isConnectorError(error, 'manifest_invalid')).toBe(true)
    expect(error).toMatchObject({
      code: 'manifest_invalid',
      details: { problems: result.problems },
    })
    expect(result.problems.length).toBeGreaterThan(1)
  })
})

test('a text and its bytes give the same manifest', () => {
  const text = textOf(EXAMPLE)
  const fromBytes = loadManifest({ file: EXAMPLE, text: Buffer.from(`\u{feff}${text}`) })
  expect(requireManifest(fromBytes)).toEqual(load(EXAMPLE))
  expect(parse(text)).toEqual(valueOf(EXAMPLE))
})
