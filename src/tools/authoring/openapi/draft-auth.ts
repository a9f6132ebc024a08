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

/** The methods by name; what cannot be said is told through `note`. `addressOf` puts settings into an address. */
export function draftAuth(
  { security, follow }: OpenApiDocument,
  addressOf: Addresses['addressOf'],
  note: (text: string) => void,
): Record<string, Method> {
  const methods: Record<string, Method> = {}
  const known = new Map<string, string>()
  for (const [name, scheme] of Object.entries(security)) {
    const method = draftMethod(scheme, { follow, addressOf })
    if (method === null) {
      note(`security scheme "${name}" (${textIn(scheme['type'])}) cannot be said; it is left out`)
      continue
    }
    const key = snake(name)
    const called = /^[a-z]/.test(key) ? key : `method_${key}`
    const credentials = Object.keys(method.credentials.properties).toSorted().join()
    const first = known.get(credentials) ?? called
    known.set(credentials, first)
    // Two methods with the same credentials cannot be told apart.
    if (first === called) methods[called] = method
    else note(`method "${called}" takes the same credentials as "${first}"; it is left out`)
  }
  return methods
}

interface Addresses {
  readonly follow: Follow
  readonly addressOf: (url: string) => string
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
      if (word !== 'bearer') return null
      return {
        credentials: secrets({ token: 'Token of the API.' }),
        apply: { bearer: '{{ credentials.token }}' },
      }
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

function oauth2(scheme: JsonObject, { follow, addressOf }: Addresses): Method | null {
  const flows = follow(scheme['flows'])
  const flowOf = (name: string, inSwagger: string): JsonObject | null => {
    if (isJsonObject(flows[name])) return follow(flows[name])
    return scheme['flow'] === inSwagger ? scheme : null
  }
  const code = flowOf('authorizationCode', 'accessCode')
  const client = flowOf('clientCredentials', 'application')
  const flow = code ?? client
  const tokenUrl = flow?.['tokenUrl']
  if (flow === null || typeof tokenUrl !== 'string' || !tokenUrl.startsWith('https:')) return null
  const scopes = Object.keys(follow(flow['scopes']))
  const credentials = {
    required: code === null ? ['client_id', 'client_secret'] : ['refresh_token'],
    properties: {
      access_token: SECRET,
      ...(code !== null && { refresh_token: SECRET }),
      client_id: { type: 'string', minLength: 1 },
      client_secret: SECRET,
    },
  }
  return {
    credentials,
    apply: { bearer: '{{ credentials.access_token }}' },
    oauth2: {
      ...(code === null
        ? { grant: 'client_credentials' }
        : {
            authorize: {
              url: addressOf(textIn(flow['authorizationUrl'])),
              ...(scopes.length === 0 ? {} : { scopes }),
            },
          }),
      token: { url: addressOf(tokenUrl), client_auth: 'basic', body: 'form' },
    },
  }
}
