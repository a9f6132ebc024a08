// What leaves for a third party, as plain data.
import type { SentRequest } from '../../language/manifest/credential-places/place.ts'

/** One complete HTTP request. Rendering it is pure; sending it is the transport's work. */
export interface UpstreamRequest {
  readonly method: string
  /** Absolute and encoded: it goes onto the wire as it is. */
  readonly url: string
  /** Names in lower case; values checked for control characters. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
  /** How many redirects may be followed. A hop to another origin loses every header in `secretHeaders`. */
  readonly redirects: number
  /** Of this attempt, from its turn to connect to the last byte read (to the head for streams), redirects included. */
  readonly timeoutMs: number
  /** How long the head of the answer may take where that is more than the transport allows: the answer matters more. */
  readonly headMs?: number
  readonly secretHeaders: readonly string[]
  readonly secretQuery: readonly string[]
  /** Makes headers of the request as it leaves: a signature. Absent: it leaves as it is. */
  readonly sign?: (request: SentRequest) => Readonly<Record<string, string>>
}

/** The request with its signature, where it has one. An attempt signs again: signatures hold the time. */
export function signed(unsigned: UpstreamRequest): UpstreamRequest {
  if (unsigned.sign === undefined) return unsigned
  const { sign, ...request } = unsigned
  const { method, url, headers, body } = request
  const signature = sign({ method, url, headers, body: Buffer.from(body ?? '') })
  return {
    ...request,
    headers: { ...headers, ...signature },
    secretHeaders: [...request.secretHeaders, ...Object.keys(signature)],
  }
}
