// A manifest as a Markdown reference: what a person looks up who calls the connector.
import type { JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { type ClientApp, consentOf, consentScopes } from '../../language/manifest/access/consent.ts'
import { limitSentence } from './limits.ts'
import { withSearch } from '../../language/manifest/actions.ts'
import type {
  Action,
  ClockDefault,
  Entity,
  InputSchema,
  JsonSchema,
  Manifest,
} from '../../language/manifest/manifest.ts'
import { turnsPages } from '../../language/manifest/pagination-styles.ts'
import { dereference, referredEntity, typeNamesOf } from '../../language/manifest/json-schema.ts'

/** Parameters with which an operation of the sandbox succeeds; what `sandbox/example-calls.ts` gives. */
export type ExampleParams = (operation: string) => JsonObject

/** The reference of a connector. The same text for the same manifest and examples. */
export function generateReference(manifest: Manifest, exampleParams: ExampleParams): string {
  const sections = [
    `# ${manifest.title}`,
    MADE,
    joined(' ', [
      `Type \`${manifest.type}\`, version ${manifest.version}.`,
      prose(manifest.description),
      manifest.docs && `The vendor's own reference: <${manifest.docs}>.`,
      manifest.statusPage && `Whether it is up: <${manifest.statusPage}>.`,
    ]),
    contents(manifest),
    connecting(manifest),
    limits(manifest),
    webhooks(manifest),
    ...manifest.entities.map((entity) => entitySection(manifest, entity, exampleParams)),
  ]
  return `${paragraphs(...sections)}\n`
}

/** What there is of these parts. */
function joined(separator: string, parts: readonly (string | null | false | undefined)[]): string {
  return parts.filter((part) => part != null && part !== false && part !== '').join(separator)
}

function paragraphs(...parts: Parameters<typeof joined>[1]): string {
  return joined('\n\n', parts)
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

/** Whether a text is a reference that was made here. */
export function isReference(text: string): boolean {
  return text.includes(`\n${MADE}\n`)
}

const MADE = '<!-- Made by `tenon docs` from the manifest. Do not edit. -->'

function contents({ entities }: Manifest): string {
  const rows = entities.map(({ name, actions, search }) => {
    const names = actions.map((action) => action.name)
    return [`[\`${name}\`](#${name})`, codes(withSearch(names, search !== null))]
  })
  return table(['Entity', 'Actions'], rows)
}

function connecting(manifest: Manifest): string {
  const methods = manifest.auth.map((method) => {
    const scopes = consentScopes(manifest, method)
    return paragraphs(
      `### ${method.title ?? method.name} (\`${method.name}\`)`,
      prose(method.description),
      membersOf(manifest, method.credentials.schema).length === 0
        ? 'No credentials are needed.'
        : inputTable(manifest, method.credentials),
      consentOf(method) !== null &&
        `Users agree on a page of the vendor, which sends them back to \`<public url>/v1/oauth/callback/${manifest.type}\`.`,
      scopes.length > 0 && `Scopes: ${codes(scopes)}.`,
      clientGuide(consentOf(method)?.client.app ?? null),
    )
  })
  const settings = membersOf(manifest, manifest.config.schema)
  return paragraphs(
    '## Connecting',
    ...(methods.length === 0 ? ['No credentials are needed.'] : methods),
    settings.length > 0 && paragraphs('### Settings', inputTable(manifest, manifest.config)),
  )
}

/** How an operator gets a client for the consents of a method. */
function clientGuide(app: ClientApp | null): string | null {
  if (app === null) return null
  return paragraphs(
    `How the service gets its OAuth client${app.url === null ? '' : `: <${app.url}>`}.`,
    app.steps.map((step, at) => `${at + 1}. ${prose(step)}`).join('\n'),
  )
}

function limits({ limits: { rates, concurrency, per } }: Manifest): string {
  const parts = joined(', ', [
    ...rates.map(({ count, periodMs }) => `${count} requests per ${periodText(periodMs)}`),
    concurrency !== null && `${concurrency} at once`,
  ])
  if (parts === '') return ''
  const whose = per === 'instance' ? 'connected account' : 'application'
  return `## Limits\n\nPer ${whose}: ${parts}. Calls wait for their turn; one that would wait past its deadline fails at once.`
}

/** What becomes of deliveries of the vendor. */
function webhooks({ webhooks: given }: Manifest): string {
  if (given === undefined) return ''
  const entities = [...new Set(given.map.map(({ entity }) => entity))]
  return paragraphs(
    '## Webhooks',
    joined(' ', [
      entities.length > 0 &&
        `Deliveries of the vendor keep the copies of ${codes(entities)} up to date between syncs.`,
      given.subscribe === undefined
        ? 'They are set up at the vendor by hand.'
        : 'The service asks the vendor for them, where the settings of the instance want it.',
    ]),
  )
}

/** How the copy of an entity is filled. */
function synced({ sync }: Entity): string {
  if (sync === null) return ''
  const { action, everyMs, cursor, fullMs, parent } = sync
  return joined(' ', [
    joined('', [
      `Filled by \`${action}\``,
      parent !== null && `, once for each of \`${parent.entity}\``,
      everyMs !== null && `, every ${periodText(everyMs)}`,
      '.',
    ]),
    cursor === null
      ? 'Each run reads all records.'
      : `A run reads what has changed, by \`${cursor.field.source}\`${fullMs === null ? '' : `; every ${periodText(fullMs)} one reads all`}.`,
  ])
}

const PERIODS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
]

function periodText(ms: number): string {
  const [unit, name] = PERIODS.find(([length]) => ms % length === 0) ?? [1, 'millisecond']
  return ms === unit ? name : `${ms / unit} ${name}s`
}

function entitySection(manifest: Manifest, entity: Entity, exampleParams: ExampleParams): string {
  return paragraphs(
    `## ${entity.name}`,
    prose(entity.description),
    ...entity.actions.map((action) => actionSection(manifest, action, exampleParams)),
    entity.search !== null && searchSection(entity),
    entity.record !== null &&
      paragraphs(
        '### Record',
        'Further members that the vendor sends pass through unchanged.',
        membersTable(manifest, entity.record),
      ),
  )
}

function actionSection(manifest: Manifest, action: Action, exampleParams: ExampleParams): string {
  const operation = `${action.entity}.${action.name}`
  const members = membersOf(manifest, action.params.schema)
  const facts = joined('; ', [
    turnsPages(action.pagination) && 'paged',
    action.response.kind === 'stream' && 'a stream of bytes',
    action.scopes.length > 0 && `needs ${codes(action.scopes)}`,
    action.retry.idempotent && 'safe to repeat',
  ])
  const { summary, description, deprecated, result } = action
  const why = typeof deprecated === 'string' ? ` ${deprecated}` : ''
  return paragraphs(
    `### ${operation}`,
    joined(' ', [sentence(summary), sentence(description)]),
    deprecated !== false && `**Deprecated.**${why}`,
    action.steps
      .map(({ request }) => `\`${request.method} ${pathOf(request.path)}\``)
      .join(', then '),
    facts !== '' && `${facts.charAt(0).toUpperCase()}${facts.slice(1)}.`,
    members.length === 0 ? 'No parameters.' : inputTable(manifest, action.params),
    action.refuse.length > 0 && `Refused: ${action.refuse.map(({ message }) => message).join(' ')}`,
    result !== null && paragraphs('Answers:', membersTable(manifest, result)),
    `\`\`\`\n${tryCommand(manifest.type, operation, exampleParams(operation))}\n\`\`\``,
  )
}

function sentence(text: string | null): string {
  return prose(text).replace(/[^.!?]$/, '$&.')
}

function pathOf(path: Action['steps'][number]['request']['path']): string {
  return path
    .map((segment) =>
      segment.map((part) => (typeof part === 'string' ? part : `{${nameIn(part)}}`)).join(''),
    )
    .map((segment) => `/${segment}`)
    .join('')
}

/** The parameter that an expression is made of, as readers see it. */
function nameIn(expression: object): string {
  const [name] = /"path":\["([^"]+)"/.exec(JSON.stringify(expression))?.slice(1) ?? []
  return name ?? 'value'
}

