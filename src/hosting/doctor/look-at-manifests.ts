// The manifests that would be served, and the OAuth clients that they need.
import { packageFile } from '../../package-file.ts'
import { fileURLToPath } from 'node:url'
import { isConnectorError } from '../../errors.ts'
import { CLIENT_AUTH } from '../../language/manifest/access/grants.ts'
import { consentOf } from '../../language/manifest/access/consent.ts'
import { loadManifestFile } from '../../language/manifest/load.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { clientSettings } from '../../service/oauth/operator-clients.ts'
import type { ServiceSettings } from '../../service/settings.ts'
import { filesOf } from '../catalogue-files.ts'
import { fail, type Finding, ok, warn } from './finding.ts'

/** Every problem of every manifest: those of the package, and the operator's. */
export async function lookAtManifests(settings: ServiceSettings): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const byType = new Map<string, Manifest>()
  for (const source of [fileURLToPath(packageFile('manifests')), ...settings.manifests]) {
    try {
      for (const file of await filesOf(source)) {
        const { manifest, problems } = await loadManifestFile(file)
        if (manifest !== null) byType.set(manifest.type, manifest)
        findings.push(
          ...problems.map(({ line, column, message, hint, severity }) =>
            (severity === 'error' ? fail : warn)(
              'manifests',
              `${file}:${line}:${column} ${message}`,
              hint ?? `tenon lint ${file} shows the place`,
            ),
          ),
        )
      }
    } catch (error) {
      if (!isConnectorError(error, 'manifest_invalid')) throw error
      findings.push(fail('manifests', error.message, 'correct TENON_MANIFESTS'))
    }
  }
  const wanted = settings.connectors ?? [...byType.keys()]
  for (const type of wanted.filter((each) => !byType.has(each))) {
    findings.push(
      fail(
        'manifests',
        `there is no manifest for ${type}`,
        `correct TENON_CONNECTORS; there is ${[...byType.keys()].join(', ')}`,
      ),
    )
  }
  const served = wanted.flatMap((type) => byType.get(type) ?? [])
  if (findings.length === 0) {
    const shown = served.map(({ type, version }) => `${type} ${version}`).join(', ')
    findings.push(ok('manifests', `${shown}: no problem`))
  }
  return [...findings, ...lookAtClients(settings, served, [...byType.keys()])]
}

/** A connector whose users consent in a browser needs an OAuth app of the operator's. */
function lookAtClients(
  { oauthClients, publicUrl, mode }: ServiceSettings,
  served: readonly Manifest[],
  types: readonly string[],
): readonly Finding[] {
  const findings: Finding[] = []
  for (const { type, auth } of served) {
    const [consent] = auth.flatMap((method) => consentOf(method) ?? [])
    if (consent === undefined) continue
    const names = clientSettings(type)
    const client = oauthClients[type]
    const others = auth.some((method) => consentOf(method) === null)
    if (client === undefined) {
      findings.push(
        mode === 'sandbox'
          ? ok('oauth', `${type}: the client of the local vendor`)
          : warn(
              'oauth',
              `${type}: no client; users cannot consent${others ? ', other credentials work' : ''}`,
              `register an OAuth app at the vendor, then set ${names.id} and ${names.secret}`,
            ),
      )
    } else if (client.secret === null && CLIENT_AUTH[consent.token.clientAuth].hasSecret) {
      findings.push(fail('oauth', `${type}: a client without its secret`, `set ${names.secret}`))
    } else {
      const callback = `${publicUrl ?? '<public url>'}/v1/oauth/callback/${type}`
      findings.push(ok('oauth', `${type}: the vendor must know ${callback} as redirect address`))
    }
  }
  for (const type of Object.keys(oauthClients).filter((each) => !types.includes(each))) {
    findings.push(
      fail(
        'oauth',
        `there is an OAuth client for ${type}, and no such connector`,
        `there is ${types.join(', ')}; the service does not start so`,
      ),
    )
  }
  return findings
}
