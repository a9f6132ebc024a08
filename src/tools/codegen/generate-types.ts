// A manifest as TypeScript: records, parameters, credentials, meta, search fields, and the interface of the client.
import { compile, type Options } from 'json-schema-to-typescript'
import { storedSettings } from '../../engine/credentials/stored-values.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { ACTIONS, gives } from '../../language/manifest/actions.ts'
import { fileParams } from '../../language/manifest/file-params.ts'
import type {
  Action,
  Entity,
  FieldType,
  InputSchema,
  JsonSchema,
  Manifest,
  MetaPick,
  Search,
} from '../../language/manifest/manifest.ts'
import { layOut } from './layout.ts'
import { memberName, pascalCase, uniqueName } from './type-names.ts'
import { typesHeader } from './types-header.ts'
import { FILE_TYPE, toTypeSchema, type TypeSchema } from './type-schema.ts'

/**
 * The TypeScript file of a connector: the same text for the same manifest, on every machine.
 *
 * It imports types only, from `tenon`, and adds the connector to the interface `Connectors` of that module.
 */
export async function generateTypes(manifest: Manifest): Promise<string> {
  const names = namesOf(manifest)
  const shapes = await shapesOf(manifest, names)
  const body = [
    typesHeader(manifest),
    `import type { ${importsOf(manifest).join(', ')} } from 'tenon'`,
    shapes,
    ...manifest.entities.toSorted(byName).flatMap((entity) => entityTypes(manifest, names, entity)),
    connectorTypes(manifest, names),
  ]
  return layOut(body.join('\n\n'))
}

/** What has a name of its own in the file of a connector. */
type Kind = 'definition' | 'record' | 'params' | 'meta' | 'result' | 'search' | 'entity'
interface Names {
  /** `Jira` */
  readonly connector: string
  readonly of: (kind: Kind, part: Pick<Entity, 'name'> & { readonly entity?: string }) => string
}

/** Every name, given once and in one order: two that would be equal get a number. */
function namesOf(manifest: Manifest): Names {
  const connector = pascalCase(manifest.type)
  const taken = new Set([
    connector,
    `${connector}Entities`,
    `${connector}Credentials`,
    `${connector}Settings`,
    ...IMPORTED,
  ])
  const given = new Map<string, string>()
  const give = (kind: Kind, place: string, wanted: string): void => {
    given.set(`${kind} ${place}`, uniqueName(wanted, taken))
  }
  for (const entity of manifest.entities.toSorted(byName)) {
    const name = pascalCase(entity.name)
    give('entity', entity.name, `${connector}${name}`)
    give('record', entity.name, `${name}Record`)
    give('search', entity.name, `${name}SearchFields`)
    for (const action of entity.actions.toSorted(byName)) {
      const place = `${entity.name}.${action.name}`
      const prefix = `${name}${pascalCase(action.name)}`
      give('params', place, `${prefix}Params`)
      give('meta', place, `${prefix}Meta`)
      give('result', place, `${prefix}Result`)
    }
  }
  for (const definition of Object.keys(manifest.definitions).toSorted()) {
    const record = given.get(definition.replace(/^record_/, 'record '))
    if (record !== undefined) given.set(`definition ${definition}`, record)
    else give('definition', definition, pascalCase(definition.replace(/^(shape|record)_/, '')))
  }
  return {
    connector,
    of(kind, { entity, name }) {
      const key = `${kind} ${entity === undefined ? name : `${entity}.${name}`}`
      const found = given.get(key)
      if (found === undefined) throw new TypeError(`nothing is named ${key}`)
      return found
    },
  }
}

/** One type for every object of which nothing is known. */
const ANY_OBJECT = 'Record<string, unknown>'

const IMPORTED = [
  'CallOptions',
  'ConnectorOf',
  'Connectors',
  'Download',
  'FileInput',
  'PageCall',
  'Result',
  'SearchCall',
  'SearchParams',
] as const

const OPTIONS: Partial<Options> = {
  bannerComment: '',
  format: false,
  ignoreMinAndMaxItems: true,
  unknownAny: true,
}

/** Everything that has a schema, compiled in one run: shared shapes are written once. */
async function shapesOf(manifest: Manifest, names: Names): Promise<string> {
  const schemas = new Map<string, TypeSchema>()
  const add = (name: string, schema: JsonSchema, comment?: string | null): void => {
    if (schemas.has(name)) return
    const translated = toTypeSchema(schema, (definition) =>
      names.of('definition', { name: definition }),
    )
    schemas.set(name, comment == null ? translated : { ...translated, description: comment })
  }
  for (const [name, schema] of sortedEntries(manifest.definitions)) {
    add(names.of('definition', { name }), schema)
  }
  for (const entity of manifest.entities.toSorted(byName)) {
    if (entity.record !== null) add(names.of('record', entity), entity.record, entity.description)
    for (const action of entity.actions.toSorted(byName)) {
      add(names.of('params', action), inputOf(action.params))
      if (action.result !== null) add(names.of('result', action), action.result)
    }
  }
  add(`${names.connector}Config`, configOf(manifest))
  for (const method of manifest.auth.toSorted(byName)) {
    add(credentialsName(names, method.name), inputOf(method.credentials), method.description)
  }
  const root = {
    title: 'Root',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      [...schemas.keys()].map((name) => [name, { $ref: `#/definitions/${name}` }]),
    ),
    definitions: Object.fromEntries(schemas),
  }
  const source = await compile(root as never, 'Root', OPTIONS)
  return source
    .replace(/export interface Root \{[^}]*\}\n/, '')
    .replaceAll(/(?<!^export interface \w+ )\{\s*\[k: string\]: unknown\s*\}/gm, ANY_OBJECT)
    .replaceAll('[k: string]: ', '[member: string]: ')
}

