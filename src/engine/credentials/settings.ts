// The settings of an instance: as given, completed by defaults and by what credentials tell, checked.
import { ConnectorError, isConnectorError, type Problem } from '../../errors.ts'
import { compileTemplate } from '../../language/expression/evaluate.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { AuthMethod, Manifest } from '../../language/manifest/manifest.ts'
import { compileInput, type PreparedInput } from '../plan/prepare-input.ts'
import { createServerResolver } from '../request/base-url.ts'
import { namesIn } from '../../language/expression/paths-in.ts'
import { storedSettings } from './stored-values.ts'

export interface SettingsInput {
  readonly manifest: Manifest
  /** null: not known yet, or the manifest has none. */
  readonly method: AuthMethod | null
  readonly config: JsonObject
  readonly credentials: JsonObject
  /** Another upstream origin; null: the manifest's. */
  readonly serverUrl: string | null
}

/**
 * The settings with aliases resolved, `derive` of the method and defaults filled in. What the caller gave wins.
 *
 * Throws `config_invalid` with all problems (pointers begin with `/config`), also when no complete base URL can be
 * made of them; a setting that the method's own answers will bring may be missing. `destination_refused` when the
 * base URL names a host that is not allowed.
 */
export function resolveSettings(input: SettingsInput): JsonObject {
  const { manifest, method } = input
  const { value, problems } = prepared(manifest, withDerived(input))
  if (problems.length > 0) throw settingsInvalid(manifest, problems)
  if (method !== null || manifest.auth.length === 0) requireBaseUrl(input, value)
  return value
}

/**
 * The settings as far as they can be told before the credentials are known: they come from a function of the host.
 *
 * Throws `config_invalid` like {@link resolveSettings}, but a setting that some method derives may be missing.
 */
export function earlySettings(manifest: Manifest, config: JsonObject): JsonObject {
  const derivable = new Set(
    manifest.auth.flatMap(({ derive }) => derive.map(({ setting }) => `/config/${setting}`)),
  )
  const { value, problems } = prepared(manifest, config)
  const certain = problems.filter(({ pointer }) => !derivable.has(pointer))
  if (certain.length > 0) throw settingsInvalid(manifest, certain)
  return value
}

function prepared(
  { config: input, definitions, maps }: Manifest,
  config: JsonObject,
): PreparedInput {
  const prepare = compileInput(input, { definitions, pointer: '/config', noun: 'setting' })
  return prepare(config, { config, maps })
}

function withDerived({ manifest, method, config, credentials }: SettingsInput): JsonObject {
  const derived: Record<string, JsonObject[string]> = {}
  for (const { setting, value } of method?.derive ?? []) {
    if (Object.hasOwn(config, setting)) continue
    const found = compileTemplate(value)({ config, credentials, maps: manifest.maps })
    if (found !== undefined) derived[setting] = found
  }
  return { ...derived, ...config }
}

function settingsInvalid(manifest: Manifest, errors: readonly Problem[]): ConnectorError {
  return new ConnectorError('config_invalid', `the settings are not valid for ${manifest.type}`, {
    errors,
  })
}

/** Refuses settings without which no request has an address, unless an answer of the third party will bring them. */
function requireBaseUrl({ manifest, method, serverUrl }: SettingsInput, config: JsonObject): void {
  try {
    createServerResolver(manifest, method, serverUrl)({ config, maps: manifest.maps })
  } catch (error) {
    const awaited = method === null ? new Set<string>() : storedSettings(method)
    const named = (method?.urls ?? manifest.server.urls).flatMap((url) => namesIn(url, 'config'))
    const follows = named.some((name) => awaited.has(name) && !Object.hasOwn(config, name))
    if (!(follows && isConnectorError(error, 'config_invalid'))) throw error
  }
}
