// Google's discovery document as OpenAPI, so that the rest need not know it.
// Source: developers.google.com/discovery/v1/reference/apis.
import type { Json, JsonObject } from '../../../language/json/json.ts'
import { isJsonObject } from '../../../language/json/members.ts'

export function isDiscovery(root: JsonObject): boolean {
  return root['kind'] === 'discovery#restDescription'
}

/** The same facts as an OpenAPI 3 document. */
export function openApiOfDiscovery(root: JsonObject): JsonObject {
  const { rootUrl, servicePath, title, version, revision, documentationLink } = root
  const shared = objectOf(root['parameters'])
  const paths: Record<string, Record<string, Json>> = {}
  const origin = textOf(rootUrl).replace(/\/$/, '')
  const base = `/${textOf(servicePath)}`.replace(/\/+$/, '').replace(/^\/+/, '/')
  for (const method of methodsIn(root)) {
    const path = textOf(method['flatPath'] ?? method['path'])
    const verb = textOf(method['httpMethod']).toLowerCase()
    const operation = operationOf(method, shared, path)
    ;(paths[`${base}/${path}`] ??= {})[verb] = operation
    for (const protocol of Object.values(objectOf(objectOf(method['mediaUpload'])['protocols']))) {
      const upload = textOf(objectOf(protocol)['path'])
      const uploaded = { ...operation, requestBody: { content: { 'multipart/related': {} } } }
      ;(paths[upload] ??= {})[verb] = uploaded
    }
  }
  return {
    openapi: '3.0.3',
    info: { title: title ?? '', version: textOf(revision) || textOf(version) },
    ...(typeof documentationLink === 'string' && { externalDocs: { url: documentationLink } }),
    servers: [{ url: origin }],
    paths,
    components: {
      securitySchemes: { oauth2: { type: 'oauth2', flows: flowsOf(root) } },
      schemas: Object.fromEntries(
        Object.entries(objectOf(root['schemas'])).map(([name, one]) => [name, schemaOf(one)]),
      ),
    },
  }
}

function flowsOf(root: JsonObject): JsonObject {
  const scopes = objectOf(objectOf(objectOf(root['auth'])['oauth2'])['scopes'])
  return {
    authorizationCode: {
      authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
      tokenUrl: 'https://oauth2.googleapis.com/token',
      scopes: Object.fromEntries(
        Object.entries(scopes).map(([name, one]) => [name, textOf(objectOf(one)['description'])]),
      ),
    },
  }
}

/** The methods of resources within resources. */
function methodsIn(resource: JsonObject): readonly JsonObject[] {
  return [
    ...Object.values(objectOf(resource['methods'])).map(objectOf),
    ...Object.values(objectOf(resource['resources'])).flatMap((one) => methodsIn(objectOf(one))),
  ]
}

function operationOf(method: JsonObject, shared: JsonObject, path: string): JsonObject {
  const own = objectOf(method['parameters'])
  const written = Object.entries({ ...shared, ...own }).map(([name, one]) =>
    parameterOf(name, objectOf(one), path),
  )
  // A flat path has names of its own for the parts of one parameter (`v1/{name=projects/*}`).
  const named = new Set(written.map(({ name }) => name))
  const parts = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  const flat = parts
    .filter((name) => !named.has(name))
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const scopes = Array.isArray(method['scopes']) ? method['scopes'].map(String) : []
  return {
    operationId: textOf(method['id']),
    ...(method['description'] !== undefined && { description: method['description'] }),
    ...(method['deprecated'] === true && { deprecated: true }),
    parameters: [
      ...written.filter((one) => one.in !== 'path' || parts.includes(one.name)),
      ...flat,
    ],
    ...(isJsonObject(method['request']) && {
      requestBody: { content: { 'application/json': { schema: schemaOf(method['request']) } } },
    }),
    responses: {
      '200': isJsonObject(method['response'])
        ? { content: { 'application/json': { schema: schemaOf(method['response']) } } }
        : {},
    },
    // Any one of them is enough.
    security: scopes.map((scope) => ({ oauth2: [scope] })),
  }
}

interface Parameter extends JsonObject {
  readonly name: string
  readonly in: string
}

function parameterOf(name: string, one: JsonObject, path: string): Parameter {
  const { location, required, repeated, description } = one
  const single = schemaOf(one)
  const place = path.includes(`{${name}}`) ? 'path' : textOf(location)
  return {
    name,
    in: place,
    ...(required === true && { required }),
    ...(description !== undefined && { description }),
    schema: repeated === true ? { type: 'array', items: single } : single,
  }
}

/** A schema has references by name alone, and says of itself whether it is required. */
function schemaOf(value: Json | undefined): JsonObject {
  if (!isJsonObject(value)) return {}
  const { $ref, type, properties, items, additionalProperties } = value
  if (typeof $ref === 'string') return { $ref: `#/components/schemas/${$ref}` }
  return {
    ...kept(value),
    ...(typeof type === 'string' && type !== 'any' && { type }),
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, schemaOf(one)]),
      ),
    }),
    ...(isJsonObject(items) && { items: schemaOf(items) }),
    ...(isJsonObject(additionalProperties) && {
      additionalProperties: schemaOf(additionalProperties),
    }),
  }
}

const KEPT = ['description', 'format', 'enum', 'pattern', 'deprecated', 'readOnly'] as const

function kept(value: JsonObject): JsonObject {
  const bounds = (['minimum', 'maximum'] as const).flatMap((name) =>
    value[name] === undefined ? [] : [[name, Number(value[name])]],
  )
  const words = KEPT.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]]))
  return Object.fromEntries([...words, ...bounds])
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
