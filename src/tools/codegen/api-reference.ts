// The OpenAPI document of a service as Markdown: one page for each operation, and all of them on one.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { limitSentence } from './limits.ts'

/** One operation, in Markdown that begins with a heading of the second level. */
export interface ApiOperation {
  readonly id: string
  readonly group: string
  readonly summary: string
  /** `GET /v1/logs`. */
  readonly request: string
  readonly text: string
}

/** Where a page finds the meaning of codes: the address of the page of errors, as links of that page spell it. */
export interface ApiReferenceOptions {
  readonly errorsPage: string
  /** The members of answers, and the request as a command line: a page of one operation has them. */
  readonly isFull: boolean
}

/** What every route can answer: where all routes stand on one page, this is said once. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  'request_malformed',
  'token_invalid',
  'scope_denied',
  'rate_limited',
  'body_too_large',
  'media_type_unsupported',
  'request_timeout',
  'overloaded',
  'shutting_down',
  'store_unavailable',
  'internal_error',
])

/** The whole of it as one page. */
export function apiReference(document: JsonObject, about: string, errorsPage: string): string {
  const common = [...EVERYWHERE].map((code) => `\`${code}\``).join(', ')
  const pages = operationPages(document, { errorsPage, isFull: false })
  const head = `${about} Every path below is served under \`/v1\` and \`/api/v1\`. Errors are \`application/problem+json\` with the codes of [errors](${errorsPage}); every route can also answer ${common}, those of tokens and bodies where it takes them.`
  return `# HTTP API\n\n${head}\n\n${pages.map(({ text: page }) => page).join('\n\n')}\n`
}

/** The operations in the order of their groups. The same document gives the same text. */
export function operationPages(
  document: JsonObject,
  options: ApiReferenceOptions,
): readonly ApiOperation[] {
  const components = members(members(document['components'])['schemas'])
  const found = Object.entries(members(document['paths'])).flatMap(([path, item]) =>
    Object.entries(members(item)).map(([method, operation]) =>
      operationPage(`${method.toUpperCase()} ${path}`, members(operation), components, options),
    ),
  )
  return list(document['tags']).flatMap((tag) =>
    found.filter(({ group }) => group === members(tag)['name']),
  )
}

function operationPage(
  request: string,
  operation: JsonObject,
  components: JsonObject,
  { errorsPage, isFull }: ApiReferenceOptions,
): ApiOperation {
  const summary = text(operation['summary'])
  const parameters = list(operation['parameters']).map(members)
  const aliases = list(operation['x-aliases']).map((path) => `\`${text(path)}\``)
  const content = members(members(operation['requestBody'])['content'])
  const body = members(content['application/json'])
  const example = body['example'] ?? null
  const responses = Object.entries(members(operation['responses']))
  const [sample] = list(operation['x-codeSamples']).map((each) => text(members(each)['source']))
  const errors = responses
    .filter(([status]) => status >= '4')
    .flatMap(([, answer]) => [...text(members(answer)['description']).matchAll(CODES)])
    .map(([, code = '']) => code)
    .filter((code) => isFull || !EVERYWHERE.has(code))
    .map((code) => `[\`${code}\`](${errorsPage}#${code})`)
  const parts = [
    `## ${prose(summary)}`,
    `\`${request}\``,
    [
      prose(text(operation['description']).replace(`${summary}. `, '')),
      ...(aliases.length === 0 ? [] : [`Also at ${aliases.join(', ')}.`]),
    ].join(' '),
    ...(['path', 'query', 'header'] as const).map((place) =>
      parameterTable(
        PLACES[place],
        parameters.filter((each) => each['in'] === place),
      ),
    ),
    memberTable('Body', members(body['schema']), components, true),
    content['multipart/form-data'] === undefined ? '' : FILES,
    example === null || Object.keys(members(example)).length === 0
      ? ''
      : fence('json', JSON.stringify(example, null, 2)),
    ...responses
      .filter(([status]) => status < '4')
      .map(([status, answer]) => answerText(status, members(answer), components, isFull)),
    errors.length === 0 ? '' : `Errors: ${errors.join(', ')}.`,
    isFull && sample !== undefined ? fence('sh', sample) : '',
  ]
  return {
    id: text(operation['operationId']),
    group: text(list(operation['tags'])[0]),
    summary,
    request,
    text: parts.filter((part) => part !== '').join('\n\n'),
  }
}

const PLACES = { path: 'Path parameter', query: 'Query parameter', header: 'Header' } as const