/** The command that runs an operation, as one types it into a POSIX shell. */
export function tryCommand(
  type: string,
  operation: string,
  params: JsonObject,
  flags = '--sandbox',
): string {
  const given = JSON.stringify(params)
  const flag = given === '{}' ? '' : ` --params '${given.replaceAll("'", String.raw`'\''`)}'`
  return `tenon try ${type} ${operation}${flag} ${flags}`
}

function searchSection(entity: Entity): string {
  const { name, search } = entity
  const byType = Object.groupBy(search?.fields ?? [], ({ type }) => type)
  const rows = Object.entries(byType).map(([type, fields]) => [
    type,
    codes((fields ?? []).map((field) => field.name)),
  ])
  // Fields that are empty for the same reason stand in one line.
  const byReason = Object.groupBy(Object.entries(search?.unfilled ?? {}), ([, reason]) => reason)
  const unfilled = Object.entries(byReason).map(
    ([reason, fields]) => `- ${codes((fields ?? []).map(([field]) => field))}: ${prose(reason)}`,
  )
  return paragraphs(
    `### ${name}.search`,
    joined(' ', ['Searches the synchronized copy; hosted mode only.', synced(entity)]),
    'Fields to filter and sort by:',
    table(['Type', 'Fields'], rows),
    unfilled.length > 0 && 'Empty in the copy, because its listing does not bring them:',
    unfilled.join('\n'),
  )
}

