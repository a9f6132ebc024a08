// Security schemes of a document as authentication methods.
import type { JsonObject } from '../../../language/json/json.ts'
import { isJsonObject } from '../../../language/json/members.ts'
import { type OpenApiDocument, textIn } from './document.ts'
import type { DraftSchema } from './draft-schema.ts'

type Method = Record<string, unknown>

/** The methods by name; what cannot be said is told through `note`. `addressOf` puts settings into an address. */
export function draftAuth(
  { security, follow }: OpenApiDocument,
  addressOf: (url: string) => string,
  note: (text: string) => void,
): Record<string, Method> {
  const methods: Record<string, Method> = {}
  for (const [name, scheme] of Object.entries(security)) {
    const key = name
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
    const method = draftMethod(scheme, follow, addressOf)
    if (method === null)
      note(`security scheme "${name}" (${textIn(scheme['type'])}) cannot be said; it is left out`)
    else methods[/^[a-z]/.test(key) ? key : `method_${key}`] = method
  }
  return distinct(methods, note)
}

function draftMethod(
  scheme: JsonObject,
  follow: OpenApiDocument['follow'],
  addressOf: (url: string) => string,
): Method | null {
  const place = textIn(scheme['in'])
  const wire = textIn(scheme['name'])
  switch (textIn(scheme['type'])) {
    case 'basic':
      return basic()
    case 'http':
      if (textIn(scheme['scheme']).toLowerCase() === 'basic') return basic()
      if (textIn(scheme['scheme']).toLowerCase() !== 'bearer') return null
      return {
        credentials: secrets({ token: 'Token of the API.' }),
        apply: { bearer: '{{ credentials.token }}' },
      }
    case 'apiKey':
      if (place !== 'header' && place !== 'query') return null
      return {
        credentials: secrets({ api_key: 'Key of the API.' }),
        apply: {
          [place === 'header' ? 'headers' : 'query']: { [wire]: '{{ credentials.api_key }}' },
        },
      }
    case 'oauth2':
      return oauth2(scheme, follow, addressOf)
    default:
      return null
  }
}

function basic(): Method {
  return {
    credentials: {
      required: ['username', 'password'],
      properties: {
        username: { type: 'string' },
        password: { type: 'string', writeOnly: true },
      },
    },
    apply: {
      basic: { username: '{{ credentials.username }}', password: '{{ credentials.password }}' },
    },
  }
}

const SECRET = { type: 'string', minLength: 1, writeOnly: true } as const

function secrets(names: Readonly<Record<string, string>>): DraftSchema {
  return {
    required: Object.keys(names),
    properties: Object.fromEntries(
      Object.entries(names).map(([name, description]) => [name, { ...SECRET, description }]),
    ),
  }
}

function oauth2(
  scheme: JsonObject,
  follow: OpenApiDocument['follow'],
  addressOf: (url: string) => string,
): Method | null {
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

/** Two methods with the same credentials cannot be told apart; the second is left out. */
function distinct(
  methods: Readonly<Record<string, Method>>,
  note: (text: string) => void,
): Record<string, Method> {
  const seen = new Map<string, string>()
  const kept: Record<string, Method> = {}
  for (const [name, method] of Object.entries(methods)) {
    const { properties } = method['credentials'] as { readonly properties: object }
    const key = Object.keys(properties).toSorted().join()
    const first = seen.get(key)
    if (first !== undefined) {
      note(`method "${name}" takes the same credentials as "${first}"; it is left out`)
      continue
    }
    seen.set(key, name)
    kept[name] = method
  }
  return kept
}
