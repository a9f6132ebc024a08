// Which settings each way to connect needs to be asked for.
import { namesIn } from '../../language/expression/paths-in.ts'
import type { Text } from '../../language/expression/syntax.ts'
import { storedSettings } from '../../engine/credentials/stored-values.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { consentOf } from '../../language/manifest/access/consent.ts'
import type { Way } from '../../language/manifest/access/ways.ts'
import type { AuthMethod, Manifest } from '../../language/manifest/manifest.ts'

export interface SettingNeeds {
  /** Without them there is no address to call: asked for at once. */
  readonly first: ReadonlySet<string>
  /** The third party's answers bring them: not asked for. */
  readonly never: ReadonlySet<string>
}

export function settingNeeds(
  manifest: Manifest,
  { kind, method }: Pick<Way, 'kind' | 'method'>,
): SettingNeeds {
  const consent = kind === 'consent' && method !== null ? consentOf(method) : null
  // The address of the consent page comes before any answer.
  const asked = new Set(consent === null ? [] : namesIn(consent.page, 'config'))
  const stored = method === null ? [] : storedSettings(method)
  const never = new Set([...stored].filter((name) => !asked.has(name)))
  const addresses = addressesOf(manifest, { kind, method })
  const { required } = manifest.config.schema
  return {
    never,
    first: new Set([
      ...(Array.isArray(required) ? required.map(String) : []),
      ...addresses.flatMap((url) => namesIn(url, 'config')),
    ]),
  }
}

/** Addresses that a way calls, or leads to. */
export function addressesOf(
  manifest: Manifest,
  { kind, method }: Pick<Way, 'kind' | 'method'>,
): readonly Text[] {
  const consent = kind === 'consent' && method !== null ? consentOf(method) : null
  return [
    ...(method?.urls ?? manifest.server.urls),
    ...(consent === null ? [] : [consent.page, ...consent.urls]),
  ]
}

/**
 * Settings of which the address of a method's calls needs one: optional ones without a value of their own. Empty: the
 * address needs none. A consent may bring them.
 */
export function addressSettings(manifest: Manifest, method: AuthMethod): readonly string[] {
  const { required, properties } = manifest.config.schema
  const { first } = settingNeeds(manifest, { kind: 'form', method })
  return [...first].filter((name) => {
    const schema = isJsonObject(properties) ? properties[name] : undefined
    const isRequired = Array.isArray(required) && required.includes(name)
    return !isRequired && isJsonObject(schema) && schema['default'] === undefined
  })
}
