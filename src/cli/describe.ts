// `tenon describe`: what a connector can do, at a glance and in detail.
import { tryCommand } from '../tools/codegen/reference.ts'
import { gives } from '../language/manifest/actions.ts'
import { describeEntities, operationNames } from '../language/manifest/describe.ts'
import type { ActionDescription, EntityDescription } from '../client/client.ts'
import type { JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { dereference, typeNamesOf } from '../language/manifest/json-schema.ts'
import type { JsonSchema, Manifest } from '../language/manifest/manifest.ts'
import { didYouMean } from '../language/manifest/suggest.ts'
import { createExampleCalls } from '../sandbox/example-calls.ts'
import { loadDemo } from '../sandbox/open-sandbox.ts'
import { type Configure, JSON_OPTION, leaf } from './command.ts'
import { UsageError } from './exit-codes.ts'
import { findManifest } from './manifest-files.ts'
import type { Channel } from './terminal.ts'
import { wrapCommand, wrapLine, wrapText } from './wrap.ts'

export const examples: readonly string[] = [
  'tenon describe jira',
  'tenon describe jira issues',
  'tenon describe jira issues.api_search --json',
]

export const configure: Configure = leaf({
  arguments: {
    '<type>': 'a connector type, or the path of a manifest',
    '[operation]': 'an entity, or entity.action',
    '[action]': 'the action, when the entity stands alone',
  },
  options: JSON_OPTION,
  async run({ type, operation = '', action: second }, { terminal: { out }, folder }) {
    const { manifest, path } = await findManifest(type, folder)
    const [entityName = '', dotted] = operation.split('.')
    const actionName = second ?? dotted
    if (entityName === '') {
      const all = describeEntities(manifest)
      return { value: overview(manifest, all), shown: overviewText(manifest, all, out) }
    }
    const entity = entityOf(manifest, entityName)
    const { entity: name, searchFields } = entity
    if (actionName === undefined) return { value: entity, shown: entityText(manifest, entity, out) }
    if (gives(actionName, 'hits') && searchFields !== null) {
      const value = { entity: name, action: actionName, searchFields }
      return { value, shown: searchText(name, searchFields, out) }
    }
    const action = entity.actions.find((each) => each.action === actionName)
    if (action === undefined) throw unknown(name, 'action', actionName, operationNames(entity))
    const exampleParams = createExampleCalls(manifest, await loadDemo(path, manifest))
    const operationName = `${name}.${actionName}`
    const example = exampleParams(operationName)
    const shown = actionText(manifest.type, operationName, action, { example, out })
    return { value: { entity: name, ...action }, shown }
  },
})

function entityOf(manifest: Manifest, name: string): EntityDescription {
  const entities = describeEntities(manifest)
  const found = entities.find(({ entity }) => entity === name)
  if (found !== undefined) return found
  const names = entities.map(({ entity }) => entity)
  throw unknown(manifest.type, 'entity', name, names)
}

function unknown(owner: string, what: string, name: string, names: readonly string[]): UsageError {
  return new UsageError(
    `${owner} has no ${what} "${name}"${didYouMean(name, names)}; it has ${names.join(', ')}`,
  )
}

function overview(manifest: Manifest, entities: readonly EntityDescription[]): object {
  const { type, title, version, docs, description, auth, config } = manifest
  const methods = auth.map(({ name, credentials }) => ({ name, credentials: credentials.schema }))
  const about = { type, title, version, docs, description }
  return { ...about, auth_methods: methods, config: config.schema, entities }
}

/** A line as it is: a call that is copied is not broken. */
interface WholeLine {
  readonly whole: string
}

/** The lines of a text, as long as the terminal is wide; null: there is none. */
function textOf(out: Channel, ...lines: readonly (string | WholeLine | null)[]): string {
  const given = lines.filter((line) => line !== null)
  return `${given.map((line) => (typeof line === 'string' ? wrapText(line, out) : line.whole)).join('\n')}\n`
}

/** What follows a name, also in further lines, stands in one column. */
function hanging(name: string, text: string, out: Channel): WholeLine {
  return { whole: wrapLine(`${name}${text}`, out, name.length) }
}

function overviewText(
  manifest: Manifest,
  entities: readonly EntityDescription[],
  out: Channel,
): string {
  const width = Math.max(...entities.map(({ entity }) => entity.length))
  const methods = manifest.auth.map(
    ({ name, credentials }) =>
      `  ${name}: ${Object.keys((credentials.schema['properties'] ?? {}) as object).join(', ')}`,
  )
  return textOf(
    out,
    `${manifest.title} (${manifest.type} ${manifest.version})`,
    manifest.description,
    '',
    'Credentials',
    ...methods,
    '',
    'Entities',
    ...entities.map((entity) =>
      hanging(`  ${entity.entity.padEnd(width)}  `, operationNames(entity).join(', '), out),
    ),
    '',
    `More: tenon describe ${manifest.type} <entity>[.<action>]`,
  )
}

function entityText(manifest: Manifest, entity: EntityDescription, out: Channel): string {
  const fields = Object.entries(entity.searchFields ?? {}).map(
    ([name, type]) => `${name} (${type})`,
  )
  return textOf(
    out,
    out.paint('bold', entity.entity),
    entity.description,
    '',
    ...entity.actions.map(({ action, summary, deprecated }) =>
      hanging(
        `  ${action.padEnd(10)}  `,
        `${summary ?? ''}${deprecated === false ? '' : ' (deprecated)'}`,
        out,
      ),
    ),
    ...(fields.length === 0 ? [] : ['', `search by ${fields.join(', ')}`]),
    '',
    'Record',
    ...memberLines(entity.record ?? {}),
    '',
    `More: tenon describe ${manifest.type} ${entity.entity}.<action>`,
  )
}

function actionText(
  type: string,
  name: string,
  action: ActionDescription,
  { example, out }: { readonly example: JsonObject; readonly out: Channel },
): string {
  const facts = [
    action.safe ? 'changes nothing' : 'writes',
    ...(action.paged ? ['paged'] : []),
    ...(action.idempotent && !action.safe ? ['safe to repeat'] : []),
    ...(action.scopes.length === 0 ? [] : [`needs ${action.scopes.join(', ')}`]),
  ]
  const given = Object.keys(example).length === 0 ? '' : JSON.stringify(example)
  const why = typeof action.deprecated === 'string' ? ` ${action.deprecated}` : ''
  return textOf(
    out,
    `${out.paint('bold', name)}${action.summary === null ? '' : `  ${action.summary}`}`,
    action.description,
    action.deprecated === false ? null : `Deprecated.${why}`,
    facts.join(', '),
    '',
    'Parameters (* required)',
    ...memberLines(action.params),
    '',
    'Call it',
    { whole: `  await client.${name}(${given})` },
    { whole: wrapCommand(`  ${tryCommand(type, name, example)}`, out) },
    {
      whole: wrapCommand(
        `  ${tryCommand(type, name, example, '--preview --sandbox')}   # the request as curl`,
        out,
      ),
    },
  )
}

function searchText(
  entity: string,
  fields: Readonly<Record<string, string>>,
  out: Channel,
): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length))
  return textOf(
    out,
    `${out.paint('bold', `${entity}.search`)}  Search the synchronized copy`,
    'changes nothing, paged, hosted mode only',
    '',
    'Parameters (* required)',
    '  query*  object',
    '    filter  object  {"<operator>":{"<field>":<value>}}; every record when left out',
    '    sort  array  {"<field>":"asc"} or {"<field>":"desc"}',
    '  limit  integer  Maximum of hits, 1000 when left out.',
    '  cursor  string  next_cursor of the page before.',
    '  fields  array of string  What hits hold; everything when left out.',
    '',
    'Fields to filter and sort by',
    ...Object.entries(fields).map(([name, type]) => `  ${name.padEnd(width)}  ${type}`),
    '',
    'Call it',
    `  await client.${entity}.search({ query: {} })`,
    `  tenon search <instance> ${entity}`,
  )
}

