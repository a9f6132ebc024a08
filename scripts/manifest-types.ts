// The types of the keys of a manifest, made of schemas/manifest.schema.json: src/language/manifest/source.ts. No library makes
// them readonly, or knows the two forms by which this schema says "a list or one": `type: [array, string]` and `if: { type }`.
//
//   node scripts/manifest-types.ts            writes it
//   node scripts/manifest-types.ts --check    exits 1 when it is not what it would be
import { readFileSync, writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'
import type { JsonObject } from '../src/language/json/json.ts'
import { LISTINGS } from '../src/language/manifest/actions.ts'
import { BODY_WORDS } from '../src/language/manifest/body-forms/forms.ts'
import { STYLES } from '../src/language/manifest/pagination-styles.ts'
import { readSchema } from '../src/language/manifest/schema-problems.ts'

const FILE = 'src/language/manifest/source.ts'
const HEAD = `// Made by scripts/manifest-types.ts of schemas/manifest.schema.json. Do not edit.
// A manifest as it is written, once it is valid: the types of the keys. What they mean: docs/manifest-language.md.
import type { Json, JsonObject } from '../json/json.ts'
import type { ActionName, Giving } from './actions.ts'
import type { BodySource } from './body-forms/forms.ts'
import type { ApplySource } from './credential-places/places.ts'
import type { WrittenStyle } from './pagination-styles.ts'

/** A string that may hold \`{{ }}\`, or any value whose strings may; objects may hold \`$if\`, \`$value\`, \`$style\`. */
export type TemplateSource = Json
`

const NAMES: Readonly<Record<string, string>> = {
  actionName: 'ActionName',
  schemaType: 'SchemaType',
  oauth2: 'OAuth2Source',
  templateValue: 'TemplateSource',
  objectSchema: 'SchemaSource',
  inputSchema: 'SchemaSource',
}

type Schema = Record<string, unknown>
const schema = readSchema() as Schema
const definitions = schema['definitions'] as Record<string, Schema>

/** The keys of a pagination that only some styles have: the rule of another one that turns pages forbids them. */
function keysOfStyles(): readonly string[] {
  const rules = definitions['pagination']?.['allOf'] as readonly {
    readonly if: { readonly properties: Readonly<Record<string, { readonly const?: string }>> }
    readonly then: { readonly properties?: JsonObject }
  }[]
  const turning = Object.entries(STYLES).flatMap(([type, { by }]) => (by === null ? [] : [type]))
  return rules
    .filter((rule) => turning.includes(rule.if.properties['type']?.const ?? ''))
    .flatMap((rule) => Object.entries(rule.then.properties ?? {}))
    .flatMap(([key, value]) => (value === false ? [key] : []))
}

/** Words that have a table of their own: the entries there say what is written below them, in this part. */
const TABLES: Readonly<
  Record<string, { readonly type: string; readonly words: readonly string[] }>
> = {
  request: { type: 'BodySource', words: BODY_WORDS },
  pagination: { type: 'WrittenStyle', words: ['type', ...keysOfStyles()] },
}

/** Texts and closed lists of words are written where they are used. */
function nameOf(definition: string): string | null {
  if (definition.endsWith('Action')) return 'ActionSource'
  const own = NAMES[definition]
  if (own !== undefined) return own
  const { type, if: test, enum: values } = definitions[definition] ?? {}
  if (values !== undefined || (type === 'string' && test === undefined)) return null
  return `${definition.charAt(0).toUpperCase()}${definition.slice(1)}Source`
}

function typeOf(given: unknown, omitted?: readonly string[]): string {
  const node = given as Schema
  const reference = node['$ref']
  if (typeof reference === 'string') {
    const definition = reference.replace('#/definitions/', '')
    return nameOf(definition) ?? typeOf(definitions[definition])
  }
  const [only] = (node['allOf'] ?? []) as readonly Schema[]
  if (only?.['$ref'] !== undefined && node['properties'] === undefined) return typeOf(only)
  if (node['const'] !== undefined) return JSON.stringify(node['const'])
  if (String(node['enum']) === String(LISTINGS)) return "Giving<'list'>"
  if (Array.isArray(node['enum']))
    return node['enum'].map((each) => JSON.stringify(each)).join(' | ')
  const types = [node['type'] ?? []].flat() as unknown[] as readonly string[]
  const test = node['if'] as Schema | undefined
  if (typeof test?.['type'] === 'string') {
    const { if: _, then, else: other, ...rest } = node
    const others = types.filter((type) => type !== test['type'])
    const one = typeOf({ type: test['type'], ...(then as Schema) })
    return others.length === 0
      ? one
      : `${one} | ${typeOf({ ...(other ?? rest), ...(!(other as Schema)?.['$ref'] && { type: others }) })}`
  }
  return types.length === 0 ? 'Json' : types.map((type) => kindOf(type, node, omitted)).join(' | ')
}

function kindOf(type: string, node: Schema, omitted?: readonly string[]): string {
  if (type === 'array')
    return node['items'] === undefined ? 'readonly Json[]' : `readonly (${typeOf(node['items'])})[]`
  if (type === 'object') return objectOf(node, omitted)
  if (type === 'integer') return 'number'
  if (type !== 'string') return type
  const words = /^\^\(?([a-z]+(?:\|[a-z]+)*)\)?\$$/.exec((node['pattern'] ?? '') as string)?.[1]
  return words === undefined
    ? 'string'
    : words
        .split('|')
        .map((word) => `'${word}'`)
        .join(' | ')
}

function objectOf(node: Schema, omitted?: readonly string[]): string {
  const others = node['additionalProperties']
  if (typeof others === 'object') return `{ readonly [name: string]: ${typeOf(others)} }`
  if (node['properties'] === undefined) return 'JsonObject'
  const required = (node['required'] ?? []) as readonly string[]
  const members = Object.entries(node['properties'] as JsonObject).flatMap(([key, value]) => {
    if (omitted?.includes(key) === true) return []
    const type = key === 'apply' ? 'ApplySource' : typeOf(value)
    return [`readonly ${key}${required.includes(key) ? '' : '?'}: ${type}`]
  })
  return `{ ${members.join('; ')} }`
}

const exported = Object.keys(definitions).flatMap((definition) => {
  const name = nameOf(definition)
  const isOther = name === null || (definition !== 'action' && name === 'ActionSource')
  if (isOther || /^(templateValue|actionName|objectSchema|inputSchema)$/.test(definition)) return []
  const { type, words } = TABLES[definition] ?? {}
  return [
    `export type ${name} = ${type === undefined ? '' : `${type} & `}${typeOf(definitions[definition], words)}`,
  ]
})
const source = [
  HEAD,
  `export type ManifestSource = ${objectOf({ ...schema, additionalProperties: false })}`,
  ...exported,
]
const text = await format(source.join('\n'), {
  ...(await resolveConfig(FILE)),
  parser: 'typescript',
})
if (readFileSync(FILE, 'utf8') !== text) {
  const isCheck = process.argv.includes('--check')
  process.stdout.write(`${isCheck ? 'stale' : 'written'} ${FILE}\n`)
  if (isCheck) process.exitCode = 1
  else writeFileSync(FILE, text)
}
