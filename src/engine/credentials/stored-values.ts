// Values of a third party's answer that are kept: into credentials, settings or the session.
import { isConnectorError } from '../../errors.ts'
import { compileBodyPath } from '../../language/expression/pick.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { storesOf } from '../../language/manifest/access/all-access.ts'
import type {
  AuthMethod,
  InputSchema,
  JsonSchema,
  Manifest,
  Store,
} from '../../language/manifest/manifest.ts'
import { compileInput, type PrepareInput } from '../plan/prepare-input.ts'
import { createServerResolver } from '../request/base-url.ts'
import type { Material } from './material.ts'
import { namesIn } from '../../language/expression/paths-in.ts'
import { Secret } from './redact.ts'
import type { Presented } from './renewal.ts'

/** A value that was not kept, and why. Says nothing of the value itself. */
export interface RefusedValue {
  /** `config.api_base_url`. */
  readonly target: string
  readonly reason: 'absent' | 'schema' | 'destination'
  readonly detail: string
}

/**
 * Compiles the `store` block of a method.
 *
 * A value is kept only if it passes the schema of the setting or credential it goes to, and, where the setting is part
 * of the base URL, if the finished URL passes the checks of `server.hosts`; otherwise the old value stays and the
 * refusal is reported. Never throws for what the answer holds. A value that is absent or null is refused as `absent`.
 */
export function compileStores(
  manifest: Manifest,
  method: AuthMethod,
  stores: readonly Store[],
): (body: Json, material: Material) => Pick<Presented, 'material' | 'refused'> {
  const compiled = stores.map((store) => ({
    ...store,
    pick: compileBodyPath(store.at),
    accepts: ACCEPTS[store.root](manifest, method, store.name),
  }))
  return (body, material) => {
    let current = material
    const refused: RefusedValue[] = []
    for (const { root, name, pick, accepts } of compiled) {
      const value = pick(body)
      const target = `${root}.${name}`
      if (value === undefined || value === null) {
        refused.push({ target, reason: 'absent', detail: 'the answer does not hold it' })
        continue
      }
      const changed = withStored(current, root, name, value)
      const problem = accepts(changed)
      if (problem === null) current = changed
      else refused.push({ target, ...problem })
    }
    return { material: current, refused }
  }
}

/** Whether everything these stores fill is there. */
export function isStored(stores: readonly Store[], material: Material): boolean {
  return stores.every(({ root, name }) => Object.hasOwn(valuesOf(material, root), name))
}

/** The settings that a method's answers can fill in. */
export function storedSettings(method: AuthMethod): ReadonlySet<string> {
  const settings = storesOf(method).filter(({ root }) => root === 'config')
  return new Set(settings.map(({ name }) => name))
}

function valuesOf(material: Material, root: Store['root']): JsonObject {
  return root === 'config' ? material.config : material[root].reveal()
}

function withStored(material: Material, root: Store['root'], name: string, value: Json): Material {
  const values = { ...valuesOf(material, root), [name]: value }
  return { ...material, [root]: root === 'config' ? values : new Secret(values) }
}

type Problem = Omit<RefusedValue, 'target'>
type Accepts = (changed: Material) => Problem | null

const ACCEPTS: Readonly<
  Record<Store['root'], (manifest: Manifest, method: AuthMethod, name: string) => Accepts>
> = {
  session: () => () => null,
  credentials: (manifest, method, name) => {
    const schemaOf = compileSchemaCheck(method.credentials, manifest.definitions, name)
    return ({ credentials }) => schemaOf(credentials.reveal())
  },
  config: (manifest, method, name) => {
    const schemaOf = compileSchemaCheck(manifest.config, manifest.definitions, name)
    const destinationOf = compileDestinationCheck(manifest, method, name)
    return ({ config }) => schemaOf(config) ?? destinationOf(config)
  },
}

function compileSchemaCheck(
  input: InputSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  name: string,
): (values: JsonObject) => Problem | null {
  let prepare: PrepareInput | undefined
  return (values) => {
    prepare ??= compileInput(input, { definitions, pointer: '', noun: 'member' })
    const found = prepare(values, {}).problems.find(
      ({ pointer }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`),
    )
    return found === undefined ? null : { reason: 'schema', detail: found.detail }
  }
}

function compileDestinationCheck(
  manifest: Manifest,
  method: AuthMethod,
  name: string,
): (config: JsonObject) => Problem | null {
  const urls = method.urls ?? manifest.server.urls
  if (!urls.some((url) => namesIn(url, 'config').includes(name))) return () => null
  // Where the customer runs the server, any host would pass, so an answer must not choose it.
  if (manifest.server.hosts === 'any') {
    return () => ({
      reason: 'destination',
      detail: 'an answer must not change the address of a customer’s own server',
    })
  }
  // Without the caller's server URL: that one replaces the address, and the setting would go unchecked.
  const resolve = createServerResolver(manifest, method)
  return (config) => {
    try {
      resolve({ config, maps: manifest.maps })
      return null
    } catch (error) {
      if (!isConnectorError(error)) throw error
      return {
        reason: 'destination',
        detail: 'the base URL with it is not allowed by the hosts of the manifest',
      }
    }
  }
}
