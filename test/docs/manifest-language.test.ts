// The reference of the manifest language: its examples are valid, and it names what the schema knows.
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { JsonObject } from '../../src/language/json/json.ts'
import { readSchema } from '../../src/language/manifest/schema-problems.ts'
import { compileSchema } from '../../src/language/manifest/validator.ts'

const text = readFileSync('docs/manifest-language.md', 'utf8')
const schema = readSchema()

/** Fenced YAML, cut at `---`; the comment in front says which part of a manifest it is. */
const fragments = [...text.matchAll(/```yaml\n(.*?)```/gs)]
  .flatMap(([, fence = '']) => fence.split('\n---\n'))
  .map((source) => ({ source, part: /^# (\w+)/.exec(source)?.[1] ?? 'unlabelled' }))

test('there are examples', () => {
  expect(fragments.map(({ part }) => part)).toEqual([
    'manifest',
    'request',
    'request',
    'pagination',
    'pagination',
    'pagination',
    'pagination',
    'pagination',
    'authMethod',
    'authMethod',
    'authMethod',
    'oauth2',
    'authMethod',
    'action',
    'action',
    'action',
    'action',
    'action',
    'webhooks',
    'webhooks',
    'webhooks',
    'webhooks',
    'webhooks',
  ])
})

test.for(fragments)('the example of a $part is valid: $source', ({ source, part }) => {
  const { definitions } = schema
  const validate = compileSchema(
    part === 'manifest'
      ? schema
      : { definitions: definitions ?? {}, $ref: `#/definitions/${part}` },
  )
  validate(parse(source))
  expect(validate.errors ?? []).toEqual([])
})

describe('every key of the schema is explained', () => {
  const words = new Set(text.match(/[$\w]+/g))
  const definitions = schema['definitions'] as Readonly<Record<string, JsonObject>>
  test.for(Object.keys(definitions))('%s', (name) => {
    const keys = Object.keys((definitions[name]?.['properties'] ?? {}) as object)
    expect(keys.filter((key) => !words.has(key))).toEqual([])
  })
})

/** A name of a rule, whole or up to what is put into it; what else looks so is a type of media, or a method of MCP. */
const RULE_NAME = /'(?!application|multipart|tools\/call)([a-z]+)\/[a-z-]+'|rule: `([a-z]+)\/\$/g

test('every group of rules has its row', () => {
  const groups = new Set(
    globSync('src/language/manifest/**/*.ts').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(RULE_NAME)].map(([, whole, begun]) => whole ?? begun),
    ),
  )
  const section = text.slice(text.indexOf('## 14.'), text.indexOf('## 15.'))
  const rows = [...section.matchAll(/^\| ([a-z, ]+?)(?: \(.*?\))? \|/gm)]
  const named = rows.flatMap(([, names = '']) => names.split(', '))
  expect(new Set(named)).toEqual(groups)
})
