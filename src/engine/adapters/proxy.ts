// Which requests leave through a proxy, and how it is addressed.
import { isWithin, parseAddress, parseNetwork } from '../exchange/address.ts'
import { decodePart, type ProxyOptions, proxyProblem } from '../exchange/proxy-options.ts'

/** A proxy that connects to what it is asked for by CONNECT (RFC 9110 section 9.3.6). */
export interface Proxy {
  /** Host and port, for messages. */
  readonly name: string
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  /** Never in a message. */
  readonly authorization: string | null
}

export interface ProxyRule {
  readonly proxy: Proxy
  readonly resolves: boolean
  /** Whether a URL is called through the proxy: https, not on this machine, and no exception. */
  readonly takes: (url: URL) => boolean
}

/** Throws TypeError for an address that is none of a proxy; the text does not show it, as a password may be in it. */
export function readProxy(given: string | ProxyOptions): ProxyRule {
  const { url, except = [], resolves = false } = typeof given === 'string' ? { url: given } : given
  const matchers = except.map((entry) => matcherOf(entry.trim().toLowerCase()))
  return {
    proxy: parseProxy(url),
    resolves,
    takes: (target) =>
      target.protocol === 'https:' &&
      !isThisMachine(target.hostname) &&
      !matchers.some((matches) => matches(target)),
  }
}

function parseProxy(text: string): Proxy {
  const problem = proxyProblem(text)
  const url = URL.parse(text)
  if (problem !== null || url === null) throw new TypeError(`proxy: the url ${problem}`)
  const isTls = url.protocol === 'https:'
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port)
  const [user, password] = [decodePart(url.username) ?? '', decodePart(url.password) ?? '']
  const isKnown = user !== '' || password !== ''
  return {
    name: `${url.hostname}:${port}`,
    host: bare(url.hostname),
    port,
    isTls,
    authorization: isKnown
      ? `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
      : null,
  }
}

/** Sandboxes and neighbours: what a proxy calls by these names is another machine. */
function isThisMachine(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  return parseAddress(hostname)?.range() === 'loopback'
}

type Matcher = (url: URL) => boolean

function matcherOf(entry: string): Matcher {
  if (entry === '') return () => false
  if (entry === '*') return () => true
  const network = parseNetwork(entry)
  if (network !== null)
    return ({ hostname }) => {
      const address = parseAddress(hostname)
      return address !== null && isWithin(address, network)
    }
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  const suffix = name.replace(/^\*?\.?/, '.')
  return (url) => {
    const isNamed = url.hostname.endsWith(suffix) || url.hostname === name
    return isNamed && (port === undefined || port === (url.port || '443'))
  }
}

/** An IPv6 address without the brackets that it has in URLs. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
