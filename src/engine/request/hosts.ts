// Which hosts a manifest allows, and which of them may see credentials.
import type { Server } from '../../language/manifest/manifest.ts'
import type { BaseUrl } from './base-url.ts'

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Whether `host` is one of `hosts`, or lies below a `*.` entry: whole labels, any depth. `any` allows every DNS name. */
export function isHostAllowed(host: string, hosts: Server['hosts']): boolean {
  if (!host.split('.').every((label) => LABEL.test(label))) return false
  if (hosts === 'any') return host.includes('.') && !/^[\d.]+$/.test(host)
  return hosts.some((allowed) =>
    allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed,
  )
}

/** One label of a host name, as DNS has it. */
export function isLabel(text: string): boolean {
  return LABEL.test(text)
}

/**
 * Whether credentials may go to `url`: the server's own origin, and hosts listed by name. A host that only a `*.` entry
 * covers may belong to another customer.
 */
export function mayReceiveCredentials(url: URL, base: BaseUrl, hosts: Server['hosts']): boolean {
  if (url.origin === base.origin) return true
  return (
    url.protocol === 'https:' && url.port === '' && hosts !== 'any' && hosts.includes(url.hostname)
  )
}