type Definitions = Parameters<typeof dereference>[1]

/** One line per member, objects inside indented. */
function memberLines(
  schema: JsonSchema,
  depth = 0,
  definitions = (schema['definitions'] ?? {}) as Definitions,
): readonly string[] {
  const { properties, required } = dereference(schema, definitions)
  if (!isJsonObject(properties) || depth > 3) return depth === 0 ? ['  none'] : []
  return Object.entries(properties).flatMap(([name, written]) => {
    const member = dereference(isJsonObject(written) ? written : {}, definitions)
    const star = Array.isArray(required) && required.includes(name) ? '*' : ''
    const note = typeof member['description'] === 'string' ? `  ${member['description']}` : ''
    return [
      `${'  '.repeat(depth + 1)}${name}${star}  ${typeText(member, definitions)}${note}`,
      ...memberLines(member, depth + 1, definitions),
    ]
  })
}

function typeText(schema: JsonSchema, definitions: Definitions): string {
  const { enum: values, items } = schema
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  const bounds = BOUNDS.flatMap(([keyword, sign]) =>
    typeof schema[keyword] === 'number' && schema[keyword] !== 10_000
      ? [`${sign}${schema[keyword]}`]
      : [],
  )
  const of = isJsonObject(items)
    ? ` of ${typeText(dereference(items, definitions), definitions)}`
    : ''
  const types = typeNamesOf(schema).join(' | ') || 'any'
  return `${types}${of}${bounds.length === 0 ? '' : ` (${bounds.join(', ')})`}`
}

const BOUNDS = [
  ['minimum', '≥ '],
  ['maximum', '≤ '],
  ['maxItems', 'at most '],
] as const