/** The description of an answer names its codes: `params_invalid: Parameters are not valid; …`. */
const CODES = /(?:^|; )(\w+): /g

const FILES =
  'Also as `multipart/form-data`: its first part, `operation`, is this JSON, which may have a member `files`; files follow, each named as its parameter.'

function answerText(
  status: string,
  answer: JsonObject,
  components: JsonObject,
  isFull: boolean,
): string {
  const said = `Response ${status}: ${prose(text(answer['description']))}`
  const json = members(members(answer['content'])['application/json'])
  const table = isFull ? memberTable('Member', members(json['schema']), components, false) : ''
  return [said, table, ...(isFull ? exampleTexts(json) : [])]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** What a sandbox answered, for each form of the answer that has an example. */
function exampleTexts({ example, examples }: JsonObject): readonly string[] {
  const given = example === undefined ? Object.values(members(examples)).map(members) : []
  const forms = example === undefined ? given : [{ summary: 'Example', value: example }]
  return forms.map(
    ({ summary, value }) =>
      `${text(summary)}:\n\n${fence('json', JSON.stringify(value ?? null, null, 2))}`,
  )
}

function parameterTable(title: string, parameters: readonly JsonObject[]): string {
  const rows = parameters.map((each) => {
    const schema = members(each['schema'])
    return row(text(each['name']), each['required'] === true, {
      ...schema,
      description: each['description'] ?? schema['description'] ?? '',
    })
  })
  return table(title, 'Required', rows)
}

/** The members of an object, and those of the objects and lists in it, three levels deep. */
function memberTable(
  title: string,
  schema: JsonObject,
  components: JsonObject,
  isInput: boolean,
): string {
  return table(
    title,
    isInput ? 'Required' : 'Always present',
    memberRows(schema, components, isInput ? 1 : MAX_DEPTH),
  )
}

const MAX_DEPTH = 3

function memberRows(
  written: JsonObject,
  components: JsonObject,
  depth: number,
  prefix = '',
): readonly string[] {
  if (depth === 0) return []
  const schema = resolved(written, components)
  const required = new Set(list(schema['required']).map(text))
  return Object.entries(members(schema['properties'])).flatMap(([name, given]) => {
    const member = resolved(members(given), components)
    const elements = resolved(members(member['items']), components)
    const inside = Object.keys(elements).length === 0 ? member : elements
    const below = `${prefix}${name}${inside === member ? '' : '[]'}.`
    return [
      row(`${prefix}${name}`, required.has(name), member),
      ...memberRows(inside, components, depth - 1, below),
    ]
  })
}

function resolved(schema: JsonObject, components: JsonObject): JsonObject {
  const reference = text(schema['$ref'])
  if (reference !== '') return members(components[reference.split('/').at(-1) ?? ''])
  // What may be null as well is that of the other form.
  const forms = list(schema['anyOf'] ?? schema['oneOf'])
    .map(members)
    .filter((form) => form['type'] !== 'null')
  const [only] = forms
  return only === undefined || forms.length > 1 ? schema : { ...only, ...schema }
}

function row(name: string, isMarked: boolean, schema: JsonObject): string {
  const { default: value } = schema
  const meaning = [
    prose(text(schema['description'])),
    ...limitSentence(schema),
    value === undefined ? '' : `Default \`${JSON.stringify(value)}\`.`,
  ].filter((part) => part !== '')
  const cells = [`\`${name}\``, typeWords(schema), isMarked ? 'yes' : '', meaning.join(' ')]
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')).join(' | ')} |`
}

function typeWords(schema: JsonObject): string {
  const { enum: values, type } = schema
  if (Array.isArray(values)) return values.map((value) => `\`${text(value)}\``).join(', ')
  if (schema['const'] !== undefined) return `\`${JSON.stringify(schema['const'])}\``
  return (
    list(type === undefined || Array.isArray(type) ? type : [type])
      .map(String)
      .join(' or ') || 'any'
  )
}

function table(title: string, mark: string, rows: readonly string[]): string {
  if (rows.length === 0) return ''
  return `| ${title} | Type | ${mark} | Meaning |\n| --- | --- | --- | --- |\n${rows.join('\n')}`
}

function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``
}

/** A text with no tag and no template beyond code: the site would take `<id>` for an element, and `{{ id }}` for its own. */
export function prose(given: string): string {
  return given
    .split('`')
    .map((part, index) =>
      index % 2 === 0
        ? part.replaceAll('<', String.raw`\<`).replaceAll(/\{\{.*?\}\}/g, '`$&`')
        : part,
    )
    .join('`')
}

function members(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {}
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}