function inputTable(manifest: Manifest, input: InputSchema): string {
  const filled = new Set(input.defaults.map(({ at }) => at.join('.')))
  const clocks = new Map(
    input.defaults.flatMap((entry) =>
      'clock' in entry ? [[entry.at.join('.'), entry.clock] as const] : [],
    ),
  )
  const secrets = new Set(input.secrets.map((path) => path.join('.')))
  const aliases = Object.groupBy(input.aliases, ({ name }) => name)
  const rows = membersWithin(manifest, input.schema).map(({ name, schema, required }) => {
    const { description, default: value, deprecated } = schema
    const others = codes((aliases[name] ?? []).map(({ alias }) => alias))
    const notes = joined(' ', [
      prose(description),
      ...limitSentence(schema),
      namedRecord(schema),
      value !== undefined && `Default \`${JSON.stringify(value)}\`.`,
      clockSentence(clocks.get(name)),
      others !== '' && `Also ${others}.`,
      secrets.has(name) && 'Secret.',
      deprecated === true && 'Deprecated.',
    ])
    const star = required && !filled.has(name) ? ' *' : ''
    return [`\`${name}\`${star}`, typeText(manifest, schema), notes]
  })
  const star = rows.some(([name]) => name?.endsWith('*') === true) ? '\n\n\\* required' : ''
  return `${table(['Name', 'Type', 'Meaning'], rows)}${star}`
}

/** The rule of a default that follows the clock. */
function clockSentence(clock: ClockDefault | undefined): string | false {
  if (clock === undefined) return false
  const { now, format } = clock
  const when = /^-?(?:P?T?0[A-Z]|0[smhd])$/.test(now)
    ? 'the time of the call'
    : `the time of the call ${now.startsWith('-') ? 'minus' : 'plus'} \`${now.replace('-', '')}\``
  const how = format === 'iso' ? '' : ` (as \`${format}\`)`
  return `Default: ${when}${how}; all pages of a listing keep that of the first.`
}

function membersTable(manifest: Manifest, schema: JsonSchema): string {
  const rows = membersWithin(manifest, schema).map(({ name, schema: member }) => [
    `\`${name}\``,
    typeText(manifest, member),
    joined(' ', [prose(member['description']), namedRecord(member)]),
  ])
  return table(['Member', 'Type', 'Meaning'], rows)
}

/** Which record the value names, or each of a list. */
function namedRecord(schema: JsonSchema): string | false {
  const entity = referredEntity(schema)
  return entity !== null && `Names a record of [\`${entity}\`](#${entity}).`
}

interface Member {
  readonly name: string
  readonly schema: JsonSchema
  readonly required: boolean
}

function membersOf(manifest: Manifest, written: JsonSchema): readonly Member[] {
  const schema = dereference(written, manifest.definitions)
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  return Object.entries(properties).map(([name, member]) => ({
    name,
    schema: dereference(isJsonObject(member) ? member : {}, manifest.definitions),
    required: required.has(name),
  }))
}

/**
 * The members, and those of the objects in them: `filter.callIds` of an object, `questions[].id` of the elements of a
 * list. A shape inside itself is not opened again.
 */
function membersWithin(
  manifest: Manifest,
  written: JsonSchema,
  prefix = '',
  opened: readonly JsonSchema[] = [],
): readonly Member[] {
  return membersOf(manifest, written).flatMap((member) => {
    const name = `${prefix}${member.name}`
    const element = isJsonObject(member.schema['items'])
      ? dereference(member.schema['items'], manifest.definitions)
      : null
    const inside = element ?? member.schema
    return [
      { ...member, name },
      ...(opened.includes(inside)
        ? []
        : membersWithin(manifest, inside, `${name}${element === null ? '' : '[]'}.`, [
            ...opened,
            inside,
          ])),
    ]
  })
}

function typeText(manifest: Manifest, schema: JsonSchema): string {
  const values = schema['enum']
  if (Array.isArray(values)) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  if (schema['const'] !== undefined) return `\`${JSON.stringify(schema['const'])}\``
  const types = typeNamesOf(schema)
  if (types.length === 0) return schema['oneOf'] === undefined ? 'any' : 'one of several'
  return types
    .map((type) => {
      if (type !== 'array' || !isJsonObject(schema['items'])) return type
      return `array of ${typeText(manifest, dereference(schema['items'], manifest.definitions))}`
    })
    .join(' or ')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Text that Markdown shows as it is: `<start>` is a placeholder, no element. Empty for all that is no text. */
function prose(text: unknown): string {
  return typeof text === 'string' ? text.replaceAll('<', '&lt;') : ''
}
