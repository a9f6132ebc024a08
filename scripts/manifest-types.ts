// The types of the keys of a manifest as written and as resolved, and what each resolves to, made of
// schemas/manifest.schema.json: src/language/manifest/source.ts; and of what is read out of demo data, made of schemas/demo.schema.json: src/sandbox/data/demo-types.ts. No library makes them readonly, or
// knows the two forms by which these schemas say "a list or one": `type: [array, string]` and `if: { type }`.
//
//   node scripts/manifest-types.ts            writes them
//   node scripts/manifest-types.ts --check    exits 1 when one is not what it would be
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'
import type { Json, JsonObject } from '../src/language/json/json.ts'
import { LISTINGS } from '../src/language/manifest/actions.ts'
import { STYLES } from '../src/language/manifest/pagination-styles.ts'
import type { ResolvedKey, Word } from '../src/language/manifest/resolve-block.ts'
import { readSchema } from '../src/language/manifest/schema-problems.ts'

const MANIFEST_FILE = 'src/language/manifest/source.ts'
const MANIFEST_HEAD = `// Made by scripts/manifest-types.ts of schemas/manifest.schema.json. Do not edit.
// A manifest as it is written, once it is valid: the types of the keys. What they mean: docs/manifest-language.md.
// Then what the keys of its blocks resolve to.
import type { Json, JsonObject } from '../json/json.ts'
import type { ActionName, Giving } from './actions.ts'
import type { Kinds } from './manifest.ts'
import type { WrittenStyle } from './pagination-styles.ts'
import type { ResolvedKey } from './resolve-block.ts'

/** A string that may hold \`{{ }}\`, or any value whose strings may; objects may hold \`$if\`, \`$value\`, \`$style\`. */
export type TemplateSource = Json
`

const DEMO_FILE = 'src/sandbox/data/demo-types.ts'
const DEMO_HEAD = `// Made by scripts/manifest-types.ts of schemas/demo.schema.json. Do not edit.
// Demo data as it is read: what is written as a value is a function that makes it. What the keys mean: docs/sandbox.md.
import type { Text } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import type { Choices, Conditions, WriteTime } from './demo-compiler.ts'
import type { PageFact } from './page-facts.ts'
import type { QueryField } from './read-demo.ts'
import type { PickField } from './row-index.ts'
import type { MakeValue, Members, Write } from './world.ts'
`

const NAMES: Readonly<Record<string, string>> = {
  actionName: 'ActionName',
  schemaType: 'SchemaType',
  oauth2: 'OAuth2Source',
  oauth1: 'OAuth1Source',
  templateValue: 'TemplateSource',
  objectSchema: 'SchemaSource',
  inputSchema: 'SchemaSource',
}

type Schema = Record<string, unknown>
type Definitions = Readonly<Record<string, Schema>>
const schema = readSchema() as Schema
const definitions = schema['definitions'] as Definitions

/** How the types of one schema are written. */
interface Writing {
  readonly definitions: Definitions
  /** The type that stands for a definition; null: it is written where it is used. */
  readonly nameOf: (definition: string) => string | null
  /** An object of members of any name. */
  readonly mapOf: (type: string) => string
  /** A key with a default is there in any case. */
  readonly fillsIn?: true
}

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

