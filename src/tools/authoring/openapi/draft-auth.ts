// Security schemes of a document as authentication methods.
import type { JsonObject } from '../../../language/json/json.ts'
import { isJsonObject } from '../../../language/json/members.ts'
import { type Follow, type OpenApiDocument, textIn } from './document.ts'
import { snake } from './draft-names.ts'

interface Method {
  readonly credentials: { readonly required: readonly string[]; readonly properties: object }
  readonly apply: object
  readonly oauth2?: object
}

/** What `--auth` writes where a document names no security. */
export type AuthStub = 'bearer' | 'basic' | 'header' | 'oauth2'

/** Schemes that are needed together are one method, and no scheme is left out; what cannot be said goes to `note`. */
export function draftAuth(
  { security, operations, follow }: OpenApiDocument,
  {
    addressOf,
    note,
    stub,
  }: {
    readonly addressOf: (url: string) => string
    readonly note: (text: string) => void
    readonly stub: AuthStub | null
  },
): Record<string, Method> {
  const methods: Record<string, Method> = {}
  const known = new Set<string>()
  const isScoped = operations.some(({ scopes }) => scopes.length > 0)
  for (const names of needed(security, operations)) {
    const parts = names.flatMap((name) => {
      const scheme = security[name] ?? {}
      const part = draftMethod(scheme, { follow, addressOf, isScoped })
      const why =
        textIn(scheme['openIdConnectUrl']) || textIn(scheme['scheme']) || textIn(scheme['in'])
      if (part === null)
        note(
          `security scheme "${name}" (${[textIn(scheme['type']), why].join(' ').trim()}) cannot be said; it is left out`,
        )
      return part === null ? [] : [{ name, part }]
    })
    const [first] = parts
    if (first === undefined) continue
    const key = snake(parts.map(({ name }) => name).join('_')).slice(0, 64)
    const called = /^[a-z]/.test(key) ? key : `method_${key}`
    const method = parts.length === 1 ? first.part : together(parts)
    const fingerprint = Object.keys(method.credentials.properties).toSorted().join()
    // Two methods with the same credentials cannot be told apart: the later one names its own.
    methods[called] = known.has(fingerprint) ? renamed(method, called) : method
    known.add(fingerprint)
  }
  if (Object.keys(methods).length > 0) return methods
  if (stub === null)
    note(
      'the document names no security, and a bearer token stands in for it; --auth writes another one',
    )
  return { main: stubOf(stub ?? 'bearer') }
}

/** The lists of schemes that operations need, and every scheme that none of them names. */
function needed(
  security: OpenApiDocument['security'],
  operations: OpenApiDocument['operations'],
): readonly (readonly string[])[] {
  const lists = new Map<string, readonly string[]>()
  for (const names of operations.flatMap((one) => one.security)) {
    const there = names.filter((name) => Object.hasOwn(security, name))
    if (there.length > 0) lists.set(there.toSorted().join('\n'), there)
  }
  const used = new Set([...lists.values()].flat())
  const rest = Object.keys(security).filter((name) => !used.has(name))
  return [...lists.values(), ...rest.map((name) => [name])].toSorted(
    (a, b) => Object.keys(security).indexOf(a[0] ?? '') - Object.keys(security).indexOf(b[0] ?? ''),
  )
}

type Part = { readonly name: string; readonly part: Method }

/** One method of several: each names its own credentials. */
function together(parts: readonly Part[]): Method {
  const own = parts.map(({ name, part }) => renamed(part, snake(name)))
  const blocks = own.map(blocksOf).find((found) => Object.keys(found).length > 0)
  const applied = own.map(({ apply }) => apply as Readonly<Record<string, unknown>>)
  const keys = [...new Set(applied.flatMap(Object.keys))]
  return {
    credentials: {
      required: own.flatMap(({ credentials }) => credentials.required),
      properties: Object.assign(
        {},
        ...own.map(({ credentials }) => credentials.properties),
      ) as object,
    },
    apply: Object.fromEntries(
      keys.map((key) => {
        const values = applied.flatMap((one) => one[key] ?? [])
        const isMap = key === 'headers' || key === 'query'
        return [key, isMap ? (Object.assign({}, ...values) as object) : values[0]]
      }),
    ),
    ...blocks,
  }
}

/** The method with `prefix_` before its credentials; those that a block reads have names of their own in the language. */
function renamed(method: Method, prefix: string): Method {
  if (Object.keys(blocksOf(method)).length > 0) return method
  const called = (name: string): string => (prefix.endsWith(name) ? prefix : `${prefix}_${name}`)
  return {
    credentials: {
      required: method.credentials.required.map(called),
      properties: Object.fromEntries(
        Object.entries(method.credentials.properties).map(([name, schema]) => [
          called(name),
          schema as unknown,
        ]),
      ),
    },
    apply: JSON.parse(
      JSON.stringify(method.apply).replaceAll(
        /\{\{ credentials\.(\w+) \}\}/g,
        (_whole, name: string) => `{{ credentials.${called(name)} }}`,
      ),
    ) as object,
  }
}

