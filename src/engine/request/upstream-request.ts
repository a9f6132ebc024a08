// What leaves for a third party, as plain data.
import type { SignedMessage } from '../../language/signing/request-facts.ts'
import { StreamedBody } from './streamed-body.ts'

/** One complete HTTP request. Rendering it is pure; sending it is the transport's work. */
export interface UpstreamRequest {
  readonly method: string
  /** Absolute and encoded: it goes onto the wire as it is. */
  readonly url: string
  /** Names in lower case; values checked for control characters. */
  readonly headers: Readonly<Record<string, string>>
  /** A streamed one is opened for each attempt. */
  readonly body: string | Uint8Array | StreamedBody | null
  /** How many redirects may be followed. A hop to another origin loses every header in `secretHeaders`. */
  readonly redirects: number
  /** Of this attempt, from its turn to connect to the last byte read (to the head for streams), redirects included. */
  readonly timeoutMs: number
  /** How long the head of the answer may take where that is more than the transport allows: the answer matters more. */
  readonly headMs?: number
  /** How long the server may take nothing of a streamed body where that is more than the transport allows: it passes it on. */
  readonly restMs?: number
  /**
   * Tells, piece by piece, whether the body is complete although its connection stays open; null: it ends as usual. Such a
   * body may be silent for `headMs`, and is not compressed.
   */
  readonly endOf?: (head: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
  }) => ((piece: Buffer) => boolean) | null
  /** What its connection shows of the client. */
  readonly tls?: ClientCertificate
  /** Whether the cookies of the answer are wanted: only logins keep any. */
  readonly keepsCookies?: true
  readonly secretHeaders: readonly string[]
  readonly secretQuery: readonly string[]
  /** Its path and query are all that is needed for what it does: the address that a file is sent to in parts. */
  readonly secretAddress?: true
  /** Gives the request as it leaves, with a signature. Absent: it leaves as it is. */
  readonly sign?: (request: SignedMessage) => SignedMessage & {
    /** The query parameters that it may have added. */
    readonly secretQuery: readonly string[]
  }
}

/** A client certificate. The same object stands for it as long as the credentials do. */
export interface ClientCertificate {
  /** PEM. */
  readonly certificate: string
  readonly key: string
  /** null: the key is not encrypted. */
  readonly passphrase: string | null
  /** The credentials that each is made of, for messages. */
  readonly names: Readonly<Record<'certificate' | 'key' | 'passphrase', readonly string[]>>
}

/** Shorter ones occur everywhere by chance. */
const MIN_SECRET = 16

/**
 * The secret texts on a request as it left, for a redactor: signatures are made for one attempt, so that nobody else
 * knows them. A header is taken apart, since vendors quote what is in it.
 */
export function secretTextsOf(request: UpstreamRequest): readonly string[] {
  const { url, headers, secretHeaders, secretQuery, secretAddress } = request
  const parts = secretHeaders.flatMap((name) => (headers[name] ?? '').split(/[\s,;"]+|=(?!=*$)/))
  const query = secretQuery.length === 0 ? null : new URL(url).searchParams
  const given = [...parts, ...secretQuery.flatMap((name) => query?.getAll(name) ?? [])]
  const address = secretAddress === true ? addressTexts(url) : []
  return [...given, ...address]
    .flatMap((text) => [text, decoded(text)])
    .filter(({ length }) => length >= MIN_SECRET)
}

/** What of an address a vendor may quote, the longest first. */
function addressTexts(url: string): readonly string[] {
  const { pathname, search } = new URL(url)
  return [url, `${pathname}${search}`, ...pathname.split('/'), ...search.slice(1).split(/[&=]/)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // It was not encoded.
    return text
  }
}

/** The request with its signature, where it has one. An attempt signs again: signatures hold the time. */
export function signed(unsigned: UpstreamRequest): UpstreamRequest {
  if (unsigned.sign === undefined) return unsigned
  const { sign, ...request } = unsigned
  const { method, headers, body } = request
  const bytes = body instanceof StreamedBody ? null : Buffer.from(body ?? '')
  const message = sign({ method, url: request.url, headers, body: bytes })
  const added = Object.keys(message.headers).filter(
    (name) => message.headers[name] !== headers[name],
  )
  return {
    ...request,
    url: message.url,
    headers: message.headers,
    secretHeaders: [...request.secretHeaders, ...added],
    secretQuery: [...request.secretQuery, ...message.secretQuery],
  }
}
