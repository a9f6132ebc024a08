// Credentials as a recording may hold them: the same members, every secret replaced.
import type { JsonObject } from '../../language/json/json.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'

const STAND_IN = 'scrubbed-value'

/** The members with stand-ins for all that is secret in some method, and the secret values. */
export function scrubbedCredentials(
  { auth }: Manifest,
  credentials: JsonObject,
): { readonly credentials: JsonObject; readonly secrets: readonly string[] } {
  const secretNames = new Set(
    auth.flatMap((method) => [
      ...method.credentials.secrets.map(([name]) => name),
      ...method.credentials.aliases
        .filter(({ name }) => method.credentials.secrets.some(([secret]) => secret === name))
        .map(({ alias }) => alias),
    ]),
  )
  const secrets = Object.entries(credentials).flatMap(([name, value]) =>
    secretNames.has(name) && typeof value === 'string' ? [value] : [],
  )
  return {
    credentials: Object.fromEntries(
      Object.entries(credentials).map(([name, value]) => [
        name,
        secretNames.has(name) ? STAND_IN : value,
      ]),
    ),
    secrets,
  }
}
