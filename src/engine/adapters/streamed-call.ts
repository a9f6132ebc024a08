// A call whose answer is passed on while it arrives.
import { Readable } from 'node:stream'

import { ConnectorError } from '../../errors.ts'
import type { UpstreamHead, UpstreamStream } from '../exchange/transport.ts'

import { transportError } from './transport-error.ts'
import { type Asked, type CallHistory, UpstreamCall } from './upstream-call.ts'

/** Bytes held between the socket and a reader that is slower. With less, every read of the socket is a stop and a start. */
const HIGH_WATER_BYTES = 256 * 1024

/** Hands the body on piece by piece; a reader that falls behind stops the socket. A failure after the head destroys the body. */
export class StreamedCall extends UpstreamCall<UpstreamStream> {
  protected readonly kind = 'streamed'
  protected readonly encodings = 'identity'
  #body: UpstreamBody | null = null
  /** The reader has enough for now, so silence and slowness are its own. */
  #paused = false
  // The present window of the minimum rate: what came, and how long the third party had for it.
  #windowBytes = 0
  #windowMs = 0
  #windowSince = 0

  resume(): void {
    if (!this.#paused) return
    this.#paused = false
    this.since = performance.now()
    this.#windowSince = this.since
    this.watch()
    this.controller?.resume()
  }

  /** The reader has left; the connection goes too. */
  abandon(): void {
    this.fail(transportError('aborted', 'The reader left', this.standing))
  }

  protected accept(head: UpstreamHead): void {
    this.endsAt = this.since + this.asked.transport.limits.streamMs
    this.#windowSince = this.since
    const body = new UpstreamBody(this)
    this.#body = body
    this.watch()
    this.asked.resolve({ ...head, body })
  }

  protected take(chunk: Buffer): void {
    this.#windowBytes += chunk.length
    if (this.#body === null || this.#body.push(chunk)) return
    this.#paused = true
    this.#windowMs += this.since - this.#windowSince
    this.controller?.pause()
  }

  protected complete(): void {
    this.#body?.push(null)
  }

  protected reject(error: ConnectorError): void {
    if (this.#body === null) this.asked.reject(error)
    else this.#body.destroy(error.code === 'aborted' ? error : interrupted(error, this.received))
  }

  protected again(asked: Asked<UpstreamStream>, history: CallHistory): StreamedCall {
    return new StreamedCall(asked, history)
  }

  protected override deadline(): number {
    if (this.#body === null) return super.deadline()
    if (this.#paused) return this.endsAt
    return Math.min(super.deadline(), this.#windowEnd())
  }

  protected override overdue(now: number): ConnectorError | null {
    if (this.#body === null || this.#paused || now < this.#windowEnd()) return super.overdue(now)
    const { rateBytesPerSecond, rateWindowMs } = this.asked.transport.limits
    if (this.#windowBytes < (rateBytesPerSecond * rateWindowMs) / 1000) {
      return this.error('upstream_timeout', 'sends too slowly', 'rate')
    }
    this.#windowBytes = 0
    this.#windowMs = 0
    this.#windowSince = now
    return super.overdue(now)
  }

  #windowEnd(): number {
    return this.#windowSince + this.asked.transport.limits.rateWindowMs - this.#windowMs
  }
}

/** A break after the head: a reader of a part must not take it for the whole. The cause says what broke. */
function interrupted(error: ConnectorError, bytes: number): ConnectorError {
  return new ConnectorError('download_interrupted', `${error.message} after ${bytes} bytes`, {
    details: { ...error.details, bytes },
    cause: error,
  })
}

/** The body as a stream. Reading resumes the socket, destroying it gives the connection up. */
class UpstreamBody extends Readable {
  readonly #call: StreamedCall

  constructor(call: StreamedCall) {
    super({ highWaterMark: HIGH_WATER_BYTES })
    this.#call = call
    // A break between the head and the first read must not end the process; the reader sees the error all the same.
    this.on('error', () => {})
  }

  override _read(): void {
    this.#call.resume()
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#call.abandon()
    callback(error)
  }
}
