// The proxy that third parties are called through: whether it lets calls to them pass.
import { tryProxy } from '../../engine/adapters/try-proxy.ts'
import { isConnectorError } from '../../errors.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { ServiceSettings } from '../../service/settings.ts'
import { proxyOf } from '../egress-proxy.ts'
import { type Finding, findingsOf } from './finding.ts'

const PROXY = findingsOf('proxy')

/** Connects through it to a host of each connector, and sends nothing. */
export async function lookAtProxy(
  settings: ServiceSettings,
  manifests: readonly Manifest[],
): Promise<readonly Finding[]> {
  const proxy = proxyOf(settings)
  if (proxy === undefined) return [PROXY.ok('third parties are called directly')]
  if (settings.mode === 'sandbox') return [PROXY.ok('the sandbox is on this machine')]
  const hosts = new Set(manifests.flatMap(hostOf))
  return await Promise.all(
    [...hosts].map(async (host) => {
      try {
        const isTaken = await tryProxy(proxy, `https://${host}`, {
          allowHosts: settings.allowHosts,
          allowedBy: 'TENON_ALLOW_HOSTS',
        })
        return PROXY.ok(isTaken ? `${host} can be reached` : `${host} is called without the proxy`)
      } catch (error) {
        if (!isConnectorError(error)) throw error
        return PROXY.fail(error.message, REMEDIES[String(error.details['reason'])] ?? REMEDY)
      }
    }),
  )
}

/** The first host that needs no setting of an instance. */
function hostOf({ server: { hosts } }: Manifest): readonly string[] {
  if (hosts === 'any') return []
  return hosts.filter((host) => !host.startsWith('*')).slice(0, 1)
}

const REMEDY = 'correct TENON_PROXY (or HTTPS_PROXY), or start the proxy'
const RESOLVES =
  'let this machine resolve the names of third parties, or set TENON_PROXY_RESOLVES=1'
const REMEDIES: Readonly<Record<string, string>> = {
  ENOTFOUND: RESOLVES,
  EAI_AGAIN: RESOLVES,
  proxy_authentication: 'correct user and password in TENON_PROXY (or HTTPS_PROXY)',
  proxy_refused: 'let the proxy pass CONNECT to this host, or name it in TENON_NO_PROXY',
  proxy_failed: 'look at the proxy: it cannot reach this host',
  address: 'name the host in TENON_ALLOW_HOSTS if it may be called',
}
