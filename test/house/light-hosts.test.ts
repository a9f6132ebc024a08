// What a host that runs compiled connectors loads with each entry of the package: no reader of manifests, and no package but
// one file of patterns, which imports nothing and is part of the built client.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importsOf } from './imports-of.ts'

const SRC = join(import.meta.dirname, '../../src')

/** The packages that are loaded with a file, each with a file that asks for it. */
function packagesOf(entry: string): Readonly<Record<string, string>> {
  const packages: Record<string, string> = {}
  const files = new Set([join(SRC, entry)])
  for (const file of files) {
    for (const { from, typeOnly, isLate } of importsOf(file, readFileSync(file, 'utf8'))) {
      if (typeOnly || isLate || from === null || from.startsWith('node:')) continue
      if (from.startsWith('.')) files.add(join(file, '..', from))
      else packages[from] = file.slice(SRC.length + 1)
    }
  }
  return packages
}

const FORMATS = 'ajv-formats/dist/formats.js'

test.for([
  ['index.ts', [FORMATS]],
  ['agents/index.ts', []],
  ['connect/index.ts', []],
  ['engine/engine.ts', [FORMATS]],
] as const)('%s loads the packages %j', ([entry, packages]) =>
  expect(Object.keys(packagesOf(entry))).toEqual(packages),
)

test('the file of patterns imports nothing', () => {
  const file = createRequire(import.meta.url).resolve(FORMATS)
  expect(importsOf(file, readFileSync(file, 'utf8'))).toEqual([])
})

test('the parser of manifests does', () =>
  expect(Object.keys(packagesOf('language/manifest/resolver.ts'))).toContain(
    'handlebars/dist/cjs/handlebars/compiler/parser.js',
  ))