/** What a caller writes: other accepted names and filled-in defaults included. */
function inputOf({ schema, aliases, defaults }: InputSchema): JsonSchema {
  const filled = defaults.flatMap(({ at }) => (at.length === 1 ? at : []))
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>
  const others = aliases.flatMap(({ alias, name }) => {
    const property = properties[name]
    return property === undefined
      ? []
      : [[alias, { ...property, description: `Another name of ${name}.` }] as const]
  })
  return withoutRequired(
    { ...schema, properties: { ...properties, ...Object.fromEntries(others) } },
    new Set([...filled, ...aliases.map(({ name }) => name)]),
  )
}

function withoutRequired(schema: JsonSchema, names: ReadonlySet<string>): JsonSchema {
  const { required } = schema
  return Array.isArray(required)
    ? { ...schema, required: required.filter((name) => !names.has(String(name))) }
    : schema
}

/** Settings that credentials or answers of the third party bring need not be given. */
function configOf(manifest: Manifest): JsonSchema {
  const brought = new Set(
    manifest.auth.flatMap((method) => [
      ...storedSettings(method),
      ...method.derive.map(({ setting }) => setting),
    ]),
  )
  return withoutRequired(inputOf(manifest.config), brought)
}

function credentialsName({ connector }: Names, method: string): string {
  return `${connector}${pascalCase(method)}Credentials`
}

function importsOf(manifest: Manifest): readonly string[] {
  const actions = manifest.entities.flatMap((entity) => entity.actions)
  const isUsed: Readonly<Record<string, boolean>> = {
    CallOptions: true,
    ConnectorOf: true,
    Download: actions.some(({ name }) => gives(name, 'stream')),
    [FILE_TYPE]: actions.some((action) => fileParams(action).length > 0),
    PageCall: actions.some(isListing),
    Result: actions.some(({ name }) => gives(name, 'record', 'nothing')),
    SearchCall: manifest.entities.some(({ search }) => search !== null),
    SearchParams: manifest.entities.some(({ search }) => search !== null),
  }
  return Object.keys(isUsed).filter((name) => isUsed[name] === true)
}

function isListing({ name }: Action): boolean {
  return gives(name, 'list')
}

function searchMembers(
  names: Names,
  entity: Entity,
  { fields, unfilled }: Search,
): readonly string[] {
  return fields.toSorted(byName).map(({ name, type, from }) => {
    const reason = unfilled[name]
    const note = comment([reason === undefined ? null : `Empty in the copy. ${reason}`])
    const property = propertyOf(entity.record, name)
    const written =
      type === 'object' && isShaped(property) && from.source === `$.${name}`
        ? `NonNullable<${names.of('record', entity)}['${name}']>`
        : isNumericText(property, type)
          ? NUMERIC
          : FIELD_TYPES[type]
    return `${note}${memberName(name)}: ${written}`
  })
}

function propertyOf(record: JsonSchema | null, name: string): JsonObject | undefined {
  const properties = record?.['properties']
  const property = isJsonObject(properties) ? own(properties, name) : undefined
  return isJsonObject(property) ? property : undefined
}

/** Whether more is known of an object than that it is one. */
function isShaped(schema: JsonObject | undefined): boolean {
  return (
    schema !== undefined && (schema['properties'] !== undefined || schema['$ref'] !== undefined)
  )
}

/** Whether a number may come as its digits: the record has text there, or it is taken from elsewhere. */
function isNumericText(property: JsonObject | undefined, type: FieldType): boolean {
  if (type !== 'integer' && type !== 'number') return false
  const declared = property?.['type']
  const types = Array.isArray(declared) ? declared : [declared]
  return !types.some((each) => each === 'integer' || each === 'number') || types.includes('string')
}

