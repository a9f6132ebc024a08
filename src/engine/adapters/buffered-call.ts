// A call whose answer is wanted whole.
import { promisify } from 'node:util'

import type { ConnectorError } from '../../errors.ts'
import { nodeZlib } from '../../late-modules.ts'
import { streamedBody } from '../exchange/streamed.ts'
import type { UpstreamHead, UpstreamResponse } from '../exchange/transport.ts'
import type { TransportLimits } from '../exchange/transport-limits.ts'

import { type Asked, type CallHistory, type CallKind, UpstreamCall } from './upstream-call.ts'

type Coding = 'identity' | 'gzip'

/** Content codings that are understood; `x-gzip` is an old name (RFC 9110, section 8.4.1.3). */
const CODINGS: Readonly<Record<string, Coding>> = {
  '': 'identity',
  identity: 'identity',
  gzip: 'gzip',
  'x-gzip': 'gzip',
}

/** Collects the body in pieces and undoes gzip. */
export class BufferedCall extends UpstreamCall<UpstreamResponse> {
  protected get encodings(): string {
    return this.asked.request.endOf === undefined ? 'gzip' : 'identity'
  }
  readonly #chunks: Buffer[] = []
  #head: UpstreamHead | null = null
  #coding: Coding = 'identity'
  #isEnd: ((piece: Buffer) => boolean) | null = null

  /** A file that is sent lasts as long as one that is read. */
  protected get kind(): CallKind {
    return streamedBody(this.asked.request) === null ? 'buffered' : 'streamed'
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
    if (coding === 'identity') this.#isEnd = this.asked.request.endOf?.(head) ?? null
    if ((this.announced ?? 0) > this.asked.transport.limits.bodyBytes) throw this.#tooLarge()
  }

  protected take(chunk: Buffer): void {
    if (this.received > this.asked.transport.limits.bodyBytes) {
      this.fail(this.#tooLarge())
    } else {
      this.#chunks.push(chunk)
      if (this.#isEnd?.(chunk) === true) this.finish()
    }
  }

  protected complete(): void {
    if (this.#coding === 'identity') this.#resolve(this.#chunks)
    else void this.#inflate(joined(this.#chunks))
  }

  protected reject(error: ConnectorError): void {
    this.asked.reject(error)
  }

  protected again(asked: Asked<UpstreamResponse>, history: CallHistory): BufferedCall {
    return new BufferedCall(asked, history)
  }

  async #inflate(raw: Buffer): Promise<void> {
    try {
      this.#resolve([await inflateGzip(raw, this.asked.transport.limits)])
    } catch (error) {
      this.reject(
        isTooLarge(error)
          ? this.#tooLarge()
          : this.error('upstream_malformed', 'sent compressed data that cannot be read', 'coding'),
      )
    }
  }

  #resolve(pieces: readonly Buffer[]): void {
    if (this.#head === null) return
    this.asked.resolve(
      pieces.length <= 1
        ? { ...this.#head, body: joined(pieces) }
        : new AnswerInPieces(this.#head, pieces),
    )
  }

  #tooLarge(): ConnectorError {
    return this.error('upstream_response_too_large', 'sent an answer that is too large', 'body')
  }
}

/**
 * A class, because V8 makes a hidden class of its own for each object that is written with a getter, and keeps the
 * pieces with it until all memory is collected: bench/README.md, "The direct client".
 */
class AnswerInPieces implements UpstreamResponse {
  readonly status: number
  readonly headers: UpstreamHead['headers']
  readonly url: string
  readonly pieces: readonly Buffer[]
  #whole: Buffer | null = null

  constructor({ status, headers, url }: UpstreamHead, pieces: readonly Buffer[]) {
    this.status = status
    this.headers = headers
    this.url = url
    this.pieces = pieces
  }

  get body(): Buffer {
    return (this.#whole ??= joined(this.pieces))
  }
}

function joined(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces
  return first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces)
}

/** Bodies up to here are inflated at once: a worker costs more than the work, which is at most a few milliseconds. */
const INLINE_BYTES = 32 * 1024

/** Below this no ratio is judged: a short body of one repeated record may well shrink 500 times. */
const RATIO_FREE_BYTES = 1024 * 1024

/**
 * The plain bytes of a gzip body, or a promise of them where the body is large.
 *
 * Stops as soon as more than `bodyBytes` have come out, or more than `inflateRatio` for each byte that went in, so a bomb
 * costs that much memory and no more. Throws what zlib throws, for {@link isTooLarge}.
 */
function inflateGzip(
  raw: Buffer,
  limits: Pick<TransportLimits, 'bodyBytes' | 'inflateRatio'>,
): Buffer | Promise<Buffer> {
  // Servers that compress everything send an empty body as zero bytes.
  if (raw.length === 0) return raw
  const maxOutputLength = Math.min(
    limits.bodyBytes,
    Math.max(raw.length * limits.inflateRatio, RATIO_FREE_BYTES),
  )
  const { gunzip, gunzipSync } = nodeZlib()
  return raw.length > INLINE_BYTES
    ? promisify(gunzip)(raw, { maxOutputLength })
    : gunzipSync(raw, { maxOutputLength })
}

/** Whether a failure was the size; else the body is no gzip, or ends early. */
function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}
