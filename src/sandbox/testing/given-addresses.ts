// Addresses that a third party gives for one file: the session of an upload, a download that is signed. To know one is to
// have the right to it, so the parts of it that nobody could guess are secrets.

/** A request of a tape, as Polly tells of it. */
export interface Asked {
  readonly method: string
  readonly url: string
}
export interface Answer {
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body?: string
}

const SENDS = /^(?:PUT|PATCH|POST)$/
/** An address as it stands in JSON. */
const ADDRESS = /"(https?:(?:\\?\/){2}[^"]+)"/g

/** Is told of each request before it is sent, and of its answer. */
export interface AddressNotes {
  readonly sent: (request: Asked) => void
  readonly answered: (request: Asked, answer: Answer) => void
}

/**
 * Tells the secrets in addresses: those of every `Location`, and those of an address in a body that something is sent to
 * later.
 */
export function createAddressNotes(tell: (secret: string) => void): AddressNotes {
  /** Addresses in bodies, each with the request whose answer gave it. */
  const given = new Map<string, string>()
  const sent = ({ method, url }: Asked): void => {
    if (!SENDS.test(method.toUpperCase())) return
    for (const [address, askedAt] of given)
      if (url.startsWith(address)) secretsIn(address, askedAt).forEach(tell)
  }
  const answered = ({ url }: Asked, { headers = {}, body = '' }: Answer): void => {
    for (const location of [headers['location'] ?? []].flat())
      if (URL.canParse(location, url)) secretsIn(new URL(location, url).href, url).forEach(tell)
    for (const [, address = ''] of body.matchAll(ADDRESS)) {
      const plain = address.replaceAll(String.raw`\/`, '/').replaceAll(String.raw`\u0026`, '&')
      if (URL.canParse(plain)) given.set(new URL(plain).href, url)
    }
  }
  return { sent, answered }
}

/** Values of the query and segments of the path that are too long to guess, and were not in the request. */
function secretsIn(address: string, askedAt: string): readonly string[] {
  const { pathname, search } = new URL(address)
  const parts = [...pathname.split('/'), ...search.split(/[?&=]/)]
  return parts
    .filter((part) => isUnguessable(part) && !askedAt.includes(part))
    .flatMap((part) => [part, decoded(part)])
}

/** Shorter ones are names and versions. */
function isUnguessable(part: string): boolean {
  return part.length >= 16 || (part.length >= 12 && /\d/.test(part))
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // It was no encoding.
    return part
  }
}
