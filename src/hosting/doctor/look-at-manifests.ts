// The manifests that would be served, and the OAuth clients that they need.
import { packageFile } from '../../package-file.ts'
import { fileURLToPath } from 'node:url'
import { isConnectorError } from '../../errors.ts'
import { consentOf } from '../../language/manifest/access/consent.ts'
import { loadManifestFile } from '../../language/manifest/load.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { clientSettings } from '../../service/oauth/operator-clients.ts'
import type { ServiceSettings } from '../../service/settings.ts'
import { sharedNamesOf, sharedSettings } from '../../service/vendor-webhooks/shared-secrets.ts'
import { filesOf } from '../catalogue-files.ts'
import { loadIcons } from '../icon-files.ts'
import { type Finding, findingsOf } from './finding.ts'

const MANIFESTS = findingsOf('manifests')
const OAUTH = findingsOf('oauth')
const WEBHOOKS = findingsOf('webhooks')

interface LookedAt {
  readonly findings: readonly Finding[]
  /** Those that would be served. */
  readonly served: readonly Manifest[]
}

/** Every problem of every manifest: those of the package, and the operator's. */
export async function lookAtManifests(settings: ServiceSettings): Promise<LookedAt> {
  const findings: Finding[] = []
  const byType = new Map<string, Manifest>()
  for (const source of [fileURLToPath(packageFile('manifests')), ...settings.manifests]) {
    try {
      for (const file of await filesOf(source)) {
        const { manifest, problems } = await loadManifestFile(file)
        if (manifest !== null) byType.set(manifest.type, manifest)
        for (const { line, column, message, hint, severity } of problems) {
          const kind = severity === 'error' ? 'fail' : 'warn'
          const remedy = hint ?? `tenon lint ${file} shows the place`
          findings.push(MANIFESTS[kind](`${file}:${line}:${column} ${message}`, remedy))
        }
      }
    } catch (error) {
      if (!isConnectorError(error, 'manifest_invalid')) throw error
      findings.push(MANIFESTS.fail(error.message, 'correct TENON_MANIFESTS'))
    }
  }
  const types = [...byType.keys()]
  const wanted = settings.connectors ?? types
  for (const type of wanted.filter((each) => !byType.has(each))) {
    const remedy = `correct TENON_CONNECTORS; there is ${types.join(', ')}`
    const message = `there is no manifest for ${type}`
    findings.push(
      settings.publishOrganization === null
        ? MANIFESTS.fail(message, remedy)
        : MANIFESTS.warn(`${message}, unless it was published`, remedy),
    )
  }
  try {
    await loadIcons(settings.icons, types)
  } catch (error) {
    if (!isConnectorError(error, 'config_invalid')) throw error
    findings.push(
      MANIFESTS.fail(error.message, 'correct the folder; the service does not start so'),
    )
  }
  const served = wanted.flatMap((type) => byType.get(type) ?? [])
  if (findings.length === 0) {
    const shown = served.map(({ type, version }) => `${type} ${version}`).join(', ')
    findings.push(MANIFESTS.ok(`${shown}: no problem`))
  }
  const unknown = Object.keys(settings.oauthClients).filter((each) => !types.includes(each))
  const clients = [
    ...served.flatMap((manifest) => lookAtClient(settings, manifest)),
    ...unknown.map((type) =>
      OAUTH.fail(
        `there is an OAuth client for ${type}, and no such connector`,
        `there is ${types.join(', ')}; the service does not start so`,
      ),
    ),
  ]
  const secrets = [
    ...served.flatMap((manifest) => lookAtSecrets(settings, manifest)),
    ...Object.keys(settings.webhookSecrets)
      .filter((type) => !types.includes(type))
      .map((type) =>
        WEBHOOKS.warn(
          `there is a secret for webhooks of ${type}, and no such connector`,
          `there is ${types.join(', ')}`,
        ),
      ),
  ]
  return { findings: [...findings, ...clients, ...secrets], served }
}

/** What an operator shares with a vendor for the webhooks of an app; who takes none needs none. */
function lookAtSecrets(
  { webhookSecrets, mode }: ServiceSettings,
  manifest: Manifest,
): readonly Finding[] {
  const { type } = manifest
  const { names, isNeeded } = sharedNamesOf(manifest)
  const given = webhookSecrets[type] ?? {}
  const settings = sharedSettings(type)
  const has = names.filter((name) => (given[name] ?? []).length > 0)
  const lacks = names.filter((name) => !has.includes(name)).map((name) => settings[name])
  const unread = (['secret', 'token'] as const)
    .filter((name) => (given[name] ?? []).length > 0 && !names.includes(name))
    .map((name) => settings[name])
  if (unread.length > 0)
    return [
      WEBHOOKS.warn(
        `${type}: nothing reads ${unread.join(' and ')}`,
        `take ${unread.length === 1 ? 'it' : 'them'} out`,
      ),
    ]
  if (names.length === 0 || mode === 'sandbox') return []
  const changing = has.filter((name) => (given[name] ?? []).length > 1)
  if (changing.length > 0)
    return [
      WEBHOOKS.warn(
        `${type}: two secrets prove a delivery`,
        `take ${changing.map((name) => `${settings[name]}_PREVIOUS`).join(' and ')} out when the vendor uses the new one`,
      ),
    ]
  if (lacks.length === 0) return [WEBHOOKS.ok(`${type}: deliveries of its app can be proved`)]
  if (!isNeeded && has.length === 0)
    return [WEBHOOKS.ok(`${type}: deliveries are proved by what each instance has`)]
  return [
    WEBHOOKS.warn(
      `${type}: webhooks of its app are refused, as nothing proves them`,
      `set ${lacks.join(' and ')} if you take them`,
    ),
  ]
}

/** A connector whose users consent in a browser needs an OAuth app of the operator's. */
function lookAtClient(
  { oauthClients, publicUrl, mode }: ServiceSettings,
  { type, auth }: Manifest,
): readonly Finding[] {
  const [consent] = auth.flatMap((method) => consentOf(method) ?? [])
  if (consent === undefined) return []
  const names = clientSettings(type)
  const client = oauthClients[type]
  if (client === undefined && consent.client.isRegistered)
    return [OAUTH.ok(`${type}: the service registers its client at the vendor`)]
  if (client === undefined) {
    if (mode === 'sandbox') return [OAUTH.ok(`${type}: the client of the local vendor`)]
    const others = auth.some((method) => consentOf(method) === null)
    const remedy = `register an OAuth app at the vendor, then set ${names.id} and ${names.secret}, or keep its client in the console (Settings, Connectors)`
    const message = `${type}: no client; users cannot consent`
    return [OAUTH.warn(others ? `${message}, other credentials work` : message, remedy)]
  }
  if (client.secret === null && consent.client.hasSecret)
    return [OAUTH.fail(`${type}: a client without its secret`, `set ${names.secret}`)]
  const callback = `${publicUrl ?? '<public url>'}/v1/oauth/callback/${type}`
  return [OAUTH.ok(`${type}: the vendor must know ${callback} as redirect address`)]
}
