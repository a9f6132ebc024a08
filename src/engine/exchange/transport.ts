// The port to the network: what the engine needs of HTTP. Implemented in src/engine/adapters.
import type { Readable } from 'node:stream'
import type { UpstreamRequest } from '../request/upstream-request.ts'

export interface UpstreamHead {
  readonly status: number
  /** Names in lower case; repeated headers joined by ", " (set-cookie is dropped). */
  readonly headers: Readonly<Record<string, string>>
  /** The address that answered, after redirects. */
  readonly url: string
  /** What the answer set, where the request asks for it. */
  readonly cookies?: Readonly<Record<string, string>>
}

/** A complete body. */
export interface UpstreamBody {
  /** Where the body came in pieces, they are joined when this is first asked for. */
  readonly body: Buffer
  /** The pieces, for readers that need not have it whole: joining large bodies is a part of what they cost. */
  readonly pieces?: readonly Buffer[]
}

/** A complete answer: content encodings undone, sizes within the limits. */
export interface UpstreamResponse extends UpstreamHead, UpstreamBody {}

/** An answer whose body is still arriving. Bytes as the vendor sent them, also where they are compressed. */
export interface UpstreamStream extends UpstreamHead {
  /**
   * Must be consumed or destroyed; destroying it gives the connection up. A body that breaks off, falls silent, comes
   * too slowly or is shorter than announced errors with `download_interrupted`, whose cause is what happened and whose
   * `details.bytes` came before; the caller's abort errors with `aborted`. It never just ends. A reader that is slow
   * slows the third party down.
   */
  readonly body: Readable
}

export interface SendOptions {
  /** Aborts at any phase; the reason becomes the cause of `aborted`. */
  readonly signal?: AbortSignal
  /**
   * On whose behalf, where a process serves several: they take turns at a busy host, and nobody who has nothing under
   * way there waits for those who have much.
   */
  readonly lane?: string
}

/**
 * Sends requests. Never retries, never follows more redirects than the request says; a redirect that is not followed
 * is the answer. A hop to another origin carries no credentials and no body.
 *
 * Throws ConnectorError: `destination_refused` (guard), `overloaded` (too many calls to this host), `upstream_unreachable`
 * (no connection, or one that broke), `upstream_timeout`, `upstream_response_too_large`, `upstream_malformed` (broken
 * framing or content encoding), `aborted`. `details.sent` is false when no byte of the request can have reached the
 * third party, else true; `details.phase` names where it stopped (`connect`, `head`, `body`); `details.status` is the
 * answer's status where the head had come; `details.reason` says more, for logs.
 */
export interface Transport {
  send(request: UpstreamRequest, options?: SendOptions): Promise<UpstreamResponse>
  /** Resolves with the head; for a status other than 2xx the caller still reads a bounded body from `body`. */
  stream(request: UpstreamRequest, options?: SendOptions): Promise<UpstreamStream>
  /** Ends calls under way with `aborted` and closes every connection. */
  close(): Promise<void>
}
