// A vendor's OpenAPI 3, Swagger 2 or Google discovery document, read so that the rest need not know which of them it is.
import { isScalar, parseDocument, visit } from 'yaml'
import type { Json, JsonObject } from '../../../language/json/json.ts'
import { isJsonObject, isList } from '../../../language/json/members.ts'
import { pathIn } from '../../../language/json/pointer.ts'
import { isDiscovery, openApiOfDiscovery } from './discovery.ts'

/** The document cannot be used; the message says why, and what would do. */
export class OpenApiError extends Error {
  override readonly name = 'OpenApiError'
}

export interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  readonly description: string | null
  readonly deprecated: boolean
  readonly schema: JsonObject
  /** How its lists and objects travel. */
  readonly style: WireStyle
}

/** Styles of the language, and two that its members decide: `deep` (`a[k]=v`), `members` (each member by its own name). */
export type WireStyle = 'repeat' | 'csv' | 'ssv' | 'pipe' | 'json' | 'deep' | 'members'

export interface OpenApiOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Where it is to be called, if that is not where all others are. */
  readonly server: OpenApiServer | null
  /** `operationId`; null: it has none. */
  readonly id: string | null
  readonly tags: readonly string[]
  readonly summary: string | null
  readonly description: string | null
  readonly deprecated: boolean
  readonly parameters: readonly OpenApiParameter[]
  readonly body: {
    readonly kind: 'json' | 'form' | 'multipart' | 'other'
    readonly type: string
    readonly required: boolean
    readonly schema: JsonObject
    /** Members of a form whose `encoding` says how they travel. */
    readonly styles: ReadonlyMap<string, WireStyle>
  } | null
  /** Schema of the JSON that a success answers; null: none is described. */
  readonly answer: JsonObject | null
  readonly answersLink: boolean
  /** `bytes`: a success is a file; `elsewhere`: it is a redirect to one. */
  readonly file: 'bytes' | 'elsewhere' | null
  /** JSON of a failure that no status names. */
  readonly failure: JsonObject | null
  /** Names of security schemes: one of these lists is needed, each as a whole. */
  readonly security: readonly (readonly string[])[]
  readonly scopes: readonly string[]
}

export interface OpenApiServer {
  /** As it is written, variables in braces. */
  readonly url: string
  readonly variables: ReadonlyMap<
    string,
    {
      /** Its default; null when it has none. */
      readonly example: string | null
      readonly choices: readonly string[]
      readonly description: string | null
    }
  >
}

export interface OpenApiDocument {
  readonly title: string | null
  readonly version: string | null
  readonly license: string | null
  readonly description: string | null
  readonly docs: string | null
  /** Null when the document has none that is absolute. */
  readonly server: OpenApiServer | null
  readonly security: Readonly<Record<string, JsonObject>>
  readonly operations: readonly OpenApiOperation[]
  readonly follow: Follow
}

/** The object behind a reference inside the document, or the value itself. */
export type Follow = (value: Json | undefined) => JsonObject

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Reads a document of OpenAPI 3.0, 3.1, Swagger 2.0, as JSON or YAML, or of Google discovery. Throws OpenApiError. */
export function readOpenApi(text: string, file: string): OpenApiDocument {
  let root: unknown
  try {
    root = jsonOf(text) ?? yamlOf(text)
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''
    throw new OpenApiError(`${file} is neither JSON nor YAML: ${reason}`)
  }
  if (isJsonObject(root) && isDiscovery(root)) root = openApiOfDiscovery(root)
  const isSwagger = isJsonObject(root) && textIn(root['swagger']).startsWith('2')
  if (!isJsonObject(root) || (!isSwagger && !textIn(root['openapi']).startsWith('3'))) {
    throw new OpenApiError(
      `${file} is no OpenAPI document: it has neither "openapi": "3.…" nor "swagger": "2.0", and it is no Google discovery document`,
    )
  }
  const follow = boundedFollow(root, text.length)
  const shared = isSwagger ? null : openApiServer(root['servers'], follow)
  const reader: Reader = { root, isSwagger, follow, shared }
  const elsewhere = referenceElsewhere(root['paths'])
  if (elsewhere !== null)
    throw new OpenApiError(
      `${file} keeps operations in other files (${elsewhere}): bundle them into one document first`,
    )
  const info = follow(root['info'])
  const schemes = follow(
    isSwagger ? root['securityDefinitions'] : follow(root['components'])['securitySchemes'],
  )
  return {
    title: textOrNull(info['title']),
    version: textOrNull(info['version']),
    license: textOrNull(follow(info['license'])['name']),
    description: textOrNull(info['description']),
    docs: textOrNull(follow(root['externalDocs'])['url']),
    server: isSwagger ? swaggerServer(root) : shared,
    security: Object.fromEntries(Object.entries(schemes).map(([name, one]) => [name, follow(one)])),
    operations: Object.entries(follow(root['paths'])).flatMap(([path, item]) =>
      operationsAt(path, follow(item), reader),
    ),
    follow,
  }
}

