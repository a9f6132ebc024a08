// Manifests for tests of authentication, from the few keys that matter there. Strings are parsed as in a real manifest.
import { parsePath } from '../../../src/language/expression/parse-path.ts'
import { parseTemplate, parseText } from '../../../src/language/expression/parse-text.ts'
import type { Template, Text } from '../../../src/language/expression/syntax.ts'
import type { Json, JsonObject } from '../../../src/language/json/json.ts'
import type { ApplySource } from '../../../src/language/manifest/credential-places/place.ts'
import type {
  AfterToken,
  AuthMethod,
  Entry,
  InputSchema,
  Manifest,
  OAuth2,
  RequestTemplate,
  Store,
} from '../../../src/language/manifest/manifest.ts'
import { readDocument } from '../../../src/language/manifest/read.ts'
import { resolveBlock } from '../../../src/language/manifest/resolve-block.ts'
import { Resolver, type Site } from '../../../src/language/manifest/resolver.ts'
import type { ManifestSource } from '../../../src/language/manifest/source.ts'

export interface ExampleInput {
  readonly required?: readonly string[]
  readonly properties: Readonly<Record<string, JsonObject>>
}

export interface ExampleMethod extends Omit<ApplySource, 'query'> {
  readonly name?: string
  readonly credentials: ExampleInput
  readonly url?: string
  readonly derive?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | ExampleCondition>>
  readonly oauth2?: Partial<Omit<OAuth2, 'token' | 'refresh' | 'store' | 'afterToken'>> & {
    readonly token?: Partial<Omit<OAuth2['token'], 'url' | 'headers' | 'params'>> & {
      readonly url?: string
      readonly headers?: Readonly<Record<string, string>>
      readonly params?: Readonly<Record<string, string>>
    }
    readonly refresh?: {
      readonly url?: string
      readonly params?: Readonly<Record<string, string>>
    } | null
    readonly store?: Readonly<Record<string, string>>
    readonly afterToken?: readonly ExampleAfterToken[]
  }
  readonly session?: {
    readonly request: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: Readonly<Record<string, string>>
    readonly store: Readonly<Record<string, string>>
    readonly ttlMs?: number
    readonly expires?: string
  }
}

/** `{ $if, $value }`. */
export interface ExampleCondition {
  readonly if: string
  readonly value: string
}

export interface ExampleAfterToken {
  readonly on?: AfterToken['on']
  readonly if?: string
  readonly request: string
  readonly choose?: {
    readonly from: string
    readonly match?: Readonly<Record<string, string>>
    readonly label: string
  }
  readonly store: Readonly<Record<string, string>>
}

export function exampleManifest(given: {
  readonly url?: string | readonly string[]
  readonly hosts?: readonly string[] | 'any'
  readonly config?: ExampleInput
  readonly methods: readonly ExampleMethod[]
}): Manifest {
  const urls = given.url ?? 'https://api.example.com'
  return {
    format: 1,
    hash: 'sha256-example',
    type: 'example',
    title: 'Example',
    version: '1.0.0',
    docs: null,
    description: null,
    server: {
      urls: [urls].flat().map((url) => parseText(url)),
      hosts: given.hosts ?? ['api.example.com', '*.api.example.com'],
      headers: [],
    },
    config: input(given.config ?? { properties: {} }),
    auth: given.methods.map(methodOf),
    check: null,
    limits: { rates: [], concurrency: null, per: 'instance' },
    maps: {},
    entities: [],
    definitions: {},
  }
}

/** Credentials as the specification lists them for the OAuth method of call analytics. */
export const OAUTH_CREDENTIALS: ExampleInput = {
  required: ['refresh_token'],
  properties: {
    access_token: { type: 'string', minLength: 1, writeOnly: true },
    refresh_token: { type: 'string', minLength: 1, writeOnly: true },
    client_id: { type: 'string', minLength: 1 },
    client_secret: { type: 'string', minLength: 1, writeOnly: true },
  },
}

/** An OAuth method with single-use refresh tokens; its token endpoint is the path `/token`. */
export function oauthMethod(changes: ExampleMethod['oauth2'] = {}): ExampleMethod {
  return {
    name: 'oauth',
    credentials: OAUTH_CREDENTIALS,
    bearer: '{{ credentials.access_token }}',
    oauth2: { rotatesRefreshToken: true, ...changes },
  }
}

function methodOf(given: ExampleMethod): AuthMethod {
  const { oauth2, session } = given
  return {
    name: given.name ?? 'method',
    title: null,
    description: null,
    docs: null,
    credentials: input(given.credentials),
    urls: given.url === undefined ? null : [parseText(given.url)],
    derive: Object.entries(given.derive ?? {}).map(([setting, value]) => ({
      setting,
      value: parseTemplate(value),
    })),
    apply: applyOf({ ...given, query: writtenQuery(given.query) }),
    session:
      session === undefined
        ? null
        : {
            request: {
              ...requestOf(session.request),
              headers: entries(session.headers),
              auth: 'none',
              body: { kind: 'json', value: objectOf(session.body) },
            },
            store: stores(session.store),
            ttlMs: session.ttlMs ?? null,
            expires: session.expires === undefined ? null : parsePath(session.expires),
          },
    oauth2: oauth2 === undefined ? null : oauth2Of(oauth2),
  }
}

