// Addresses of the Internet Protocol and networks of them, as text and parsed.
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** An address, and how many of its bits are those of the network. */
export type Network = readonly [address: Address, bits: number]

/** The address in its shortest meaning (an IPv4 address written as IPv6 is that IPv4 address), or null for a name. */
export function parseAddress(text: string): Address | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null
}

/** `10.0.0.0/8`, or an address, which is the network of itself; null: it is neither. */
export function parseNetwork(text: string): Network | null {
  const address = parseAddress(text)
  if (address !== null) return [address, bitsOf(address)]
  if (!ipaddr.isValidCIDR(text)) return null
  const [network, bits] = ipaddr.parseCIDR(text)
  // As addresses are read: those of IPv4, written as IPv6, are IPv4.
  return network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= MAPPED_BITS
    ? [network.toIPv4Address(), bits - MAPPED_BITS]
    : [network, bits]
}

const MAPPED_BITS = 96

export function bitsOf(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128
}

/** The address that names the network: all its other bits are 0. */
export function firstOf([address, bits]: Network): Address {
  const text = `${address.toString()}/${bits}`
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(text)
    : ipaddr.IPv6.networkAddressFromCIDR(text)
}

export function isWithin(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}
