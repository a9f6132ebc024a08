// The proxy that requests of a service leave through, as its settings name it.
import type { ProxyOptions } from '../engine/exchange/proxy-options.ts'
import type { ServiceSettings } from '../service/settings.ts'

/** For a transport; undefined where third parties are called directly. */
export function proxyOf({
  proxy,
  noProxy,
  proxyResolves,
}: Pick<ServiceSettings, 'proxy' | 'noProxy' | 'proxyResolves'>): ProxyOptions | undefined {
  return proxy === null ? undefined : { url: proxy, except: noProxy, resolves: proxyResolves }
}