function entityTypes(manifest: Manifest, names: Names, entity: Entity): readonly string[] {
  const actions = entity.actions.toSorted(byName)
  const metas = actions.filter(isListing).map((action) => {
    const { meta, emptyMeta } = action.pagination
    const members = meta.toSorted(byName).map((pick) =>
      metaMember(
        pick,
        emptyMeta.find(({ name }) => name === pick.name),
      ),
    )
    return interfaceOf(names.of('meta', action), members)
  })
  const fields: string[] = []
  const members = actions.map((action) =>
    [
      commentOf(manifest, action),
      `${action.name}(${paramsOf(names, action)}, options?: CallOptions): ${answerOf(names, entity, action)}`,
    ]
      .filter((line) => line !== '')
      .join('\n'),
  )
  if (entity.search !== null) {
    const name = names.of('search', entity)
    const about = `/** What \`${entity.name}.search\` can filter and sort by. */`
    fields.push(`${about}\n${interfaceOf(name, searchMembers(names, entity, entity.search))}`)
    members.push(
      `/** Searches the synchronized copy; hosted mode only. */\nsearch(params: SearchParams<${name}>, options?: CallOptions): SearchCall<${name}>`,
    )
  }
  return [
    ...metas,
    ...fields,
    `${comment([entity.description ?? entity.title])}${interfaceOf(names.of('entity', entity), members)}`,
  ]
}

function interfaceOf(name: string, members: readonly string[]): string {
  return `export interface ${name} {\n${members.join('\n')}\n}`
}

/** Numeric text of a record stays text in hits, and digits that a double cannot hold are text in the client. */
const NUMERIC = 'number | `${number}`'

const FIELD_TYPES = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  object: ANY_OBJECT,
  array: 'readonly unknown[]',
} as const

function paramsOf(names: Names, action: Action): string {
  const { required } = inputOf(action.params)
  const isNeeded = Array.isArray(required) && required.length > 0
  return `params${isNeeded ? '' : '?'}: ${names.of('params', action)}`
}

function answerOf(names: Names, entity: Entity, action: Action): string {
  if (gives(action.name, 'stream')) return 'Promise<Download>'
  const record = entity.record === null ? ANY_OBJECT : names.of('record', entity)
  const result = action.result === null ? null : names.of('result', action)
  if (isListing(action)) {
    const meta = names.of('meta', action)
    return action.response.page === null
      ? `PageCall<${result ?? record}, ${meta}>`
      : `PageCall<${record}, ${meta}, ${result ?? ANY_OBJECT}>`
  }
  if (gives(action.name, 'nothing') || action.response.decode === 'none')
    return 'Promise<Result<null>>'
  // A third party may answer a change with nothing.
  const isChange = ACTIONS[action.name].effect === 'alters'
  return `Promise<Result<${result ?? record}${isChange ? ' | null' : ''}>>`
}

function metaMember(pick: MetaPick, empty?: MetaPick): string {
  return `${memberName(pick.name)}${pick.optional ? '?' : ''}: ${metaType(pick, empty)}`
}

/** A meta member has no schema; what stands for it in an empty listing tells its shape. */
function metaType({ value }: MetaPick, empty: MetaPick | undefined): string {
  if (value.kind === 'constant') return value.value === null ? 'null' : typeof value.value
  if (value.kind === 'object') return objectType(value.members)
  return empty?.value.kind === 'object' ? `${objectType(empty.value.members)} | null` : 'unknown'
}

function objectType(members: readonly MetaPick[]): string {
  const parts = members.toSorted(byName).map((pick) => metaMember(pick))
  return `{ ${[...parts, '[member: string]: unknown'].join('; ')} }`
}

function commentOf(manifest: Manifest, action: Action): string {
  const { summary, description, deprecated } = action
  const why = typeof deprecated === 'string' ? ` ${deprecated}` : ''
  const note = deprecated === false ? null : `@deprecated${why}`
  return comment([summary, description, note, seeOf(manifest)]).trimEnd()
}

function seeOf({ docs }: Manifest): string | null {
  return docs === null ? null : `@see ${docs}`
}

function comment(parts: readonly (string | null)[]): string {
  const lines = parts.filter((part) => part !== null)
  if (lines.length === 0) return ''
  const all = lines
    .flatMap((line) => line.trim().split('\n'))
    .map((line) => `* ${line.replaceAll('*/', '*\\/')}`)
  return `/**\n${all.join('\n')}\n*/\n`
}

function connectorTypes(manifest: Manifest, names: Names): string {
  const { connector } = names
  const entities = manifest.entities.toSorted(byName)
  const members = entities.map(
    (entity) => `readonly ${memberName(entity.name)}: ${names.of('entity', entity)}`,
  )
  const methods = manifest.auth.toSorted(byName).map(({ name }) => credentialsName(names, name))
  return [
    `/** Its entities, also for \`execute\`. */\n${interfaceOf(`${connector}Entities`, members)}`,
    `${comment([manifest.description ?? manifest.title, seeOf(manifest)])}export interface ${connector} extends ConnectorOf<${connector}Entities>, ${connector}Entities {}`,
    `export type ${connector}Credentials = ${methods.length === 0 ? '{ [member: string]: never }' : methods.join(' | ')}`,
    `export interface ${connector}Settings {\ncredentials: ${connector}Credentials\nconfig: ${connector}Config\n}`,
    `declare module 'tenon' {\ninterface Connectors {\n${memberName(manifest.type)}: ${connector}\n}\n}`,
  ].join('\n\n')
}

function sortedEntries<T>(values: Readonly<Record<string, T>>): readonly (readonly [string, T])[] {
  return Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}