function typeOf(given: unknown, writing: Writing, omitted?: readonly string[]): string {
  const node = given as Schema
  const reference = node['$ref']
  if (typeof reference === 'string') {
    const definition = reference.replace('#/definitions/', '')
    return writing.nameOf(definition) ?? typeOf(writing.definitions[definition], writing)
  }
  const [only] = (node['allOf'] ?? []) as readonly Schema[]
  if (only?.['$ref'] !== undefined && node['properties'] === undefined) return typeOf(only, writing)
  if (node['const'] !== undefined) return JSON.stringify(node['const'])
  if (String(node['enum']) === String(LISTINGS)) return "Giving<'list'>"
  if (Array.isArray(node['enum']))
    return node['enum'].map((each) => JSON.stringify(each)).join(' | ')
  const types = [node['type'] ?? []].flat() as unknown[] as readonly string[]
  const test = node['if'] as Schema | undefined
  if (typeof test?.['type'] === 'string') {
    const { if: _, then, else: other, ...rest } = node
    const others = types.filter((type) => type !== test['type'])
    const one = typeOf({ type: test['type'], ...(then as Schema) }, writing)
    return others.length === 0
      ? one
      : `${one} | ${typeOf({ ...(other ?? rest), ...(!(other as Schema)?.['$ref'] && { type: others }) }, writing)}`
  }
  return types.length === 0
    ? 'Json'
    : types.map((type) => kindOf(type, node, writing, omitted)).join(' | ')
}

