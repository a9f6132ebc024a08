import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

import { standaloneValidator } from '../../../src/tools/codegen/standalone-validator.ts'
import { inputsOf } from '../../../src/language/manifest/inputs.ts'
import { withDefinitions } from '../../../src/language/manifest/json-schema.ts'
import { compileSchema } from '../../../src/language/manifest/validator.ts'
import { loadManifestFile, requireManifest } from '../../../src/language/manifest/load.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const require = createRequire(import.meta.url)
const files = readdirSync(join(root, 'manifests')).filter((file) => file.endsWith('.yaml'))

/** Runs the text as Node would run the module. */
function evaluate(text: string): (value: unknown) => boolean {
  const module: { exports: unknown } = { exports: {} }
  // oxlint-disable-next-line typescript/no-implied-eval -- the text is what is tested
  const run = new Function('module', 'exports', 'require', text) as (...parts: unknown[]) => void
  run(module, module.exports, require)
  return module.exports as (value: unknown) => boolean
}

const ODD = [null, -1, 1.5, '', 'odd', true, [], [{}], {}, { odd: [1] }]

/** The value with one of its members, at any depth, replaced by something odd. */
function spoilt(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) {
    return value.flatMap((element, index) =>
      [...ODD, ...spoilt(element)].map((odd) => value.with(index, odd)),
    )
  }
  return Object.entries(value).flatMap(([name, member]) =>
    [...ODD, ...spoilt(member)].map((odd) => ({ ...value, [name]: odd })),
  )
}

describe.for(files)('the validators made for %s', (file) => {
  test('agree with Ajv on every golden case, and on each with one wrong member', async () => {
    const manifest = requireManifest(await loadManifestFile(join(root, 'manifests', file)))
    const cases = parse(readFileSync(join(root, 'test/contracts/requests', file), 'utf8')) as {
      readonly operations: Readonly<
        Record<string, { readonly cases: readonly { readonly params?: unknown }[] }>
      >
    }
    const patterns = join(root, 'src/language/manifest/ajv-pattern.ts')
    let compared = 0
    for (const { name, schema } of inputsOf(manifest)) {
      const made = evaluate(standaloneValidator(schema, manifest.definitions, patterns))
      const compiled = compileSchema(withDefinitions(schema, manifest.definitions))
      const golden =
        cases.operations[name.replace('params.', '')]?.cases.map(({ params = {} }) => params) ?? []
      for (const value of [{}, [], null, { unknown: 1 }, ...golden, ...golden.flatMap(spoilt)]) {
        expect([name, value, made(value)]).toEqual([name, value, compiled(value)])
        compared++
      }
    }
    // Four values at least of each schema.
    expect(compared).toBeGreaterThanOrEqual(4 * inputsOf(manifest).length)
  })
})
