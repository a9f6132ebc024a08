// A vendor's OpenAPI 3 or Swagger 2 document, read so that the rest need not know which of the two it is.
import { parse } from 'yaml'
import type { Json, JsonObject } from '../../../language/json/json.ts'
import { isJsonObject } from '../../../language/json/members.ts'

/** The document cannot be used; the message says why, and what would do. */
export class OpenApiError extends Error {
  override readonly name = 'OpenApiError'
}

export interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  readonly description: string | null
  readonly schema: JsonObject
}

export interface OpenApiOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly summary: string | null
  readonly description: string | null
  readonly deprecated: boolean
  readonly parameters: readonly OpenApiParameter[]
  readonly body: {
    readonly kind: 'json' | 'form' | 'multipart' | 'other'
    readonly type: string
    readonly required: boolean
    readonly schema: JsonObject
  } | null
  /** Schema of the JSON that a success answers; null: none is described. */
  readonly answer: JsonObject | null
  readonly answersLink: boolean
  readonly scopes: readonly string[]
}

/** The first server of a document. */
export interface OpenApiServer {
  /** As it is written, variables in braces. */
  readonly url: string
  /** The variables that the document describes. */
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
  readonly description: string | null
  readonly docs: string | null
  /** Null when the document has none that is absolute. */
  readonly server: OpenApiServer | null
  readonly security: Readonly<Record<string, JsonObject>>
  readonly operations: readonly OpenApiOperation[]
  /** The object behind a reference inside the document, or the value itself. */
  readonly follow: (value: Json | undefined) => JsonObject
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Reads a document of OpenAPI 3.0, 3.1 or Swagger 2.0, as JSON or YAML. Throws OpenApiError. */
export function readOpenApi(text: string, file: string): OpenApiDocument {
  let parsed: unknown
  try {
    parsed = parse(text, { maxAliasCount: 1000 })
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''
    throw new OpenApiError(`${file} is neither JSON nor YAML: ${reason}`)
  }
  if (!isJsonObject(parsed)) throw notOpenApi(file)
  const root = parsed
  const isSwagger = textIn(root['swagger']).startsWith('2')
  if (!isSwagger && !textIn(root['openapi']).startsWith('3')) throw notOpenApi(file)
  const follow = (value: Json | undefined): JsonObject => resolve(root, value)
  const info = follow(root['info'])
  return {
    title: textOrNull(info['title']),
    description: textOrNull(info['description']),
    docs: textOrNull(follow(root['externalDocs'])['url']),
    server: isSwagger ? swaggerServer(root) : openApiServer(root),
    security: objectsIn(
      isSwagger ? root['securityDefinitions'] : follow(root['components'])['securitySchemes'],
      follow,
    ),
    operations: Object.entries(follow(root['paths'])).flatMap(([path, item]) =>
      operationsAt(path, follow(item), root, follow, isSwagger),
    ),
    follow,
  }
}

function notOpenApi(file: string): OpenApiError {
  return new OpenApiError(
    `${file} is no OpenAPI document: it has neither "openapi": "3.…" nor "swagger": "2.0"`,
  )
}

function resolve(root: JsonObject, value: Json | undefined): JsonObject {
  let found = value
  for (let hops = 0; hops < 20 && isJsonObject(found ?? null); hops++) {
    const reference = (found as JsonObject)['$ref']
    if (typeof reference !== 'string') return found as JsonObject
    if (!reference.startsWith('#/')) return {}
    found = reference
      .slice(2)
      .split('/')
      .reduce<Json | undefined>((at, part) => {
        const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
        return isJsonObject(at ?? null) ? (at as JsonObject)[name] : undefined
      }, root)
  }
  return isJsonObject(found ?? null) ? (found as JsonObject) : {}
}

function swaggerServer(root: JsonObject): OpenApiServer | null {
  const { host, basePath, schemes } = root
  if (typeof host !== 'string') return null
  const list = Array.isArray(schemes) ? schemes.map(String) : []
  const scheme = list.includes('https') || list.length === 0 ? 'https' : (list[0] ?? 'https')
  const url = `${scheme}://${host}${typeof basePath === 'string' ? basePath : ''}`
  return absolute({ url, variables: new Map() })
}

function openApiServer(root: JsonObject): OpenApiServer | null {
  const servers = Array.isArray(root['servers']) ? root['servers'] : []
  const [first] = servers as readonly Json[]
  if (!isJsonObject(first ?? null)) return null
  const { url, variables } = first as JsonObject
  if (typeof url !== 'string') return null
  const described = isJsonObject(variables ?? null) ? (variables as JsonObject) : {}
  return absolute({
    url,
    variables: new Map(
      Object.entries(described).map(([name, value]) => {
        const variable = isJsonObject(value) ? value : {}
        const choices = Array.isArray(variable['enum']) ? variable['enum'].map(String) : []
        const example = textOrNull(variable['default'])
        return [name, { example, choices, description: textOrNull(variable['description']) }]
      }),
    ),
  })
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

function operationsAt(
  path: string,
  item: JsonObject,
  root: JsonObject,
  follow: OpenApiDocument['follow'],
  isSwagger: boolean,
): readonly OpenApiOperation[] {
  const shared = listOf(item['parameters']).map(follow)
  return METHODS.flatMap((method) => {
    if (item[method] === undefined) return []
    const operation = follow(item[method])
    const own = listOf(operation['parameters']).map(follow)
    const all = [
      ...shared.filter(
        (one) => !own.some((other) => other['name'] === one['name'] && other['in'] === one['in']),
      ),
      ...own,
    ]
    const answer = successOf(operation, follow)
    return [
      {
        method: method.toUpperCase() as OpenApiOperation['method'],
        path,
        summary: textOrNull(operation['summary']),
        description: textOrNull(operation['description']),
        deprecated: operation['deprecated'] === true,
        parameters: all.flatMap((parameter) => parameterOf(parameter, isSwagger)),
        body: isSwagger ? swaggerBody(operation, root, all) : openApiBody(operation, follow),
        answer: isSwagger ? schemaIn(answer) : jsonSchemaIn(follow(answer['content'])),
        answersLink: Object.keys(follow(answer['headers'])).some(
          (name) => name.toLowerCase() === 'link',
        ),
        scopes: scopesOf(operation['security'] ?? root['security']),
      },
    ]
  })
}

function parameterOf(parameter: JsonObject, isSwagger: boolean): readonly OpenApiParameter[] {
  const place = parameter['in']
  if (place !== 'path' && place !== 'query' && place !== 'header' && place !== 'cookie') return []
  const schema = isSwagger ? parameter : (schemaIn(parameter) ?? jsonSchemaIn(parameter['content']))
  return [
    {
      name: textIn(parameter['name']),
      in: place,
      required: place === 'path' || parameter['required'] === true,
      description: textOrNull(parameter['description']),
      schema: schema ?? {},
    },
  ]
}

function swaggerBody(
  operation: JsonObject,
  root: JsonObject,
  parameters: readonly JsonObject[],
): OpenApiOperation['body'] {
  const body = parameters.find((parameter) => parameter['in'] === 'body')
  if (body !== undefined) {
    return {
      kind: 'json',
      type: 'application/json',
      required: body['required'] === true,
      schema: schemaIn(body) ?? {},
    }
  }
  const fields = parameters.filter((parameter) => parameter['in'] === 'formData')
  if (fields.length === 0) return null
  const consumes = listOf(operation['consumes'] ?? root['consumes']).map(String)
  const isMultipart =
    consumes.includes('multipart/form-data') || fields.some((field) => field['type'] === 'file')
  return {
    kind: isMultipart ? 'multipart' : 'form',
    type: isMultipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded',
    required: true,
    schema: {
      type: 'object',
      required: fields
        .filter((field) => field['required'] === true)
        .map((field) => textIn(field['name'])),
      properties: Object.fromEntries(fields.map((field) => [textIn(field['name']), field])),
    },
  }
}

const BODIES: readonly (readonly [
  type: RegExp,
  kind: NonNullable<OpenApiOperation['body']>['kind'],
])[] = [
  [/^application\/([\w.+-]+\+)?json/, 'json'],
  [/^application\/x-www-form-urlencoded/, 'form'],
  [/^multipart\/form-data/, 'multipart'],
]

function openApiBody(
  operation: JsonObject,
  follow: OpenApiDocument['follow'],
): OpenApiOperation['body'] {
  const body = follow(operation['requestBody'])
  const content = follow(body['content'])
  const types = Object.keys(content)
  for (const [pattern, kind] of BODIES) {
    const type = types.find((name) => pattern.test(name))
    if (type === undefined) continue
    const schema = schemaIn(follow(content[type])) ?? {}
    return { kind, type, required: body['required'] === true, schema }
  }
  const [type] = types
  return type === undefined ? null : { kind: 'other', type, required: true, schema: {} }
}

function successOf(operation: JsonObject, follow: OpenApiDocument['follow']): JsonObject {
  const responses = follow(operation['responses'])
  const status = Object.keys(responses).find((name) => name.startsWith('2')) ?? 'default'
  return follow(responses[status])
}

function jsonSchemaIn(content: Json | undefined): JsonObject | null {
  if (!isJsonObject(content ?? null)) return null
  const entry = Object.entries(content as JsonObject).find(([type]) => /json|\*\/\*/.test(type))
  return entry === undefined || !isJsonObject(entry[1]) ? null : schemaIn(entry[1])
}

function schemaIn(holder: JsonObject): JsonObject | null {
  const { schema } = holder
  return isJsonObject(schema ?? null) ? (schema as JsonObject) : null
}

function scopesOf(security: Json | undefined): readonly string[] {
  const scopes = listOf(security).flatMap((one) =>
    isJsonObject(one)
      ? Object.values(one).flatMap((list) => (Array.isArray(list) ? list.map(String) : []))
      : [],
  )
  return [...new Set(scopes)]
}

function objectsIn(
  value: Json | undefined,
  follow: OpenApiDocument['follow'],
): Record<string, JsonObject> {
  return Object.fromEntries(Object.entries(follow(value)).map(([name, one]) => [name, follow(one)]))
}

/** A text or number as text; nothing for anything else. */
export function textIn(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
