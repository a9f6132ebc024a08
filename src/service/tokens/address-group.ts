// Addresses of callers, as far as they tell one caller from another.
import ipaddr from 'ipaddr.js'

/** A caller with IPv6 has at least a network of this many bits for itself. Source: RFC 6177. */
const NETWORK_BYTES = 8

/**
 * What stands for the caller behind an IP address: IPv4 as it is, also where it is mapped into IPv6, and the first 64 bits
 * of IPv6. Null and text that is no address stand for themselves.
 */
export function addressGroup(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return address ?? ''
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return Buffer.from(parsed.toByteArray().slice(0, NETWORK_BYTES)).toString('hex')
}
