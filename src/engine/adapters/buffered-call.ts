// A call whose answer is wanted whole.
import type { ConnectorError } from '../../errors.ts'
import type { SendOptions, UpstreamHead, UpstreamResponse } from '../exchange/transport.ts'
import type { UpstreamRequest } from '../request/upstream-request.ts'

import { InflateError, inflateGzip } from './inflate.ts'
import type { CallContext, CallHistory } from './upstream-call.ts'
import { FIRST_HOP, UpstreamCall } from './upstream-call.ts'

/** Settles a promise of the whole answer. */
export interface BufferedReceiver {
  resolve(response: UpstreamResponse): void
  reject(error: ConnectorError): void
}

type Coding = 'identity' | 'gzip'

/** Content codings that are understood; `x-gzip` is an old name (RFC 9110, section 8.4.1.3). */
const CODINGS: Readonly<Record<string, Coding>> = {
  '': 'identity',
  identity: 'identity',
  gzip: 'gzip',
  'x-gzip': 'gzip',
}

/** Collects the body in pieces and undoes gzip. */
export class BufferedCall extends UpstreamCall {
  protected readonly kind = 'buffered'
  protected readonly encodings = 'gzip'
  readonly #receiver: BufferedReceiver
  readonly #chunks: Buffer[] = []
  #head: UpstreamHead | null = null
  #coding: Coding = 'identity'

  constructor(
    context: CallContext,
    request: UpstreamRequest,
    options: SendOptions,
    receiver: BufferedReceiver,
    history: CallHistory = FIRST_HOP,
  ) {
    super(context, request, options, history)
    this.#receiver = receiver
  }

  protected accept(head: UpstreamHead): void {
    const named = head.headers['content-encoding'] ?? ''
    const coding = CODINGS[named.trim().toLowerCase()]
    if (coding === undefined) {
      throw this.error(
        'upstream_malformed',
        'compressed its answer in a way not asked for',
        'coding',
      )
    }
    this.#coding = coding
    this.#head = head
    if ((this.announced ?? 0) > this.context.limits.bodyBytes) throw this.#tooLarge()
  }

  protected take(chunk: Buffer): void {
    if (this.received > this.context.limits.bodyBytes) {
      this.fail(this.#tooLarge())
    } else {
      this.#chunks.push(chunk)
    }
  }

  protected complete(): void {
    if (this.#coding === 'identity') this.#resolve(this.#chunks)
    else void this.#inflate(joined(this.#chunks))
  }

  protected reject(error: ConnectorError): void {
    this.#receiver.reject(error)
  }

  protected again(request: UpstreamRequest, history: CallHistory): UpstreamCall {
    return new BufferedCall(this.context, request, this.options, this.#receiver, history)
  }

  async #inflate(raw: Buffer): Promise<void> {
    try {
      this.#resolve([await inflateGzip(raw, this.context.limits)])
    } catch (error) {
      const isLarge = error instanceof InflateError && error.kind === 'too_large'
      this.reject(
        isLarge
          ? this.#tooLarge()
          : this.error('upstream_malformed', 'sent compressed data that cannot be read', 'coding'),
      )
    }
  }

  #resolve(pieces: readonly Buffer[]): void {
    if (this.#head === null) return
    if (pieces.length <= 1) {
      this.#receiver.resolve({ ...this.#head, body: joined(pieces) })
      return
    }
    const { status, headers, url } = this.#head
    let whole: Buffer | undefined
    this.#receiver.resolve({
      status,
      headers,
      url,
      pieces,
      get body() {
        return (whole ??= joined(pieces))
      },
    })
  }

  #tooLarge(): ConnectorError {
    return this.error('upstream_response_too_large', 'sent an answer that is too large', 'body')
  }
}

function joined(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces
  return first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces)
}
