// Credentials and settings that the sandbox accepts: those of the demo data, the rest made up from the schemas.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import { requiredIn, typeNamesOf } from '../../language/manifest/json-schema.ts'
import { matchAccess, storesOf } from '../../language/manifest/access/all-access.ts'
import { carriedBy } from '../../language/manifest/credential-places/places.ts'
import { makeUpKey } from '../../language/signing/algorithms.ts'
import type {
  AuthMethod,
  InputSchema,
  JsonSchema,
  Manifest,
} from '../../language/manifest/manifest.ts'
import { compileValidator } from '../../language/manifest/validator.ts'
import type { Demo } from '../data/demo-types.ts'
import { propertiesOf, schemaAt } from '../wire/schema-places.ts'
import type { Beginnings } from './token-book.ts'

export type DemoClient = NonNullable<Demo['client']>

/** The settings a caller is given: demo data, defaults, and what else is needed, with a value that its schema accepts. */
export function demoConfig(manifest: Manifest, demo: Demo): JsonObject {
  const { schema, defaults } = manifest.config
  const given: Record<string, Json> = { ...demo.config }
  for (const fill of defaults) {
    const [name, ...rest] = fill.at
    if (name !== undefined && rest.length === 0 && 'value' in fill) given[name] ??= fill.value
  }
  return complete(schema, given, manifest.definitions, neededIn(schema, manifest))
}

/** All settings that the vendor knows: those of its callers, and those that its answers tell. */
export function knownConfig(manifest: Manifest, demo: Demo): JsonObject {
  const names = manifest.auth
    .flatMap(storesOf)
    .filter(({ root }) => root === 'config')
    .map(({ name }) => name)
  const given = { ...demoConfig(manifest, demo), ...demo.learned }
  return complete(manifest.config.schema, given, manifest.definitions, names)
}

/** Settings without which the base URL cannot be told, in addition to those that the schema requires. */
function neededIn(schema: JsonSchema, manifest: Manifest): readonly string[] {
  const named = manifest.server.urls
    .at(-1)
    ?.flatMap((part) =>
      typeof part !== 'string' && part.kind === 'path' && part.root === 'config'
        ? part.path.slice(0, 1)
        : [],
    )
  return [...requiredIn(schema), ...(named ?? [])]
}

export function demoClient(demo: Demo, { auth }: Pick<Manifest, 'auth'>): DemoClient {
  const [secret = 'demo-client-secret'] = auth.flatMap(
    (method) => keysOf(method, 'client')['secret'] ?? [],
  )
  return demo.client ?? { id: 'demo-client', secret }
}

/** Complete credentials of one method; with OAuth, the client is the demo's. */
export function demoCredentials(method: AuthMethod, manifest: Manifest, demo: Demo): JsonObject {
  const client = demoClient(demo, manifest)
  const known = matchAccess<JsonObject>(method, {
    session: () => ({}),
    oauth2: () => ({
      client_id: client.id,
      client_secret: client.secret,
      access_token: `demo-access-${method.name}`,
      refresh_token: `demo-refresh-${method.name}`,
    }),
    oauth1: () => ({
      client_id: client.id,
      client_secret: client.secret,
      access_token: `demo-access-${method.name}`,
      token_secret: `demo-token-secret-${method.name}`,
    }),
  })
  const declared = propertiesOf(method.credentials.schema).map(([name]) => name)
  const given = {
    ...Object.fromEntries(Object.entries(known ?? {}).filter(([name]) => declared.includes(name))),
    ...keysOf(method, 'credentials'),
    ...demo.credentials.get(method.name),
  }
  return complete(method.credentials.schema, given, manifest.definitions, declared)
}

/**
 * What tokens begin with that the vendor issues, by method: those of the demo credentials, where the manifest wants tokens
 * of a form that others do not have.
 */
export function tokenBeginnings(
  { auth, definitions }: Pick<Manifest, 'auth' | 'definitions'>,
  credentials: ReadonlyMap<string, JsonObject>,
): ReadonlyMap<string, Beginnings> {
  const beginningOf = (method: AuthMethod, name: string, plain: string): string => {
    const schema = schemaAt(method.credentials.schema, [name], definitions)
    const known = own(credentials.get(method.name), name)
    const isPlain = schema === null || compileValidator(schema, definitions)(plain).length === 0
    return isPlain || typeof known !== 'string' ? plain : known
  }
  return new Map(
    auth.map((method) => [
      method.name,
      {
        access: beginningOf(method, 'access_token', 'demo-access'),
        refresh: beginningOf(method, 'refresh_token', 'demo-refresh'),
      },
    ]),
  )
}

/** Members of a root that are keys of a signature, and cannot be any text. */
function keysOf(
  method: AuthMethod,
  root: 'credentials' | 'client',
): Readonly<Record<string, string>> {
  const { jwt } = method
  const values = [
    ...carriedBy(method.apply).flatMap((part) => ('values' in part ? part.values : [])),
    ...(jwt === undefined
      ? []
      : [{ template: jwt.key, makeUp: () => makeUpKey(jwt.alg, jwt.keyEncoding) }]),
  ]
  return Object.fromEntries(
    values.flatMap(({ template, makeUp }) => {
      const expression = template.kind === 'value' ? template.expression : null
      if (expression?.kind !== 'path' || expression.root !== root) return []
      const key = makeUp?.() ?? null
      return key === null ? [] : [[expression.path[0] ?? '', key] as const]
    }),
  )
}

function complete(
  schema: InputSchema['schema'],
  given: JsonObject,
  definitions: Manifest['definitions'],
  wanted: readonly string[],
): JsonObject {
  const made = wanted.flatMap((name) => {
    const property = schemaAt(schema, [name], definitions)
    const value =
      own(given, name) ?? (property === null ? undefined : fitting(name, property, definitions))
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...given, ...Object.fromEntries(made) }
}

/** The first of some plain values that the schema of a setting accepts; absent when none does. */
function fitting(
  name: string,
  schema: JsonSchema,
  definitions: Manifest['definitions'],
): Json | undefined {
  const choices = own(schema, 'enum')
  const candidates: readonly Json[] = [
    ...(Array.isArray(choices) ? choices : []),
    ...(typeNamesOf(schema).includes('integer') ? [1, 10, 100] : []),
    ...(typeNamesOf(schema).includes('boolean') ? [false] : []),
    `demo-${name.replaceAll('_', '-')}`,
    ...PLAIN_VALUES,
  ]
  const validate = compileValidator(schema, definitions)
  return candidates.find((candidate) => validate(candidate).length === 0)
}

/** Shapes that patterns of settings commonly ask for. */
const PLAIN_VALUES: readonly string[] = [
  ...'demo demo@example.com https://demo.example.com demo.example.com'.split(' '),
  ...'1 12345 1234567890 act_1234567890 v1.0 us us1 US demo-us1'.split(' '),
  '00000000-0000-4000-8000-000000000001',
  '0123456789abcdef0123456789abcdef',
  '2026-01-01',
]