/** Large documents are JSON, which its own parser reads in a fraction of the time. */
/** Throws the first thing that is wrong. With the means of the package a hostile text would take minutes for both checks. */
function yamlOf(text: string): unknown {
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false })
  const refuse = (message: string, offset: number): never => {
    throw new Error(`${message} at line ${text.slice(0, offset).split('\n').length}`)
  }
  const [error] = document.errors
  if (error !== undefined) refuse(error.message, error.pos[0])
  visit(document, {
    Map(_key, { items }) {
      const names = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (names.has(key.value)) refuse('map keys must be unique', key.range?.[0] ?? 0)
        names.add(key.value)
      }
    },
  })
  return document.toJS({ maxAliasCount: 1000 })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // YAML says what is wrong with it.
  }
}

/** A reference to another file in place of a path or an operation; null: there is none. */
function referenceElsewhere(paths: Json | undefined): string | null {
  for (const path of Object.values(isJsonObject(paths) ? paths : {}))
    for (const one of [path, ...Object.values(isJsonObject(path) ? path : {})]) {
      const reference = isJsonObject(one) ? textIn(one['$ref']) : ''
      if (reference !== '' && !reference.startsWith('#/')) return reference
    }
  return null
}

interface Reader {
  readonly root: JsonObject
  readonly isSwagger: boolean
  readonly follow: Follow
  /** The server of the document. */
  readonly shared: OpenApiServer | null
}

/** The document of GitHub, 13 MB with 1,223 operations, takes less than a twentieth of them. */
const STEPS_PER_CHARACTER = 0.25
const MIN_STEPS = 250_000

/**
 * Follows references, as long as the document has a size for it: a few lines whose schemas consist of each other in many
 * ways would be written out without end. Throws OpenApiError beyond.
 */
function boundedFollow(root: JsonObject, characters: number): Follow {
  let left = MIN_STEPS + STEPS_PER_CHARACTER * characters
  return (value) => {
    if (--left < 0)
      throw new OpenApiError(
        'the schemas of this document consist of each other in so many ways that they cannot be written out: take a part of it, or simplify them',
      )
    return resolve(root, value)
  }
}

function resolve(root: JsonObject, value: Json | undefined): JsonObject {
  let found = value
  for (let hops = 0; hops < 20 && isJsonObject(found); hops++) {
    const reference = found['$ref']
    if (typeof reference !== 'string') return found
    if (!reference.startsWith('#/')) return {}
    found = pathIn(decoded(reference.slice(1))).reduce<Json | undefined>(
      (at, name) => (isJsonObject(at) ? at[name] : undefined),
      root,
    )
  }
  return isJsonObject(found) ? found : {}
}

/** What is not encoded as it should be is taken as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function swaggerServer({ host, basePath, schemes }: JsonObject): OpenApiServer | null {
  if (typeof host !== 'string') return null
  const [first = 'https', ...others] = listOf(schemes).map(String)
  const scheme = others.includes('https') ? 'https' : first
  return absolute({ url: `${scheme}://${host}${textIn(basePath)}`, variables: new Map() })
}

function openApiServer(servers: Json | undefined, follow: Follow): OpenApiServer | null {
  const { url, variables } = follow(listOf(servers)[0])
  if (typeof url !== 'string') return null
  return absolute({
    url,
    variables: new Map(
      Object.entries(follow(variables)).map(([name, value]) => {
        const { enum: choices, default: example, description } = follow(value)
        const known = { example: textOrNull(example), description: textOrNull(description) }
        return [name, { ...known, choices: listOf(choices).map(String) }]
      }),
    ),
  })
}

/** The server of one operation, where it is not that of the document. */
function ownServer(servers: Json | undefined, { follow, shared }: Reader): OpenApiServer | null {
  const own = openApiServer(servers, follow)
  const isShared = own !== null && shared !== null && filled(own) === filled(shared)
  return isShared ? null : own
}

