// Addresses of the Internet Protocol, as text and parsed.
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The address in its shortest meaning (an IPv4 address written as IPv6 is that IPv4 address), or null for a name. */
export function parseAddress(text: string): Address | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null
}
