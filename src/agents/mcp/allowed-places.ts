// From where the server over HTTP may be called: by which names, and by pages of which origins.
//
// A page of another site can lead its own name to an address of this machine or network ("DNS rebinding") and is then of
// one origin with the server. `Host` has the name that the page was opened by, so a name that is not ours gives it away.

/** Hosts of addresses that only this machine reaches. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

export interface AllowedPlaces {
  /** Names of hosts, without ports; null: every one. Addresses and those of loopback are always among them. */
  readonly hosts: ReadonlySet<string> | null
  readonly origins: readonly string[]
}

/** Why a request is refused by where it comes from, or null. `host`: undefined where there is no such header. */
export function refusedPlace(
  { hosts, origins }: AllowedPlaces,
  { host, origin }: { readonly host: string | undefined; readonly origin: string | null },
): string | null {
  if (hosts !== null && host !== undefined && !isAllowedHost(hosts, host))
    return `the host ${host.slice(0, 100)} is not allowed; allowed hosts are part of the server's settings`
  if (origin === null || origins.includes(origin)) return null
  // A page that came from this server. Without a list of hosts nothing says that its name is one of ours.
  if (hosts !== null && host !== undefined && ownOrigins(host).includes(origin)) return null
  return `the origin ${origin} is not allowed`
}

function isAllowedHost(hosts: ReadonlySet<string>, host: string): boolean {
  const name = nameIn(host)
  return name !== null && (LOOPBACK.has(name) || isAddress(name) || hosts.has(name))
}

/** The name in a `Host` header, in lower case; null: it is none. Source: RFC 9110, section 7.2. */
function nameIn(host: string): string | null {
  const name = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(host)?.[1]
  return name === undefined ? null : name.toLowerCase().replace(/\.$/, '')
}

/** Only a name can be led elsewhere; who opens an address has reached the server itself. */
function isAddress(name: string): boolean {
  return name.startsWith('[') || /^\d{1,3}(\.\d{1,3}){3}$/.test(name)
}

/** The origins of pages that came by this `Host`: without TLS on this machine only. */
function ownOrigins(host: string): readonly string[] {
  const name = nameIn(host) ?? ''
  return [`https://${host}`, ...(LOOPBACK.has(name) ? [`http://${host}`] : [])]
}
