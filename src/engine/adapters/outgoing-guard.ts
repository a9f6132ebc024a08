// Where calls may go: https and public addresses, unless the host was allowed by name or range.
import { lookup as systemLookup } from 'node:dns'
import type { LookupAddress, LookupAllOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'

import ipaddr from 'ipaddr.js'

import { ConnectorError } from '../../errors.ts'
import {
  type Address,
  isWithin,
  type Network,
  parseAddress,
  parseNetwork,
} from '../exchange/address.ts'

/**
 * Decides about each origin before anything is connected, and about each resolved address while connecting: gives the
 * name look-up that connections to this origin must use. It hands out checked addresses only, so the address that was
 * judged is the address that is connected, however often the name changes its answer.
 *
 * Throws `destination_refused` for another scheme than https, user information, another port than 443, and IP
 * literals that are not public. Node never looks IP literals up, so they are judged here, in the form the URL
 * parser gives them (it writes `0177.1` and `2130706433` as plain addresses).
 */
export type OutgoingGuard = (url: URL) => LookupFunction

export interface OutgoingGuardOptions {
  /**
   * What may be called although it is private, plain http or on another port: host names (`localhost`), hosts with
   * a port (`localhost:8080`), addresses and ranges (`10.0.0.0/8`, `::1`). A range also lets through names that
   * resolve into it.
   */
  readonly allowHosts?: readonly string[]
  /** What a refusal calls the list, for those who can add to it. Default: `allowHosts`. */
  readonly allowedBy?: string
  /**
   * A proxy chooses the address that is called: then all that a name has here must be admitted, and hosts that are allowed
   * by name are not looked up. A name that this machine cannot resolve is refused, unless it `resolves` names itself.
   */
  readonly proxy?: { readonly resolves: boolean }
  /** Resolves a name to all its addresses. The system's resolver by default. */
  readonly resolve?: Resolve
}

export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Throws TypeError for an entry of `allowHosts` that is neither a host nor a range. */
export function createOutgoingGuard(options: OutgoingGuardOptions = {}): OutgoingGuard {
  const { hosts, ranges } = parseAllowed(options.allowHosts ?? [])
  const refused = refusedUnless(options.allowedBy ?? 'allowHosts')
  const resolve = options.resolve ?? systemLookup
  const inRanges = (address: Address): boolean =>
    ranges.some((network) => isWithin(address, network))

  const isAdmitted = (address: Address): boolean => isPublic(address) || inRanges(address)
  const { proxy } = options
  const by = (admits: (address: Address) => boolean, resolves = false): LookupFunction =>
    proxy === undefined
      ? lookupOf(resolve, admits, refused)
      : checkOf(resolve, admits, refused, resolves)
  const anywhere = proxy === undefined ? by(() => true) : byName
  const publicOrAllowed = by(isAdmitted, proxy?.resolves)
  const allowedOnly = by(inRanges)

  return (url) => {
    const host = url.hostname
    if (url.username !== '' || url.password !== '') {
      throw refused(host, 'userinfo', 'the address must not carry user information')
    }
    if (hosts.has(host) || hosts.has(`${host}:${effectivePort(url)}`)) return anywhere

    const fault = faultOf(url)
    const literal = parseAddress(host)
    if (literal !== null) {
      if (inRanges(literal)) return anywhere
      if (fault !== null) throw refused(host, ...fault)
      if (!isPublic(literal)) throw refused(host, 'address', `${host} is not a public address`)
      return publicOrAllowed
    }
    if (fault === null) return publicOrAllowed
    // Whether the name lies in an allowed range is known only after it has been resolved.
    if (ranges.length > 0) return allowedOnly
    throw refused(host, ...fault)
  }
}

function faultOf({ protocol, hostname, port }: URL): [reason: string, text: string] | null {
  if (protocol !== 'https:') return ['scheme', `${hostname} would be called without https`]
  return port === '' ? null : ['port', `${hostname} would be called on port ${port}`]
}

function lookupOf(
  resolve: Resolve,
  admits: (address: Address) => boolean,
  refused: Refused,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, '')
        return
      }
      const admitted = found.filter(({ address }) => {
        const parsed = parseAddress(address)
        return parsed !== null && admits(parsed)
      })
      const [first] = admitted
      if (first === undefined) {
        callback(refused(hostname, 'address', `${hostname} has no address that may be called`), '')
      } else if (options.all === true) {
        callback(null, admitted)
      } else {
        callback(null, first.address, first.family)
      }
    })
  }
}

/** What is allowed by its name needs no address here. */
const byName: LookupFunction = (_hostname, _options, callback) => callback(null, [])

/** Finds nothing, and fails unless a proxy may be asked for the name. */
function checkOf(
  resolve: Resolve,
  admits: (address: Address) => boolean,
  refused: Refused,
  resolves: boolean,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const isAdmitted = ({ address }: LookupAddress): boolean => {
        const parsed = parseAddress(address)
        return parsed !== null && admits(parsed)
      }
      if (error !== null) callback(resolves ? null : unresolved(hostname, error), [])
      else if (found.length > 0 && found.every(isAdmitted)) callback(null, [])
      else
        callback(
          refused(hostname, 'address', `${hostname} has addresses that may not be called`),
          [],
        )
    })
  }
}

function unresolved(host: string, cause: NodeJS.ErrnoException): ConnectorError {
  return new ConnectorError(
    'upstream_unreachable',
    `${host} has no address that this machine knows, so the proxy is not asked for it; where only the proxy knows names, set \`resolves\` of the proxy (TENON_PROXY_RESOLVES=1)`,
    { details: { reason: cause.code ?? 'unknown' }, cause },
  )
}

/** Ordinary addresses of the internet. Everything with a special purpose is not (RFC 6890), nor is unassigned IPv6. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  // Global addresses of IPv6 lie in 2000::/3.
  return address.kind() === 'ipv4' || address.match(ipaddr.parse('2000::'), 3)
}

function parseAllowed(entries: readonly string[]): { hosts: Set<string>; ranges: Network[] } {
  const hosts = new Set<string>()
  const ranges: Network[] = []
  for (const entry of entries) {
    const network = parseNetwork(entry)
    if (network === null) hosts.add(parseHost(entry))
    else ranges.push(network)
  }
  return { hosts, ranges }
}

/** `host` or `host:port` as the URL parser writes it. */
function parseHost(entry: string): string {
  // The port is read apart, because the URL parser drops the scheme's own.
  const [, name, port] = /^([^/?#@\\\s]+?)(?::(\d{1,5}))?$/.exec(entry) ?? []
  const url = name === undefined ? null : URL.parse(`http://${name}`)
  if (url === null || url.hostname === '' || url.port !== '') {
    throw new TypeError(
      `allowHosts: ${JSON.stringify(entry)} is neither a host name, host:port, an address nor a range like 10.0.0.0/8`,
    )
  }
  return port === undefined ? url.hostname : `${url.hostname}:${Number(port)}`
}

function effectivePort({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80')
}

type Refused = (host: string, reason: string, text: string) => ConnectorError

function refusedUnless(allowedBy: string): Refused {
  return (host, reason, text) =>
    new ConnectorError(
      'destination_refused',
      `${text}; calls go to public https addresses only, unless the host is named in ${allowedBy}`,
      { details: { host, reason } },
    )
}