function kindOf(type: string, node: Schema, writing: Writing, omitted?: readonly string[]): string {
  if (type === 'array')
    return node['items'] === undefined
      ? 'readonly Json[]'
      : `readonly (${typeOf(node['items'], writing)})[]`
  if (type === 'object') return objectOf(node, writing, omitted)
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

function objectOf(node: Schema, writing: Writing, omitted?: readonly string[]): string {
  const others = node['additionalProperties']
  if (typeof others === 'object') return writing.mapOf(typeOf(others, writing))
  if (node['properties'] === undefined) return 'JsonObject'
  const required = (node['required'] ?? []) as readonly string[]
  const members = Object.entries(node['properties'] as JsonObject).flatMap(([key, value]) => {
    if (omitted?.includes(key) === true) return []
    const type = typeOf(value, writing)
    const isFilled = writing.fillsIn && (value as Schema)['default'] !== undefined
    return [`readonly ${key}${required.includes(key) || isFilled ? '' : '?'}: ${type}`]
  })
  return `{ ${members.join('; ')} }`
}

const MANIFEST: Writing = {
  definitions,
  nameOf,
  mapOf: (type) => `{ readonly [name: string]: ${type} }`,
}

/** The definitions and keys at the top that resolve to a block. */
const BLOCKS: readonly string[] = [
  'connector',
  'server',
  'check',
  'request',
  'limits',
  'authMethod',
  'oauth2',
  'response',
  'pagination',
  'errorRule',
  'answerTests',
  'errorBody',
  'retry',
  'step',
  'download',
  'upload',
  'action',
  'entity',
  'search',
  'sync',
  'webhooks',
]

/** What `x-tenon-resolves` says of a key. Source: CONTRIBUTING.md, "Add a key of the manifest". */
interface Resolving {
  /** A word of `Kinds`; of a map, the words of its keys and values; `members`: they stand in the block itself. */
  readonly to?: Word | 'members' | readonly Word[] | Readonly<Record<string, Word>>
  readonly name?: string
  readonly use?: string
  readonly absent?: Json
}

/** Null: code of its block resolves the key. */
function resolvingOf(node: Schema): Resolving | null {
  const said = node['x-tenon-resolves'] as Word | Resolving | false | undefined
  return said === false ? null : typeof said === 'string' ? { to: said } : (said ?? {})
}

function definitionOf(reference: unknown): string {
  return typeof reference === 'string' ? reference.replace('#/definitions/', '') : ''
}

/** A schema with what its reference says, and all that both say of what it resolves to. */
function followed(node: Schema): Schema {
  const reference = node['$ref']
  if (typeof reference !== 'string') return node
  const target = followed(definitions[definitionOf(reference)] ?? {})
  const own = resolvingOf(node)
  const resolving = own === null ? false : { ...resolvingOf(target), ...own }
  return { ...target, ...node, 'x-tenon-resolves': resolving }
}

interface Key extends ResolvedKey {
  readonly block?: readonly Key[]
  readonly type: string
  readonly note: string
}

/** The keys of a block whose parts are found by `use`. */
function keysOf(block: Schema, use: string): readonly Key[] {
  const required = (block['required'] ?? []) as readonly string[]
  return Object.entries((block['properties'] ?? {}) as Readonly<Record<string, Schema>>).flatMap(
    ([key, given]): readonly Key[] => {
      const node = followed(given)
      const resolving = resolvingOf(node)
      if (resolving === null) return []
      const { to, absent = node['default'] as Json | undefined } = resolving
      const { type, ...read } = readingOf(node, resolving, resolving.use ?? `${use}.${key}`, given)
      const camel = key.replace(/_./g, (pair) => pair.charAt(1).toUpperCase())
      const isOptional = absent === undefined && !required.includes(key)
      const name = resolving.name ?? (to === 'duration' ? `${camel}Ms` : camel)
      return [
        {
          key,
          ...(name !== key && { name }),
          ...(!required.includes(key) && absent !== undefined && { absent }),
          ...read,
          type:
            read.members === true
              ? type
              : `readonly ${name}${isOptional ? '?' : ''}: ${withAbsent(type, absent)}`,
          note: (given['description'] ?? '') as string,
        },
      ]
    },
  )
}

/** The type of a key with that of what stands for it where it is left out. */
function withAbsent(type: string, absent: Json | undefined): string {
  if (absent === null) return `${type} | null`
  return type === 'true' && absent === false ? 'boolean' : type
}

function readingOf(
  node: Schema,
  { to }: Resolving,
  use: string,
  given: Schema,
): Pick<
  Key,
  'to' | 'entries' | 'names' | 'single' | 'block' | 'list' | 'members' | 'use' | 'type'
> {
  const types = [node['type']].flat()
  if (to === 'members') {
    const block = keysOf(node, resolvingOf(node)?.use ?? use)
    return { block, members: true, type: membersOf(block) }
  }
  if (typeof to === 'object') {
    const names = Array.isArray(to) ? null : Object.keys(to)
    const entries = Object.values(to) as readonly Word[]
    const parts = entries.map((word) => `Kinds['${word}']`)
    const each =
      names === null
        ? `readonly [${parts.join(', ')}]`
        : `{ ${names.map((name, index) => `readonly ${name}: ${parts[index]}`).join('; ')} }`
    const isSingle = node['maxProperties'] === 1
    return {
      entries: entries as [Word, Word],
      ...(names !== null && { names: names as [string, string] }),
      ...(isSingle && { single: true }),
      use,
      type: isSingle ? each : `readonly (${each})[]`,
    }
  }
  if (types.includes('array') && !types.includes('object')) {
    const items = followed((node['items'] ?? {}) as Schema)
    const own = to === undefined ? (resolvingOf(items) ?? {}) : { to }
    const { type, ...read } = readingOf(
      { ...items, type: items['type'] ?? 'string' },
      own,
      own.use ?? use,
      {},
    )
    if (read.to !== undefined || read.block !== undefined)
      return { ...read, list: true, type: `readonly (${type})[]` }
  } else if (to !== undefined) return { to, use, type: `Kinds['${to}']` }
  else if (node['properties'] !== undefined) {
    const block = keysOf(node, use)
    const definition = definitionOf(node['$ref'])
    if (BLOCKS.includes(definition)) return { block, type: `Resolved['${definition}']` }
    return { block, type: `${types.includes('boolean') ? 'false | ' : ''}{ ${membersOf(block)} }` }
  }
  return { type: typeOf(given, MANIFEST) }
}

function membersOf(keys: readonly Key[]): string {
  return keys
    .map(({ type, note, members }) => (members === true ? type : `/** ${note} */\n${type}\n`))
    .join('\n')
}

/** The keys as the walk over them reads them. */
function dataOf(keys: readonly Key[]): readonly object[] {
  return keys.map((key) => {
    const { type: _, note: __, ...data } = key
    return { ...data, ...(key.block !== undefined && { block: dataOf(key.block) }) }
  })
}

const blocks = BLOCKS.map((name) => {
  const node = definitions[name] ?? (schema['properties'] as Record<string, Schema>)[name] ?? {}
  return { name, keys: keysOf(node, resolvingOf(node)?.use ?? name) }
})

function manifestTypes(): readonly string[] {
  const exported = Object.keys(definitions).flatMap((definition) => {
    const name = nameOf(definition)
    const isOther = name === null || (definition !== 'action' && name === 'ActionSource')
    if (isOther || /^(templateValue|actionName|objectSchema|inputSchema)$/.test(definition))
      return []
    const { type, words } = TABLES[definition] ?? {}
    return [
      `export type ${name} = ${type === undefined ? '' : `${type} & `}${typeOf(definitions[definition], MANIFEST, words)}`,
    ]
  })
  const root = objectOf({ ...schema, additionalProperties: false }, MANIFEST)
  const resolved = blocks.map(({ name, keys }) => `readonly ${name}: { ${membersOf(keys)} }`)
  const rules = Object.fromEntries(blocks.map(({ name, keys }) => [name, dataOf(keys)]))
  return [
    MANIFEST_HEAD,
    `export type ManifestSource = ${root}`,
    ...exported,
    '/** What the blocks resolve to. A key that says nothing is left out where the author does. */',
    `export interface Resolved { ${resolved.join('\n')} }`,
    '/** How the keys of each block are resolved. */',
    `export const BLOCKS: { readonly [B in keyof Resolved]: readonly ResolvedKey[] } = ${JSON.stringify(rules)}`,
  ]
}

/** What is read to something else than it is written as. */
const READ: Readonly<Record<string, string>> = {
  value: 'MakeValue',
  text: 'MakeValue',
  made: 'MakeValue',
  form: 'MakeValue',
  members: 'Members',
  writes: 'readonly Write[]',
  memberPath: 'PickField',
  memberPaths: 'readonly PickField[]',
  keyPath: 'readonly string[]',
  count: 'readonly [min: number, max: number]',
  place: '{ readonly method: string; readonly path: readonly Text[] }',
  queryField: 'QueryField',
  range: 'readonly [min: number, max: number]',
  span: 'readonly [min: number, max: number]',
  choices: 'Choices',
  where: 'Conditions',
  timeFormat: 'WriteTime',
  member: 'PickField',
  treeName: 'TreeRules',
  pageFact: 'PageFact',
}
const DEMO_NAMES: Readonly<Record<string, string>> = {
  set: 'SetMembers',
  action: 'ActionRules',
  refusal: 'Refusal',
  filter: 'Filter',
  sort: 'Sort',
  query: 'QueryRule',
  tree: 'TreeRules',
  words: 'Words',
}

function demoTypes(): readonly string[] {
  const demo = JSON.parse(readFileSync('schemas/demo.schema.json', 'utf8')) as Schema
  const writing: Writing = {
    definitions: demo['definitions'] as Definitions,
    nameOf: (definition) => READ[definition] ?? DEMO_NAMES[definition] ?? null,
    mapOf: (type) => `ReadonlyMap<string, ${type}>`,
    fillsIn: true,
  }
  const exported = Object.entries({ ...DEMO_NAMES, queryField: 'FieldMembers' }).map(
    ([definition, name]) =>
      `export type ${name} = ${objectOf(writing.definitions[definition] as Schema, writing)}`,
  )
  return [DEMO_HEAD, `export type Demo = ${objectOf(demo, writing)}`, ...exported]
}

for (const [file, parts] of [
  [MANIFEST_FILE, manifestTypes()],
  [DEMO_FILE, demoTypes()],
] as const) {
  const text = await format(parts.join('\n'), {
    ...(await resolveConfig(file)),
    parser: 'typescript',
  })
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
  const isCheck = process.argv.includes('--check')
  process.stdout.write(`${isCheck ? 'stale' : 'written'} ${file}\n`)
  if (isCheck) process.exitCode = 1
  else writeFileSync(file, text)
}
