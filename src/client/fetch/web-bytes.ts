// Bytes of an answer on their way, by the standards of the web.
import { DEFAULT_LIMITS } from '../../engine/exchange/transport-limits.ts'
import { ConnectorError } from '../../errors.ts'
import type { IncomingBytes } from '../service-platform.ts'
import type { Stop } from './stop.ts'

const { idleMs, streamMs } = DEFAULT_LIMITS

/** The body of an answer, guarded: silence ends it, and a short one never ends cleanly. `stop` ends with it. */
export function webBytes(response: Response, stop: Stop): IncomingBytes {
  const reader = response.body?.getReader() ?? null
  const announced = announcedLength(response.headers)
  const endsAt = performance.now() + streamMs
  let bytes = 0

  function cancel(): void {
    stop.release()
    reader?.cancel().catch(() => {})
  }

  /** The next piece; null: that was the last. */
  async function next(): Promise<Uint8Array | null> {
    try {
      const ms = Math.min(idleMs, Math.max(0, endsAt - performance.now()))
      stop.within(ms, () => new ConnectorError('upstream_timeout', `the service fell silent`))
      const { done, value } = (await reader?.read()) ?? { done: true as const, value: undefined }
      if (done && announced !== null && bytes < announced)
        throw new TypeError('the answer ended before the announced length')
      if (done) stop.release()
      // What its reader takes until it asks again is its own time.
      else stop.within(streamMs, () => new ConnectorError('upstream_timeout', `took too long`))
      bytes += value?.length ?? 0
      return value ?? null
    } catch (error) {
      cancel()
      throw interrupted(stop.error ?? error, bytes)
    }
  }

  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for (let piece = await next(); piece !== null; piece = await next()) yield piece
    } finally {
      cancel()
    }
  }

  return {
    pieces,
    webStream: () =>
      new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const piece = await next()
            if (piece === null) controller.close()
            else controller.enqueue(piece)
          },
          cancel,
        },
        { highWaterMark: 0 },
      ),
    nodeStream() {
      throw new TypeError(
        'tenon/fetch has no streams of Node: use for await, toWebStream() or toBytes(); in Node, connectHosted of tenon',
      )
    },
    toFile: async () => {
      throw new TypeError(
        'tenon/fetch writes no files: use for await, toWebStream() or toBytes(), in a page new Blob([bytes]) and a link to it; in Node, connectHosted of tenon',
      )
    },
    cancel,
  }
}

/** null where nothing is said, or where the bytes that come are not those that were counted. */
function announcedLength(headers: Headers): number | null {
  const length = headers.get('content-length')
  const isPlain = (headers.get('content-encoding') ?? 'identity') === 'identity'
  return length === null || !isPlain ? null : Number(length)
}

function interrupted(cause: unknown, bytes: number): ConnectorError {
  if (cause instanceof ConnectorError && cause.code === 'aborted') return cause
  const why = cause instanceof Error ? cause.message : 'the connection broke'
  return new ConnectorError('download_interrupted', `${why} after ${bytes} bytes`, {
    details: { bytes },
    cause,
  })
}
