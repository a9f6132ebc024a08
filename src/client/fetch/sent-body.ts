// The body of a request as `fetch` takes it.
import type { StreamedBody } from '../../engine/exchange/streamed.ts'
import type { UpstreamRequest } from '../../engine/request/upstream-request.ts'
import { DEFAULT_LIMITS } from '../../engine/exchange/transport-limits.ts'

const { rateBytesPerSecond } = DEFAULT_LIMITS

export type SentBody = Pick<RequestInit, 'body' | 'duplex'>

/** What is told of a body while it is read. Of a Blob nothing is. */
export interface FeedWatcher {
  /** All of it was taken. */
  onEnd(): void
  /** It broke: the request fails because of this. */
  onBroken(error: unknown): void
}

/** A body of bytes and Blobs is one Blob, which every runtime sends; another one is a stream. */
export function sentBody(body: UpstreamRequest['body'], watcher: FeedWatcher): SentBody {
  // A part of memory that threads share is none that anybody gives.
  if (typeof body === 'string' || body instanceof Uint8Array)
    return { body: body as Exclude<SentBody['body'], undefined> }
  if (body === null) return {}
  const parts = body.pieces.map((piece) => (piece instanceof Uint8Array ? piece : piece.blob))
  const whole = parts.filter((part) => part !== undefined)
  if (whole.length === parts.length) return { body: new Blob(whole) }
  return { body: streamOf(body, watcher), duplex: 'half' }
}

/** How long a body may take to be sent where nothing is told of it: as long as on the slowest line that is served. */
export function sendingMs({ body, duplex }: SentBody): number {
  if (duplex !== undefined || !(body instanceof Blob)) return 0
  return (body.size / rateBytesPerSecond) * 1000
}

function streamOf(body: StreamedBody, watcher: FeedWatcher): ReadableStream<Uint8Array> {
  const opened = body.open()
  const pieces = opened[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          if (done !== true) controller.enqueue(value)
          else {
            watcher.onEnd()
            controller.close()
          }
        } catch (error) {
          watcher.onBroken(error)
          controller.error(error)
        }
      },
      cancel: () => void opened.destroy(),
    },
    { highWaterMark: 0 },
  )
}
