import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../src/language/json/json.ts'
import { isManifest } from '../../../src/language/manifest/is-manifest.ts'
import { readSchema } from '../../../src/language/manifest/schema-problems.ts'
import { compileSchema } from '../../../src/language/manifest/validator.ts'
import { VALID_FILES, valueOf } from './manifest-files.ts'

test('the validator of manifests is what is made of the schema', () => {
  expect(
    execFileSync(process.execPath, ['scripts/manifest-validator.ts', '--check'], {
      encoding: 'utf8',
    }),
  ).toBe('')
})

const ODD: readonly Json[] = [null, -1, 1.5, '', 'odd', '{{ odd }}', true, [], [{}], {}, { odd: 1 }]

/** The value with one member, at any depth, replaced by one odd value; the next member gets the next one. */
function* spoilt(value: Json, turn = { odd: 0 }): Iterable<Json> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value) as readonly [string, Json][]) {
    const others = [ODD[turn.odd++ % ODD.length] ?? null, ...spoilt(member, turn)]
    for (const other of others) {
      yield Array.isArray(value)
        ? value.with(Number(key), other)
        : { ...(value as JsonObject), [key]: other }
    }
  }
}

test.for(VALID_FILES)(
  'it agrees with Ajv on %s, and on it with one member replaced by something odd',
  (file) => {
    const compiled = compileSchema(readSchema())
    const manifest = valueOf(file)
    const odd = [...spoilt(manifest)].filter((_, index) => index % 12 === 0)
    const wrong = odd.filter((document) => !compiled(document))
    expect(isManifest(manifest)).toBe(true)
    expect(wrong.length).toBeGreaterThan(odd.length / 4)
    expect(odd.filter((document) => !isManifest(document))).toEqual(wrong)
  },
)
