// Whether a proxy can be used, found out without a request.
import { DEFAULT_LIMITS } from '../exchange/transport-limits.ts'

import { createOutgoingGuard, type OutgoingGuardOptions } from './outgoing-guard.ts'
import { type ProxyOptions } from '../exchange/proxy-options.ts'
import { readProxy } from './proxy.ts'
import { openTunnel } from './proxy-tunnel.ts'

/**
 * Connects to the host of an https address through a proxy, and ends the connection before a byte has passed it. False:
 * the host is called without the proxy.
 *
 * Rejects as a call would: `upstream_unreachable`, `destination_refused`.
 */
export async function tryProxy(
  given: ProxyOptions,
  address: string,
  guarded: Pick<OutgoingGuardOptions, 'allowHosts' | 'allowedBy'> = {},
): Promise<boolean> {
  const url = new URL(address)
  const rule = readProxy(given)
  if (!rule.takes(url)) return false
  const check = createOutgoingGuard({ ...guarded, proxy: rule })(url)
  const { connectMs: timeoutMs, headBytes } = DEFAULT_LIMITS
  const target = { host: url.hostname, port: Number(url.port || 443) }
  await new Promise<void>((resolve, reject) => {
    openTunnel({ proxy: rule.proxy, check, timeoutMs, headBytes }, target, (error, socket) => {
      socket?.destroy()
      if (error === null) resolve()
      else reject(error)
    })
  })
  return true
}
