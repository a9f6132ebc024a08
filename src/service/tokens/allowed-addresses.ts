// From where an application may be used: addresses and networks; none of them: from everywhere.
import {
  bitsOf,
  firstOf,
  isWithin,
  parseAddress,
  parseNetwork,
} from '../../engine/exchange/address.ts'
import { ConnectorError } from '../../errors.ts'

export const MAX_ADDRESSES = 50

/** What is wrong with an entry of a list, as the end of a sentence about it. */
export interface WrongAddress {
  readonly index: number
  readonly text: string
  readonly problem: string
}

/**
 * The entries of a list, each in its shortest form and once, and what is wrong with others. Only what reads in one way is
 * taken: `10/8` and `010.0.0.1` mean something else to others.
 */
export function readAddresses(given: readonly string[]): {
  readonly addresses: readonly string[]
  readonly wrong: readonly WrongAddress[]
} {
  const addresses = new Set<string>()
  const wrong: WrongAddress[] = []
  for (const [index, text] of given.entries()) {
    const read = readAddress(text.trim())
    if ('text' in read) addresses.add(read.text)
    else wrong.push({ index, text, ...read })
  }
  return { addresses: [...addresses], wrong }
}

const NUMBER = String.raw`(?:0|[1-9]\d{0,2})`
const FORM = new RegExp(
  String.raw`^(?:(?:${NUMBER}\.){3}${NUMBER}|[\da-f.]*:[\da-f:.]*)(?:/\d{1,3})?$`,
  'i',
)

function readAddress(text: string): { readonly text: string } | { readonly problem: string } {
  const network = FORM.test(text) ? parseNetwork(text) : null
  if (network === null)
    return {
      problem:
        'must be an IP address or a network, such as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32',
    }
  const [address, bits] = network
  const first = firstOf(network).toString()
  if (first !== address.toString())
    return {
      problem: `is an address and not a network: write ${first}/${bits} for the network, or ${address.toString()} for the address alone`,
    }
  return { text: bits === bitsOf(address) ? first : `${first}/${bits}` }
}

/** `address`: null: it is not known, and lies within no list. */
export function isAllowed(addresses: readonly string[], address: string | null): boolean {
  if (addresses.length === 0) return true
  const parsed = address === null ? null : parseAddress(address)
  if (parsed === null) return false
  return addresses.some((text) => {
    const network = parseNetwork(text)
    return network !== null && isWithin(parsed, network)
  })
}

/** The list is not told: who has a stolen secret does not learn from where it is good. */
export function addressDenied(address: string | null): ConnectorError {
  const from = address === null ? 'an address that is not known' : address
  return new ConnectorError(
    'address_denied',
    `this application may not be used from ${from}. An administrator changes its addresses under Settings, Applications, and the operator with tenon apps update <client-id> --address`,
  )
}