function oauth2Of(given: NonNullable<ExampleMethod['oauth2']>): OAuth2 {
  const { token = {}, refresh = {}, store = {}, afterToken = [] } = given
  const url = parseText(token.url ?? 'https://auth.example.com/token')
  return {
    grant: 'authorization_code',
    authorize: null,
    rotatesRefreshToken: false,
    reuseGraceMs: null,
    ...given,
    token: {
      method: 'POST',
      clientAuth: 'basic',
      body: 'form',
      ...token,
      url,
      headers: entries(token.headers),
      params: entries(token.params),
    },
    refresh:
      refresh === null
        ? null
        : {
            url: refresh.url === undefined ? url : parseText(refresh.url),
            params: entries(refresh.params),
          },
    store: stores(store),
    afterToken: afterToken.map((step) => ({
      on: step.on ?? 'connect',
      test: step.if === undefined ? null : conditionOf(step.if),
      request: requestOf(step.request),
      choose:
        step.choose === undefined
          ? null
          : {
              from: parsePath(step.choose.from),
              match: Object.entries(step.choose.match ?? {}).map(([at, value]) => ({
                at: parsePath(at),
                value: parseText(value),
              })),
              label: parsePath(step.choose.label),
            },
      store: stores(step.store),
    })),
  }
}

/** `GET /a/b`, or with an origin in front of the path. */
function requestOf(http: string): RequestTemplate {
  const [, method = '', address = ''] = /^(\w+) (.+)$/.exec(http) ?? []
  const origin = /^https:\/\/[^/]+/.exec(address)?.[0] ?? null
  const path = address.slice(origin?.length ?? 0).slice(1)
  return {
    method: method as RequestTemplate['method'],
    origin,
    path: path.split('/').map((segment): Text => parseText(segment)),
    query: [],
    headers: [],
    body: { kind: 'none' },
    auth: 'same',
    redirects: 0,
    timeoutMs: 30_000,
  }
}

function conditionOf(text: string): NonNullable<AfterToken['test']> {
  const template = parseTemplate(text)
  if (template.kind !== 'value') throw new Error(`${text} is no expression`)
  return template.expression
}

/** As a manifest says it: values that are sent on a condition carry `$if`. */
function writtenQuery(query: ExampleMethod['query'] = {}): JsonObject {
  return Object.fromEntries(
    Object.entries(query).map(([name, given]) => [
      name,
      typeof given === 'string' ? given : { $if: given.if, $value: given.value },
    ]),
  )
}

function applyOf(apply: ApplySource): AuthMethod['apply'] {
  return resolveBlock('authMethod', { credentials: {}, apply }, SITE).apply
}

/** A method of no manifest in particular. */
const SITE = siteOf('{}')

function siteOf(text: string): Site {
  const { document } = readDocument(text, 'example.yaml')
  if (document === null) throw new TypeError('the example is no document')
  return new Resolver(document, document.value as unknown as ManifestSource).site('auth', [])
}

function objectOf(values: Readonly<Record<string, string>> = {}): Template {
  return {
    kind: 'object',
    members: Object.entries(values).map(([name, value]) => [name, parseTemplate(value)]),
  }
}

function entries(values: Readonly<Record<string, string>> = {}): readonly Entry[] {
  return Object.entries(values).map(([name, value]) => ({
    name,
    value: parseTemplate(value),
    style: 'repeat',
  }))
}

function stores(values: Readonly<Record<string, string>>): readonly Store[] {
  return Object.entries(values).map(([target, at]) => {
    const [root = '', name = ''] = target.split('.')
    return { root: root as Store['root'], name, at: parsePath(at) }
  })
}

function input({ required = [], properties }: ExampleInput): InputSchema {
  const names = Object.keys(properties)
  const plain = names.map((name) => {
    const { aliases: _a, default: _d, writeOnly: _w, ...schema } = properties[name] ?? {}
    return [name, schema] as const
  })
  const of = (name: string, key: string): Json | undefined => properties[name]?.[key]
  return {
    schema: {
      type: 'object',
      required: [...required],
      additionalProperties: false,
      properties: Object.fromEntries(plain),
    },
    aliases: names.flatMap((name) =>
      ((of(name, 'aliases') as string[] | undefined) ?? []).map((alias) => ({ alias, name })),
    ),
    defaults: names.flatMap((name) => {
      const value = of(name, 'default')
      return value === undefined ? [] : [{ at: [name], value }]
    }),
    secrets: names.filter((name) => of(name, 'writeOnly') === true).map((name) => [name]),
    deprecated: [],
  }
}
