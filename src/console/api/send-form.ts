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

/** A successful answer whose body nobody has read. Throws Problem; when it is aborted, the reason of the signal. */
export async function sendForm(
  path: string,
  operation: JsonObject,
  files: Files,
  { signal, told }: { readonly signal: AbortSignal; readonly told: (progress: Progress) => void },
): Promise<Response> {
  const form = new FormData()
  const described = Object.entries(files).map(([param, { name, type, size }]) => [
    param,
    { name, size, ...(type === '' ? {} : { type }) },
  ])
  const said = { ...operation, files: Object.fromEntries(described) as JsonObject }
  // The part with the operation comes first: the service reads the files as they arrive.
  form.append('operation', new Blob([writeJson(said)], { type: 'application/json' }))
  for (const [param, file] of Object.entries(files)) form.append(param, file)
  // fetch does not tell how much of a body has left.
  const request = new XMLHttpRequest()
  request.open('POST', `${BASE}/api/v1${path}`)
  request.setRequestHeader('x-tenon-console', '1')
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
          headers: { 'content-type': type },
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
