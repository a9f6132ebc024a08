// An operation with its files, sent as they are read; how far it is, is told meanwhile.
import { BASE } from '../place.tsx'
import { settled } from './call.ts'
import { type JsonObject, writeJson } from './json-text.ts'
import { unreachable } from './problem.ts'

export interface Progress {
  readonly done: number
  /** Null: nobody said. */
  readonly total: number | null
}

export type Files = Readonly<Record<string, File>>

/** Browsers digest what they hold in memory only. */
const MAX_DIGESTED_BYTES = 64 * 1024 * 1024

/**
 * What the service is told of files before they come. With the digests, a write with them can be made once: null in place
 * of them for files that are too large together, and where the browser digests nothing, which is on http beyond loopback.
 */
export async function describeFiles(
  files: Files,
): Promise<{ readonly described: JsonObject; readonly areDigested: boolean }> {
  const all = Object.entries(files)
  const total = all.reduce((sum, [, { size }]) => sum + size, 0)
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto }
  const areDigested = subtle !== undefined && total <= MAX_DIGESTED_BYTES
  const entries: [string, JsonObject][] = []
  for (const [param, file] of all) {
    const { name, type, size } = file
    const digest = areDigested ? await subtle.digest('SHA-256', await file.arrayBuffer()) : null
    entries.push([
      param,
      {
        name,
        size,
        ...(type === '' ? {} : { type }),
        ...(digest === null ? {} : { sha256: hexOf(digest) }),
      },
    ])
  }
  return { described: Object.fromEntries(entries), areDigested }
}

function hexOf(digest: ArrayBuffer): string {
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * A successful answer whose body nobody has read. `operation` has what `describeFiles` says as `files`. Throws Problem; when
 * it is aborted, the reason of the signal.
 */
export async function sendForm(
  path: string,
  operation: JsonObject,
  files: Files,
  {
    signal,
    told,
    idempotencyKey,
  }: {
    readonly signal: AbortSignal
    readonly told: (progress: Progress) => void
    readonly idempotencyKey?: string | undefined
  },
): Promise<Response> {
  const form = new FormData()
  // The part with the operation comes first: the service reads the files as they arrive.
  form.append('operation', new Blob([writeJson(operation)], { type: 'application/json' }))
  for (const [param, file] of Object.entries(files)) form.append(param, file)
  // fetch does not tell how much of a body has left.
  const request = new XMLHttpRequest()
  request.open('POST', `${BASE}/api/v1${path}`)
  request.setRequestHeader('x-tenon-console', '1')
  if (idempotencyKey !== undefined) request.setRequestHeader('idempotency-key', idempotencyKey)
  request.responseType = 'blob'
  request.upload.onprogress = ({ loaded, total }) => told({ done: loaded, total })
  const answer = new Promise<Response>((resolve, reject) => {
    request.onload = () => {
      const type = request.getResponseHeader('content-type') ?? ''
      // Of type blob.
      const body = request.response as Blob
      resolve(
        new Response(body.size === 0 ? null : body, {
          status: request.status,
          headers: {
            'content-type': type,
            'idempotent-replayed': request.getResponseHeader('idempotent-replayed') ?? 'false',
          },
        }),
      )
    }
    request.onerror = () => reject(unreachable())
    request.onabort = () => reject(signal.reason as Error)
  })
  const stop = (): void => request.abort()
  signal.addEventListener('abort', stop, { once: true })
  try {
    request.send(form)
    return await settled(await answer)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