/** A variable in the URL of a server. */
export const VARIABLE: RegExp = /\{([^{}]+)\}/g

/** A server's URL with the defaults of its variables; one without a default stands by its name. */
export function filled({ url, variables }: OpenApiServer): string {
  return url.replaceAll(VARIABLE, (_whole, name: string) => variables.get(name)?.example ?? name)
}

/** A relative server says nothing about where the vendor is. */
function absolute(server: OpenApiServer): OpenApiServer | null {
  return /^https?:/i.test(URL.parse(filled(server))?.protocol ?? '') ? server : null
}

function operationsAt(path: string, item: JsonObject, reader: Reader): readonly OpenApiOperation[] {
  const { root, isSwagger, follow } = reader
  const shared = listOf(item['parameters']).map(follow)
  return METHODS.flatMap((method) => {
    if (item[method] === undefined) return []
    const operation = follow(item[method])
    const own = listOf(operation['parameters']).map(follow)
    const names = new Set(own.map(nameAndPlace))
    const isOwn = (one: JsonObject): boolean => names.has(nameAndPlace(one))
    const all = [...shared.filter((one) => !isOwn(one)), ...own]
    const answer = successOf(operation, follow)
    return [
      {
        method: method.toUpperCase() as OpenApiOperation['method'],
        path,
        server: ownServer(operation['servers'] ?? item['servers'], reader),
        summary: textOrNull(operation['summary']),
        description: textOrNull(operation['description']),
        deprecated: operation['deprecated'] === true,
        parameters: all.flatMap((parameter) => readParameter(parameter, isSwagger)),
        body: isSwagger ? swaggerBody(operation, root, all) : openApiBody(operation, follow),
        answer: isSwagger ? schemaIn(answer) : jsonSchemaIn(follow(answer['content'])),
        id: textOrNull(operation['operationId']),
        tags: listOf(operation['tags']).map(String),
        file: fileOf(operation, answer, reader),
        failure: failureOf(operation, reader),
        security: listOf(operation['security'] ?? root['security']).map((one) =>
          isJsonObject(one) ? Object.keys(one) : [],
        ),
        answersLink: Object.keys(follow(answer['headers'])).some(
          (name) => name.toLowerCase() === 'link',
        ),
        scopes: scopesOf(operation['security'] ?? root['security']),
      },
    ]
  })
}

function nameAndPlace({ name, in: place }: JsonObject): string {
  return JSON.stringify([name, place])
}

function readParameter(parameter: JsonObject, isSwagger: boolean): readonly OpenApiParameter[] {
  const place = PLACES.find((each) => each === parameter['in'])
  if (place === undefined) return []
  const schema = isSwagger ? parameter : (schemaIn(parameter) ?? jsonSchemaIn(parameter['content']))
  return [
    {
      name: textIn(parameter['name']),
      in: place,
      required: place === 'path' || parameter['required'] === true,
      description: textOrNull(parameter['description']),
      deprecated: parameter['deprecated'] === true || schema?.['deprecated'] === true,
      schema: schema ?? {},
      style: isSwagger ? swaggerStyle(parameter) : openApiStyle(parameter),
    },
  ]
}

const FORMATS: Readonly<Record<string, WireStyle>> = { multi: 'repeat', ssv: 'ssv', pipes: 'pipe' }

/** Source: Swagger 2.0, "collectionFormat"; `csv` is its default. */
function swaggerStyle({ collectionFormat }: JsonObject): WireStyle {
  return FORMATS[textIn(collectionFormat)] ?? 'csv'
}

/** Source: OpenAPI 3.1, "Style Values"; `form` with `explode` is the default of queries. */
function openApiStyle({ content, style = 'form', explode }: JsonObject): WireStyle {
  if (content !== undefined) return 'json'
  if (style === 'deepObject') return 'deep'
  const isExploded = explode ?? style === 'form'
  if (isExploded === true) return style === 'form' ? 'members' : 'repeat'
  if (style === 'spaceDelimited') return 'ssv'
  return style === 'pipeDelimited' ? 'pipe' : 'csv'
}

/** Types of media that are files, whatever they hold. */
const FILES =
  /octet-stream|^(image|audio|video|font)\/|\/(pdf|zip|gzip|x-tar|x-gzip|csv)\b|text\/csv/