/** What asks the third party for access. */
function blocksOf({ credentials: _own, apply: _applied, ...blocks }: Method): object {
  return blocks
}

/** A method whose addresses are examples. */
export function stubOf(stub: AuthStub): Method {
  switch (stub) {
    case 'basic':
      return basic()
    case 'bearer':
      return bearer()
    case 'header':
      return {
        credentials: secrets({ api_key: 'Key of the API.' }),
        apply: { headers: { 'X-Api-Key': '{{ credentials.api_key }}' } },
      }
    case 'oauth2':
      return authorized(
        {
          authorize: { url: 'https://login.example.com/authorize' },
          token: tokenAt('https://login.example.com/token'),
        },
        ['refresh_token'],
      )
  }
}

interface Addresses {
  readonly follow: Follow
  readonly addressOf: (url: string) => string
  /** The document says which scopes its operations need. */
  readonly isScoped: boolean
}

function draftMethod(scheme: JsonObject, addresses: Addresses): Method | null {
  const place = textIn(scheme['in'])
  const wire = textIn(scheme['name'])
  const word = textIn(scheme['scheme']).toLowerCase()
  switch (textIn(scheme['type'])) {
    case 'basic':
      return basic()
    case 'http':
      if (word === 'basic') return basic()
      return word === 'bearer' ? bearer() : null
    case 'apiKey':
      if (place !== 'header' && place !== 'query') return null
      return {
        credentials: secrets({ api_key: 'Key of the API.' }),
        apply: { [APPLIED[place]]: { [wire]: '{{ credentials.api_key }}' } },
      }
    case 'oauth2':
      return oauth2(scheme, addresses)
    default:
      return null
  }
}

function bearer(): Method {
  return {
    credentials: secrets({ token: 'Token of the API.' }),
    apply: { bearer: '{{ credentials.token }}' },
  }
}

const APPLIED = { header: 'headers', query: 'query' } as const

function basic(): Method {
  return {
    credentials: {
      required: ['username', 'password'],
      properties: { username: { type: 'string' }, password: { type: 'string', writeOnly: true } },
    },
    apply: {
      basic: { username: '{{ credentials.username }}', password: '{{ credentials.password }}' },
    },
  }
}

const SECRET = { type: 'string', minLength: 1, writeOnly: true } as const

function secrets(names: Readonly<Record<string, string>>): Method['credentials'] {
  return {
    required: Object.keys(names),
    properties: Object.fromEntries(
      Object.entries(names).map(([name, description]) => [name, { ...SECRET, description }]),
    ),
  }
}

function oauth2(scheme: JsonObject, { follow, addressOf, isScoped }: Addresses): Method | null {
  const flows = follow(scheme['flows'])
  const flowOf = (name: string, inSwagger: string): JsonObject | null => {
    if (isJsonObject(flows[name])) return follow(flows[name])
    return scheme['flow'] === inSwagger ? scheme : null
  }
  const code = flowOf('authorizationCode', 'accessCode')
  const client = flowOf('clientCredentials', 'application')
  const password = flowOf('password', 'password')
  const flow = code ?? client ?? password
  const tokenUrl = flow?.['tokenUrl']
  // Without a flow that a server can go (the implicit one), a token is given as it is.
  if (flow === null || typeof tokenUrl !== 'string' || !tokenUrl.startsWith('https:'))
    return bearer()
  // A consent asks for what the actions need: of the rest, what brings refresh tokens.
  const scopes = Object.keys(follow(flow['scopes'])).filter(
    (scope) => !isScoped || /(^|[.:_])offline([.:_]|$)|refresh_token/i.test(scope),
  )
  const token = tokenAt(addressOf(tokenUrl))
  if (code !== null) {
    const url = addressOf(textIn(flow['authorizationUrl']))
    return authorized({ authorize: { url, ...(scopes.length > 0 && { scopes }) }, token }, [
      'refresh_token',
    ])
  }
  return client === null
    ? authorized({ grant: 'password', token }, ['username', 'password'])
    : authorized({ grant: 'client_credentials', token }, ['client_id', 'client_secret'])
}

function tokenAt(url: string): object {
  return { url, client_auth: 'basic', body: 'form' }
}

function authorized(block: object, required: readonly string[]): Method {
  return {
    credentials: {
      required,
      properties: {
        access_token: SECRET,
        ...(!required.includes('client_id') && { refresh_token: SECRET }),
        ...(required.includes('username') && { username: { type: 'string' }, password: SECRET }),
        client_id: { type: 'string', minLength: 1 },
        client_secret: SECRET,
      },
    },
    apply: { bearer: '{{ credentials.access_token }}' },
    oauth2: block,
  }
}