function fileOf(
  operation: JsonObject,
  answer: JsonObject,
  { root, isSwagger, follow }: Reader,
): OpenApiOperation['file'] {
  const statuses = Object.keys(follow(operation['responses']))
  if (!statuses.some((name) => name.startsWith('2')) && statuses.includes('302')) return 'elsewhere'
  const types = isSwagger
    ? listOf(operation['produces'] ?? root['produces']).map(String)
    : Object.keys(follow(answer['content']))
  const schemas = isSwagger
    ? [follow(answer['schema'])]
    : Object.values(follow(answer['content'])).map((one) => follow(follow(one)['schema']))
  if (schemas.some(({ type, format }) => type === 'file' || format === 'binary')) return 'bytes'
  if (types.some((type) => /json/.test(type))) return null
  return types.length > 0 && types.every((type) => FILES.test(type)) ? 'bytes' : null
}

function failureOf(operation: JsonObject, { isSwagger, follow }: Reader): JsonObject | null {
  const failure = follow(follow(operation['responses'])['default'])
  return isSwagger ? schemaIn(failure) : jsonSchemaIn(follow(failure['content']))
}

const PLACES = ['path', 'query', 'header', 'cookie'] as const

function swaggerBody(
  operation: JsonObject,
  root: JsonObject,
  parameters: readonly JsonObject[],
): OpenApiOperation['body'] {
  const body = parameters.find((parameter) => parameter['in'] === 'body')
  if (body !== undefined) {
    const required = body['required'] === true
    return {
      kind: 'json',
      type: 'application/json',
      required,
      schema: schemaIn(body) ?? {},
      styles: new Map(),
    }
  }
  const fields = parameters.filter((parameter) => parameter['in'] === 'formData')
  if (fields.length === 0) return null
  const consumes = listOf(operation['consumes'] ?? root['consumes']).map(String)
  const isMultipart =
    consumes.includes('multipart/form-data') || fields.some((field) => field['type'] === 'file')
  const must = fields.filter((field) => field['required'] === true)
  return {
    kind: isMultipart ? 'multipart' : 'form',
    type: isMultipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded',
    required: true,
    schema: {
      type: 'object',
      required: must.map((field) => textIn(field['name'])),
      properties: Object.fromEntries(fields.map((field) => [textIn(field['name']), field])),
    },
    styles: new Map(fields.map((field) => [textIn(field['name']), swaggerStyle(field)])),
  }
}

type BodyKind = NonNullable<OpenApiOperation['body']>['kind']
const BODIES: readonly (readonly [type: RegExp, kind: BodyKind])[] = [
  [/^application\/([\w.+-]+\+)?json/, 'json'],
  [/^application\/x-www-form-urlencoded/, 'form'],
  [/^multipart\/form-data/, 'multipart'],
  [/^/, 'other'],
]

/** The kinds that say how a body is written. */
export const BODY_KINDS: ReadonlySet<string> = new Set(
  BODIES.map(([, kind]) => kind).filter((kind) => kind !== 'other'),
)

function openApiBody(operation: JsonObject, follow: Follow): OpenApiOperation['body'] {
  const { content, required } = follow(operation['requestBody'])
  const types = follow(content)
  for (const [pattern, kind] of BODIES) {
    const type = Object.keys(types).find((name) => pattern.test(name))
    if (type === undefined) continue
    const media = follow(types[type])
    const styles = Object.entries(follow(media['encoding'])).flatMap(([name, written]) => {
      const encoding = follow(written)
      return encoding['style'] === undefined ? [] : [[name, openApiStyle(encoding)] as const]
    })
    const schema = schemaIn(media) ?? {}
    return { kind, type, required: required === true, schema, styles: new Map(styles) }
  }
  return null
}

function successOf(operation: JsonObject, follow: Follow): JsonObject {
  const responses = follow(operation['responses'])
  const status = Object.keys(responses).find((name) => name.startsWith('2')) ?? 'default'
  return follow(responses[status])
}

function jsonSchemaIn(content: Json | undefined): JsonObject | null {
  const types = isJsonObject(content) ? Object.entries(content) : []
  const [, entry] = types.find(([type]) => /json|\*\/\*/.test(type)) ?? []
  return isJsonObject(entry) ? schemaIn(entry) : null
}

function schemaIn({ schema }: JsonObject): JsonObject | null {
  return isJsonObject(schema) ? schema : null
}

function scopesOf(security: Json | undefined): readonly string[] {
  const lists = listOf(security).flatMap((one) => (isJsonObject(one) ? Object.values(one) : []))
  return [...new Set(lists.flatMap(listOf).map(String))]
}

/** A text or number as text; nothing for anything else. */
export function textIn(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : []
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
